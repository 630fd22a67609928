//! The law that what a search has proved stays proved until its `bestmove`.
//!
//! A proved win stays a win, a draw a draw, a loss a loss; no distance becomes longer, no line is longer
//! than the distance it proves, and the move that is played is the one that was proved.

/// What a line says about the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Proof<'a> {
    /// Who wins: the sign of the score for the side to move.
    sign: i32,
    /// In how many plies, if it is a win or a loss.
    distance: Option<u32>,
    /// The moves of its line.
    line: &'a str,
}

impl<'a> Proof<'a> {
    fn moves(self) -> impl Iterator<Item = &'a str> {
        self.line.split_ascii_whitespace()
    }

    /// Whether the game ends before its line does.
    fn contradicts_itself(self) -> bool {
        self.distance.is_some_and(|plies| self.moves().count() > plies as usize)
    }

    /// Whether it says less than one before it.
    fn takes_back(self, before: Proof<'_>) -> bool {
        self.sign != before.sign
            || before.distance.zip(self.distance).is_some_and(|(old, new)| new > old)
    }
}

/// What an `info` line says about the best move in the native dialect.
enum Claim<'a> {
    Proved(Proof<'a>),
    Heuristic,
}

fn claim(line: &str) -> Option<Claim<'_>> {
    let is_best = line.contains(" multipv 1 ") || !line.contains(" multipv ");
    let (_, score) = line.split_once(" score ").filter(|_| is_best && line.starts_with("info "))?;
    let mut words = score.split(' ');
    let (kind, number) = (words.next()?, words.next().and_then(|word| word.parse::<i32>().ok()));
    let (sign, distance) = match kind {
        "win" => (1, number),
        "loss" => (-1, number),
        "draw" => (0, None),
        "margin" => (number?.signum(), None),
        "cp" => return Some(Claim::Heuristic),
        // Another dialect, in which a draw cannot be told from a heuristic score.
        _ => return None,
    };
    let line = line.split_once(" pv ").map_or("", |(_, pv)| pv);
    Some(Claim::Proved(Proof { sign, distance: distance.map(i32::unsigned_abs), line }))
}

/// The first line that cannot be a proof, or takes back what the same search has proved before. `plays_best`
/// says of each search whether it plays the best move that it finds; lower levels do not.
pub fn broken_proof<'a>(output: &'a [String], plays_best: &[bool]) -> Option<&'a String> {
    let mut plays_best = plays_best.iter();
    let mut proved: Option<Proof<'_>> = None;
    output.iter().find(|line| {
        if let Some(answer) = line.strip_prefix("bestmove ") {
            let is_best = plays_best.next().is_some_and(|&is_best| is_best);
            let expected = proved.take().and_then(|proof| proof.moves().next());
            let played = answer.split(' ').next();
            return is_best && expected.is_some() && played != expected;
        }
        match (claim(line), proved) {
            (Some(Claim::Proved(now)), before) => {
                proved = Some(now);
                now.contradicts_itself() || before.is_some_and(|before| now.takes_back(before))
            }
            (Some(Claim::Heuristic), Some(_)) => true,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::broken_proof;

    const WIN: &str = "info depth 3 multipv 1 score win 9 nodes 5 pv 1 2\n";

    fn broken(text: &str, plays_best: bool) -> Option<String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        broken_proof(&lines, &[plays_best; 2]).cloned()
    }

    #[test]
    fn a_proof_may_become_shorter_and_lasts_for_one_search() {
        let kept = format!("{WIN}info depth 4 multipv 1 score win 7 nodes 9 pv 3\nbestmove 3\n");
        let next = format!("{kept}info depth 1 multipv 1 score cp 5 nodes 9 pv 1\nbestmove 2\n");
        assert_eq!(broken(&next, true), None);
        let other_lines = format!("{WIN}info depth 3 multipv 2 score cp 5 nodes 9\nbestmove 1\n");
        assert_eq!(broken(&other_lines, true), None);
        let loss = "info score loss 8 pv 1\ninfo score loss 6 pv 2\nbestmove 2\n";
        assert_eq!(broken(loss, true), None);
    }

    #[test]
    fn a_proof_that_is_weakened_is_found() {
        for worse in ["cp 28", "loss 4", "draw", "margin -2", "win 11"] {
            let line = format!("info score {worse} nodes 9 pv 1");
            assert_eq!(broken(&format!("{WIN}{line}\nbestmove 1\n"), true), Some(line));
        }
        let draw = "info score draw nodes 9 pv 2\ninfo score loss 4 nodes 9 pv 2\nbestmove 2\n";
        assert!(broken(draw, true).is_some());
    }

    #[test]
    fn a_line_beyond_the_end_of_the_game_is_found() {
        let line = "info score win 0 nodes 7 nps 4978 time 1 pv b3a3 c2b2";
        assert_eq!(broken(&format!("{line}\nbestmove b3a3\n"), true).as_deref(), Some(line));
    }

    #[test]
    fn the_move_that_was_proved_is_played_at_full_strength() {
        let text = format!("{WIN}bestmove 2 ponder 3\n");
        assert_eq!(broken(&text, true).as_deref(), Some("bestmove 2 ponder 3"));
        assert_eq!(broken(&text, false), None);
    }
}
