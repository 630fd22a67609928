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
    /// What an engine reported in these `info` lines: the latest of each field. Most engines repeat all
    /// fields in every line, so usually only the last one is parsed.
    pub fn latest(lines: &[String]) -> Info {
        let mut info = Info::default();
        for line in lines.iter().rev() {
            let Info { depth, score, nodes } = Info::parse(line);
            info.depth = info.depth.or(depth);
            info.score = info.score.or(score);
            info.nodes = info.nodes.or(nodes);
            if info.depth.is_some() && info.score.is_some() && info.nodes.is_some() {
                break;
            }
        }
        info
    }

    /// Parses a line, skipping what it does not know.
    fn parse(line: &str) -> Info {
        let words = line.split_ascii_whitespace().skip_while(|&word| word == "info");
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

    #[test]
    fn scores_of_all_kinds_are_read() {
        let score = |line: &str| Info::parse(line).score;
        assert_eq!(score("depth 3 score cp -12 nodes 5").as_deref(), Some("cp -12"));
        assert_eq!(score("score win 7 nodes 5").as_deref(), Some("win 7"));
        assert_eq!(score("score draw nodes 5").as_deref(), Some("draw"));
        assert_eq!(score("score draw").as_deref(), Some("draw"));
        for malformed in ["", " cp", " cp abc", " cp 12.5", " cp 99999999999999999999", " loss"] {
            assert_eq!(score(&format!("score{malformed} nodes 5")), None, "{malformed}");
        }
        assert_eq!(Info::parse("score cp abc nodes 5").nodes, Some(5));
        assert_eq!(score("score cp -900 lowerbound nodes 5"), None);
        assert_eq!(score("score cp 900 upperbound"), None);
        assert_eq!(score("multipv 2 score cp 1"), None);
        assert_eq!(score("string score cp 1"), None);
    }

    #[test]
    fn each_field_is_the_latest_that_was_reported() {
        let latest = |lines: &[&str]| {
            Info::latest(&lines.iter().map(|line| format!("info {line}")).collect::<Vec<_>>())
        };
        let all = ["depth 2 score cp 9 nodes 7", "depth 3 score cp 5 nodes 10", "nodes 99 time 4"];
        let expected = Info { depth: Some(3), score: Some("cp 5".into()), nodes: Some(99) };
        assert_eq!(latest(&all), expected);
        // A bound and another line of play say nothing about the score.
        let more = ["depth 4 score cp 800 lowerbound", "depth 4 multipv 2 score cp -7 nodes 3"];
        let expected = Info { depth: Some(4), ..expected };
        assert_eq!(latest(&[&all[..], &more].concat()), expected);
        assert_eq!(latest(&[]), Info::default());
    }
}
