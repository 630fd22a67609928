//! The search information in `info` lines.

use std::iter::Peekable;

/// The fields of `info` lines that go into the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The score as the engine wrote it: `cp 12`, `win 5`, `mate 3`.
    pub score: Option<String>,
    /// Node count.
    pub nodes: Option<u64>,
}

impl Info {
    /// Parses the words after `info`, skipping what it does not know.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Info {
        let mut info = Info::default();
        let mut words = words.peekable();
        let mut is_main_line = true;
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => break,
                "depth" => info.depth = words.peek().and_then(|word| word.parse().ok()),
                "nodes" => info.nodes = words.peek().and_then(|word| word.parse().ok()),
                "multipv" => is_main_line = words.peek().is_none_or(|&word| word == "1"),
                "score" => info.score = parse_score(&mut words),
                _ => {}
            }
        }
        if is_main_line { info } else { Info::default() }
    }

    /// Overwrites fields that `later` has.
    pub fn update(&mut self, later: Info) {
        self.depth = later.depth.or(self.depth);
        self.score = later.score.or(self.score.take());
        self.nodes = later.nodes.or(self.nodes);
    }
}

/// The score in the words after `score`; none if it is malformed or only a bound, so that it is never
/// taken for a number the engine has not said.
fn parse_score<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<String> {
    const KINDS: [&str; 6] = ["cp", "mate", "win", "loss", "margin", "draw"];
    let score = match words.next_if(|word| KINDS.contains(word))? {
        "draw" => "draw".to_owned(),
        kind => {
            let number: i64 = words.next_if(|word| word.parse::<i64>().is_ok())?.parse().ok()?;
            format!("{kind} {number}")
        }
    };
    let is_bound = words.peek().is_some_and(|word| ["lowerbound", "upperbound"].contains(word));
    (!is_bound).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Info {
        Info::parse(line.split(' '))
    }

    #[test]
    fn scores_of_all_kinds_are_read() {
        let score = |line: &str| parsed(line).score;
        assert_eq!(score("depth 3 score cp -12 nodes 5").as_deref(), Some("cp -12"));
        assert_eq!(score("score win 7 nodes 5").as_deref(), Some("win 7"));
        assert_eq!(score("score draw nodes 5").as_deref(), Some("draw"));
        assert_eq!(score("score draw").as_deref(), Some("draw"));
        for malformed in ["", " cp", " cp abc", " cp 12.5", " cp 99999999999999999999", " loss"] {
            assert_eq!(score(&format!("score{malformed} nodes 5")), None, "{malformed}");
        }
        assert_eq!(parsed("score cp abc nodes 5").nodes, Some(5));
        assert_eq!(score("score cp -900 lowerbound nodes 5"), None);
        assert_eq!(score("score cp 900 upperbound"), None);
        assert_eq!(score("multipv 2 score cp 1"), None);
        assert_eq!(score("string score cp 1"), None);
    }

    #[test]
    fn later_lines_overwrite_only_what_they_have() {
        let mut info = parsed("depth 3 score cp 5 nodes 10");
        info.update(parsed("nodes 99 time 4"));
        let expected = Info { depth: Some(3), score: Some("cp 5".into()), nodes: Some(99) };
        assert_eq!(info, expected);
    }
}
