//! A million objects and more, decided by upstream's functions and by ours.

use std::env;
use std::ops::Range;
use std::thread;

use oracle::compare::compare;
use oracle::generate::case;
use oracle::shrink::shrink;
use oracle::tally::{Difference, Tally, verdicts};

/// How many objects are compared unless `REAP_ORACLE_OBJECTS` says otherwise.
const OBJECTS: u64 = 1_000_000;

#[test]
fn ours_differ_from_upstreams_decisions_by_the_table_of_differences_alone() {
    let seed = variable("REAP_ORACLE_SEED").unwrap_or_else(|| fastrand::u64(..));
    let objects = variable("REAP_ORACLE_OBJECTS").unwrap_or(OBJECTS);
    println!("REAP_ORACLE_SEED={seed} REAP_ORACLE_OBJECTS={objects}");
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| objects * part / threads..objects * (part + 1) / threads)
            .map(|numbers| scope.spawn(move || compare_all(seed, numbers)))
            .collect();
        for part in parts {
            match part.join().expect("no thread panics") {
                Ok(found) => tally.merge(found),
                Err(counter_example) => panic!("{counter_example}"),
            }
        }
    });
    println!("{tally}");
    for difference in Difference::ALL {
        assert!(
            tally.differences.contains_key(&difference),
            "no object shows {difference:?}"
        );
    }
    for verdict in verdicts() {
        let count = tally.verdict(verdict);
        assert!(
            count * 100 >= objects,
            "only {count} objects of {objects} are {verdict}"
        );
    }
}

fn compare_all(seed: u64, numbers: Range<u64>) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for number in numbers {
        let case = case(seed, number);
        let Ok(finding) = compare(&case) else {
            let small = shrink(case, |case| compare(case).is_err());
            let error = compare(&small).err().unwrap_or_default();
            return Err(format!(
                "object {number} of seed {seed}: {error}\n{:#}\n{small:#?}",
                small.object
            ));
        };
        tally.add(finding);
    }
    Ok(tally)
}

fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}")),
    )
}
