//! Expiries of every sort: readable, nearly readable, and not at all.

use fastrand::Rng;

use super::{one_in, pick};

/// Where numbers change their type, their sign or their meaning.
const EDGES: [u64; 13] = [
    0,
    1,
    99_999_999_999,
    100_000_000_000,
    99_999_999_999_999,
    100_000_000_000_000,
    1_700_000_000_000,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX - 1,
    u64::MAX,
];

/// Texts that look like a time and are no number of seconds.
const ODD: [&str; 24] = [
    "",
    " ",
    "+",
    "-",
    "-0",
    "++1",
    "+-1",
    "1_700_000_000",
    "1,700,000,000",
    "1700000000.0",
    "1.7e9",
    "0x10",
    "0b1",
    "0o7",
    "2023-11-14T22:13:20Z",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "１７００００００００",
    "١٧٠٠٠٠٠٠٠٠",
    "1700000000\u{0}",
    "\u{feff}1700000000",
    "1700000000\u{200b}",
    "never",
    "NaN",
];

/// The text of the annotation.
pub(super) fn expiry(random: &mut Rng, now: u64) -> String {
    if one_in(random, 10) {
        return pick(random, &ODD).to_owned();
    }
    let seconds = match random.u8(0..9) {
        0 => pick(random, &EDGES),
        1 => now,
        2 => now.saturating_add(random.u64(0..3)),
        3 => now.saturating_sub(random.u64(0..3)),
        4 => now.saturating_add(random.u64(0..4000)),
        5..=7 => now.saturating_sub(random.u64(0..4000)),
        _ => random.u64(..),
    };
    match random.u8(0..40) {
        0 => format!("+{seconds}"),
        1 => format!("0{seconds}"),
        2 => format!("+000000000000000000000{seconds}"),
        3 => format!(" {seconds}"),
        4 => format!("{seconds} "),
        5 => format!("{seconds}\n"),
        6 => format!("-{seconds}"),
        7 => format!("{seconds}s"),
        _ => seconds.to_string(),
    }
}
