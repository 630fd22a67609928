//! Messages about names that do not exist, with the one that was probably meant.

use ratlla::text::did_you_mean;

/// Says that `known` has no such name; `kind` is what the names are.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let hint = did_you_mean(name, known.iter().copied());
    format!("unknown {kind} '{name}'{hint} (available: {})", known.join(", "))
}
