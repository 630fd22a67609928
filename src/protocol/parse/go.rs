//! The words of `go`.

use std::time::Duration;

use super::{did_you_mean, escaped, whole_number};
use crate::protocol::command::{Go, Goal};
use crate::text::expected;

/// All words of `go`. Those that [`go`] does not handle itself take a number.
pub const GO_WORDS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "infinite",
    "ponder",
    "solve",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "searchmoves",
    "perft",
];

/// The time of `explain` and `why not` without a limit, after `ponderhit` if there is one: a person
/// waits for the answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Those that only `go` takes.
const GO_ALONE: &[&str] = &["solve", "perft"];

/// The words after `command`: `go`, `analyze`, `explain` or `why not` and a move. If `lenient`, unknown words are skipped and
/// listed; otherwise they are errors.
pub fn go(command: &str, goal: Goal, rest: &[&str], lenient: bool) -> Result<Go, String> {
    let own = |word: &&&str| match goal {
        Goal::Move => true,
        // Every move is searched, so that the best one is known.
        Goal::Refute => !GO_ALONE.contains(word) && **word != "searchmoves",
        Goal::Solve | Goal::Analyze | Goal::Explain => !GO_ALONE.contains(word),
    };
    let known: Vec<&str> = GO_WORDS.iter().filter(own).copied().collect();
    let mut go = Go { goal, ..Go::default() };
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            _ if !known.contains(&word) => {
                if !lenient {
                    let hint = did_you_mean(word, known.iter().copied());
                    let (word, known) = (escaped(word), known.join(" "));
                    return Err(format!("{command}: unknown word '{word}'{hint} ({known})"));
                }
                go.unknown.push(word.to_owned());
            }
            "solve" => go.goal = Goal::Solve,
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves = words.as_slice().iter().take_while(|word| !GO_WORDS.contains(word));
                go.search_moves = moves.map(|&word| word.to_owned()).collect();
                if go.search_moves.is_empty() {
                    return Err(format!("{command} searchmoves: expected at least one move"));
                }
                words = words.as_slice()[go.search_moves.len()..].iter();
            }
            "perft" => return Err("go perft: no other words allowed".to_owned()),
            _ => go_number(&mut go, &format!("{command} {word}"), word, words.next())?,
        }
    }
    let for_people = matches!(goal, Goal::Explain | Goal::Refute);
    if for_people && !go.infinite && !go.has_limit() {
        go.movetime = Some(PATIENCE);
    }
    Ok(go)
}

/// Sets the field of a word that takes a number.
fn go_number(go: &mut Go, context: &str, word: &str, number: Option<&&str>) -> Result<(), String> {
    let count = || non_negative(context, number);
    let time = || milliseconds(context, number);
    match word {
        "depth" => go.depth = Some(clamped(count()?)),
        "mate" => go.mate = Some(clamped(count()?)),
        "nodes" => go.nodes = Some(count()?),
        "movestogo" => go.moves_to_go = Some(clamped(count()?)),
        "movetime" => go.movetime = Some(time()?),
        "p1time" | "wtime" => go.time[0] = Some(time()?),
        "p2time" | "btime" => go.time[1] = Some(time()?),
        "p1inc" | "winc" => go.increment[0] = time()?,
        _ => go.increment[1] = time()?,
    }
    Ok(())
}

/// A number that is not negative, at most the largest `u64`.
pub fn non_negative(context: &str, word: Option<&&str>) -> Result<u64, String> {
    let word = word.ok_or_else(|| format!("{context}: expected a number"))?;
    match whole_number(word) {
        Some((false, digits)) => Ok(digits.parse().unwrap_or(u64::MAX)),
        _ => Err(format!("{context}: {}", expected("a number", word))),
    }
}

/// A time: zero if it is negative, at most some decades.
fn milliseconds(context: &str, word: Option<&&str>) -> Result<Duration, String> {
    const MOST: u64 = 1 << 40;
    let word = word.ok_or_else(|| format!("{context}: expected milliseconds"))?;
    match whole_number(word) {
        Some((true, _)) => Ok(Duration::ZERO),
        Some((false, digits)) => {
            Ok(Duration::from_millis(digits.parse().unwrap_or(MOST).min(MOST)))
        }
        None => Err(format!("{context}: {}", expected("milliseconds", word))),
    }
}

/// The number, at most the largest `u32`.
pub fn clamped(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Go {
        go("go", Goal::Move, &words.split_whitespace().collect::<Vec<_>>(), false).unwrap()
    }

    #[test]
    fn go_takes_all_its_words() {
        let line = "depth 8 mate 9 nodes 1000 movetime 500 p1time 60000 p2time 50000 p1inc 100 \
                    p2inc 200 movestogo 12 searchmoves 1 2 ponder infinite solve";
        let expected = Go {
            mate: Some(9),
            depth: Some(8),
            nodes: Some(1000),
            movetime: Some(Duration::from_millis(500)),
            goal: Goal::Solve,
            infinite: true,
            ponder: true,
            time: [Some(Duration::from_secs(60)), Some(Duration::from_secs(50))],
            increment: [Duration::from_millis(100), Duration::from_millis(200)],
            moves_to_go: Some(12),
            search_moves: vec!["1".to_owned(), "2".to_owned()],
            proof_only: false,
            asked: None,
            unknown: vec![],
        };
        assert_eq!(parsed(line), expected);
        let uci = parsed("wtime 1 btime 2 winc 3 binc 4");
        assert_eq!(uci, parsed("p1time 1 p2time 2 p1inc 3 p2inc 4"));
        assert_eq!(parsed(""), Go::default());
        let depth_of = |line| parsed(line).deepest();
        assert_eq!(depth_of("infinite"), None);
        assert_eq!(depth_of("mate 4"), Some(7));
        assert_eq!(depth_of("depth 4 mate 3"), Some(4));
        assert_eq!(depth_of("mate 3 depth 6"), Some(5));
        assert_eq!(depth_of("mate 0"), Some(0));
    }

    #[test]
    fn people_do_not_wait_for_ever() {
        for goal in [Goal::Explain, Goal::Refute] {
            let parsed = |words: &[&str]| go("explain", goal, words, false).unwrap();
            assert_eq!(parsed(&[]).movetime, Some(PATIENCE));
            assert_eq!(parsed(&["ponder"]).movetime, Some(PATIENCE));
            for words in [&["nodes", "9"][..], &["infinite"], &["p1time", "9"]] {
                assert_eq!(parsed(words).movetime, None, "{words:?}");
            }
        }
        assert!(go("why not", Goal::Refute, &["searchmoves", "4"], false).is_err());
    }

    #[test]
    fn huge_numbers_saturate_and_negative_times_are_zero() {
        let huge = "9".repeat(30);
        let go = parsed(&format!("depth {huge} nodes {huge} wtime -{huge}"));
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(u64::MAX)));
        assert_eq!(go.time[0], Some(Duration::ZERO));
    }

    #[test]
    fn unknown_words_are_errors_or_skipped() {
        let words = ["depth", "3", "rtime", "9", "infinite"];
        assert!(go("go", Goal::Move, &words, false).unwrap_err().contains("unknown word 'rtime'"));
        let go = go("go", Goal::Move, &words, true).unwrap();
        assert_eq!((go.depth, go.infinite), (Some(3), true));
        assert_eq!(go.unknown, ["rtime", "9"]);
    }
}
