//! Messages about names that do not exist, with the one that was probably meant.

/// How similar a name must be to be suggested, from 0 to 1.
const SIMILAR: f64 = 0.75;

/// Says that `known` has no such name; `kind` is what the names are.
pub fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let hint = match nearest(name, known) {
        Some(nearest) => format!(", did you mean '{nearest}'?"),
        None => String::new(),
    };
    format!("unknown {kind} '{name}'{hint} (available: {})", known.join(", "))
}

/// The most similar of these names, if any is similar.
fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let similarity = |other: &str| {
        let other = other.to_lowercase();
        // Transposed letters are one mistake in one measure, a common beginning helps in the other.
        strsim::normalized_damerau_levenshtein(&name, &other)
            .max(strsim::jaro_winkler(&name, &other))
    };
    // Of equals the last one is taken, so the first comes last.
    let rated = names.iter().rev().map(|&other| (similarity(other), other));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|&(similarity, _)| similarity >= SIMILAR).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_gets_the_nearest_name() {
        let names = ["Hash", "Threads", "MultiPV", "Move Overhead", "Clear Hash", "Preset"];
        for (typo, meant) in [
            ("Hsah", Some("Hash")),
            ("thread", Some("Threads")),
            ("MoveOverhead", Some("Move Overhead")),
            ("multi_pv", Some("MultiPV")),
            ("Contempt", None),
            ("Speed", None),
        ] {
            assert_eq!(nearest(typo, &names), meant, "{typo}");
        }
        assert_eq!(nearest("elo", &["elo0", "elo1"]), Some("elo0"));
        assert_eq!(nearest("x", &[]), None);
    }
}
