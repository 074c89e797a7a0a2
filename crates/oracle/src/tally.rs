//! What a run of comparisons found, added up.

use std::collections::BTreeMap;
use std::fmt;

use reap_core::judge::{Kept, Reason, Verdict};
use reap_core::plan::Again;

/// Where the two differ on purpose; the first four are rows of the table of differences that concern one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Jobs and ConfigMaps being deleted already are kept.
    Terminating,
    /// The other clock says otherwise.
    Clock,
    /// What is deleted is what was shown: uid and resource version must be known, and the same at the second look.
    Shown,
    /// Mounted claims are kept.
    Claims,
    /// `--stuck` or `--run`, which upstream does not have.
    Flags,
}

impl Difference {
    /// Every one, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::Terminating,
        Self::Clock,
        Self::Shown,
        Self::Claims,
        Self::Flags,
    ];
}

/// What one comparison found.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Our verdict.
    pub verdict: Verdict,
    /// What judging it again came to, if it was to go.
    pub again: Option<Again>,
    /// Why upstream's answer is another one.
    pub difference: Option<Difference>,
    /// Upstream cannot read the object.
    pub refused: bool,
    /// Only one of upstream's releases can.
    pub read_by_one_release: bool,
}

impl Finding {
    pub(crate) fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            again: None,
            difference: None,
            refused: false,
            read_by_one_release: false,
        }
    }
}

/// How many of each there were.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All objects.
    pub objects: u64,
    /// Those that both decide alike.
    pub agreements: u64,
    /// Those that upstream cannot read, and how many of them we would delete.
    pub refused: (u64, u64),
    /// Those that one of upstream's releases reads and the other does not.
    pub read_by_one_release: u64,
    /// Those that the two decide differently; the second look is counted under `Shown`.
    pub differences: BTreeMap<Difference, u64>,
    /// Our verdicts, those of the second look included.
    pub verdicts: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Adds one comparison.
    pub fn add(&mut self, finding: Finding) {
        let spared = matches!(finding.again, Some(Again::Keep(_)));
        self.objects += 1;
        *self.verdicts.entry(word(finding.verdict)).or_default() += 1;
        if let Some(Again::Keep(kept @ (Kept::Renewed | Kept::Replaced | Kept::NotSelected))) =
            finding.again
        {
            *self.verdicts.entry(kept.as_str()).or_default() += 1;
        }
        self.read_by_one_release += u64::from(finding.read_by_one_release);
        if finding.refused {
            self.refused.0 += 1;
            self.refused.1 += u64::from(matches!(finding.verdict, Verdict::Reap(_)));
        } else if let Some(difference) = finding.difference {
            *self.differences.entry(difference).or_default() += 1;
        } else if spared {
            *self.differences.entry(Difference::Shown).or_default() += 1;
        } else {
            self.agreements += 1;
        }
    }

    /// Adds another run.
    pub fn merge(&mut self, other: Self) {
        self.objects += other.objects;
        self.agreements += other.agreements;
        self.refused.0 += other.refused.0;
        self.refused.1 += other.refused.1;
        self.read_by_one_release += other.read_by_one_release;
        for (difference, count) in other.differences {
            *self.differences.entry(difference).or_default() += count;
        }
        for (verdict, count) in other.verdicts {
            *self.verdicts.entry(verdict).or_default() += count;
        }
    }

    /// How many objects got the verdict.
    #[must_use]
    pub fn verdict(&self, word: &str) -> u64 {
        self.verdicts.get(word).copied().unwrap_or(0)
    }
}

/// The words that an object's verdict may be, first look or second.
#[must_use]
pub fn verdicts() -> Vec<&'static str> {
    let reasons = [
        Reason::DeadlineExceeded,
        Reason::Expired,
        Reason::StuckTerminating,
    ];
    let kept = [
        Kept::NotExpired,
        Kept::NoExpiry,
        Kept::UnreadableExpiry,
        Kept::Terminating,
        Kept::ControlledByJob,
        Kept::Unidentifiable,
        Kept::InUse,
        Kept::Renewed,
        Kept::Replaced,
        Kept::NotManaged,
        Kept::NotSelected,
    ];
    let reasons = reasons.into_iter().map(Reason::as_str);
    reasons.chain(kept.into_iter().map(Kept::as_str)).collect()
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reap(reason) => reason.as_str(),
        Verdict::Keep(kept) => kept.as_str(),
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:>9} objects", self.objects)?;
        writeln!(formatter, "{:>9} decided alike", self.agreements)?;
        for difference in Difference::ALL {
            let count = self.differences.get(&difference).unwrap_or(&0);
            writeln!(formatter, "{count:>9} differ: {difference:?}")?;
        }
        let (refused, reaped) = self.refused;
        writeln!(
            formatter,
            "{refused:>9} that upstream cannot read ({reaped} of them would go here)"
        )?;
        let one = self.read_by_one_release;
        writeln!(
            formatter,
            "{one:>9} that only one release of upstream can read"
        )?;
        for verdict in verdicts() {
            writeln!(formatter, "{:>9} {verdict}", self.verdict(verdict))?;
        }
        Ok(())
    }
}
