//! Replies, and their text: every reply is one or more whole lines.

use std::fmt;
use std::time::Duration;

use crate::game::Outcome;
use crate::strategy::Standing;
use crate::table::{Choice, Info, outcome_text};

/// One thing the engine says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// What a search has found out.
    Info(Info),
    /// How far a search has come.
    Progress {
        /// Positions visited.
        nodes: u64,
        /// Time since the start.
        time: Duration,
    },
    /// A remark.
    Remark(String),
    /// What a move is worth.
    Analysis(String, Standing),
    /// The answer to `go`.
    BestMove(Choice),
    /// Sequences that begin with a move.
    Perft(String, u64),
    /// All sequences.
    PerftTotal(u64),
    /// The answer to `isready`.
    ReadyOk,
    /// The answer to `moves`.
    Moves(Vec<String>),
    /// The answer to `result`.
    Result(Option<Outcome>),
    /// The answer to `eval`, for the side to move.
    Eval {
        /// All parts together.
        total: i32,
        /// The parts.
        parts: Vec<(&'static str, i32)>,
    },
    /// A text of several lines: a drawing, the help.
    Text(String),
    /// The closing line of `bench`.
    Bench {
        /// Positions visited.
        nodes: u64,
        /// How long it took.
        time: Duration,
    },
    /// What was wrong.
    Error(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info(info) => write_info(f, info),
            Reply::Progress { nodes, time } => {
                write!(
                    f,
                    "info nodes {nodes} nps {} time {}",
                    per_second(*nodes, *time),
                    time.as_millis()
                )
            }
            Reply::Remark(text) => write!(f, "info string {text}"),
            Reply::Analysis(mv, standing) => {
                write!(f, "analysis {mv} {}", StandingText(*standing))
            }
            Reply::BestMove(choice) => write_choice(f, choice),
            Reply::Perft(mv, count) => write!(f, "perft {mv} {count}"),
            Reply::PerftTotal(count) => write!(f, "perft total {count}"),
            Reply::ReadyOk => write!(f, "readyok"),
            Reply::Moves(moves) => {
                write!(f, "moves")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Reply::Result(outcome) => write!(f, "result {}", outcome_text(*outcome)),
            Reply::Eval { total, parts } => {
                write!(f, "eval cp {total}")?;
                parts.iter().try_for_each(|(name, points)| write!(f, " {name} {points}"))
            }
            Reply::Text(text) => write!(f, "{text}"),
            Reply::Bench { nodes, time } => {
                write!(f, "{nodes} nodes {} nps", per_second(*nodes, *time))
            }
            Reply::Error(text) => write!(f, "error {text}"),
        }
    }
}

fn write_info(f: &mut fmt::Formatter<'_>, info: &Info) -> fmt::Result {
    write!(f, "info")?;
    if let Some((depth, selective_depth)) = info.depth {
        write!(f, " depth {depth} seldepth {selective_depth}")?;
    }
    if let Some(number) = info.multi_pv {
        write!(f, " multipv {number}")?;
    }
    if let Some(standing) = info.standing {
        write!(f, " score {}", StandingText(standing))?;
    }
    write!(f, " nodes {}", info.nodes)?;
    if let Some(leaves) = info.leaves {
        write!(f, " leaves {leaves}")?;
    }
    write!(f, " nps {}", per_second(info.nodes, info.time))?;
    if let Some(permille) = info.permille_full {
        write!(f, " hashfull {permille}")?;
    }
    write!(f, " time {}", info.time.as_millis())?;
    if !info.line.is_empty() {
        write!(f, " pv {}", info.line.join(" "))?;
    }
    Ok(())
}

struct StandingText(Standing);

impl fmt::Display for StandingText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Standing::Points(points) => write!(f, "cp {points}"),
            Standing::Win(plies) => write!(f, "win {plies}"),
            Standing::Loss(plies) => write!(f, "loss {plies}"),
            Standing::Draw => write!(f, "draw"),
            Standing::Margin(margin) => write!(f, "margin {margin}"),
        }
    }
}

fn write_choice(f: &mut fmt::Formatter<'_>, choice: &Choice) -> fmt::Result {
    write!(f, "bestmove {}", choice.best.as_deref().unwrap_or("(none)"))?;
    match &choice.ponder {
        Some(ponder) => write!(f, " ponder {ponder}"),
        None => Ok(()),
    }
}

fn per_second(count: u64, time: Duration) -> u64 {
    // A microsecond at least: no division by nothing, no absurd speed.
    (count as f64 / time.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn an_info_line_has_its_parts_in_order() {
        let info = Info {
            depth: Some((8, 12)),
            multi_pv: Some(1),
            standing: Some(Standing::Points(-14)),
            nodes: 2000,
            leaves: None,
            time: Duration::from_millis(500),
            permille_full: Some(3),
            line: words("4 4 3"),
        };
        assert_eq!(
            Reply::Info(info).to_string(),
            "info depth 8 seldepth 12 multipv 1 score cp -14 nodes 2000 nps 4000 hashfull 3 time 500 pv 4 4 3"
        );
    }

    #[test]
    fn standings_read_as_they_are_meant() {
        for (standing, text) in [
            (Standing::Win(7), "win 7"),
            (Standing::Loss(4), "loss 4"),
            (Standing::Draw, "draw"),
            (Standing::Margin(-8), "margin -8"),
        ] {
            assert_eq!(StandingText(standing).to_string(), text);
        }
    }

    #[test]
    fn short_replies() {
        let best = Some("4".to_owned());
        let ponder = Some("5".to_owned());
        for (reply, text) in [
            (Reply::BestMove(Choice { best: best.clone(), ponder }), "bestmove 4 ponder 5"),
            (Reply::BestMove(Choice { best, ponder: None }), "bestmove 4"),
            (Reply::BestMove(Choice::default()), "bestmove (none)"),
            (Reply::Analysis("4".into(), Standing::Win(41)), "analysis 4 win 41"),
            (Reply::Moves(words("1 2")), "moves 1 2"),
            (Reply::Moves(vec![]), "moves"),
            (Reply::Result(None), "result none"),
            (Reply::Result(Some(Outcome::Win(Side::P2))), "result p2win"),
            (Reply::Perft("3".into(), 49), "perft 3 49"),
            (Reply::PerftTotal(343), "perft total 343"),
            (
                Reply::Eval { total: 3, parts: vec![("lines", 1), ("threats", 2)] },
                "eval cp 3 lines 1 threats 2",
            ),
            (Reply::Bench { nodes: 10, time: Duration::from_secs(2) }, "10 nodes 5 nps"),
            (Reply::Error("no".into()), "error no"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }
}
