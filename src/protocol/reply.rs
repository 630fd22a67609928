//! Replies, and their text: every reply is one or more whole lines.

use std::time::Duration;

use super::dialect::Dialect;
use super::wdl::wdl;
use crate::any_game::{Choice, Info, outcome_text};
use crate::game::Outcome;
use crate::strategy::ReportedScore;

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
    Analysis(String, ReportedScore),
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
    /// The answer to the command that begins a dialect, with the list of the options.
    Greeting(String),
    /// The answer to `query`.
    Response(&'static str),
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

/// How replies are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputStyle {
    /// In which dialect.
    pub dialect: Dialect,
    /// Whether scores come with the chances to win, draw and lose.
    pub shows_wdl: bool,
}

impl Reply {
    /// The reply as it is written, without the end of its last line.
    pub fn text(&self, manner: OutputStyle) -> String {
        let dialect = manner.dialect;
        match self {
            Reply::Info(info) => info_text(info, manner),
            Reply::Progress { nodes, time } => {
                let speed = per_second(*nodes, *time);
                format!("info nodes {nodes} nps {speed} time {}", time.as_millis())
            }
            Reply::Remark(text) => format!("info string {text}"),
            Reply::Analysis(mv, standing) => format!("analysis {mv} {}", dialect.score(*standing)),
            Reply::BestMove(choice) => dialect.best_move(choice),
            Reply::Perft(mv, count) => format!("perft {mv} {count}"),
            Reply::PerftTotal(count) => format!("perft total {count}"),
            Reply::ReadyOk => "readyok".to_owned(),
            Reply::Moves(moves) => listed("moves", moves),
            Reply::Greeting(options) => dialect.greeting(options),
            Reply::Response(answer) => format!("response {answer}"),
            Reply::Result(outcome) => format!("result {}", outcome_text(*outcome)),
            Reply::Eval { total, parts } => {
                let part = |(name, points): &(&str, i32)| format!("{name} {points}");
                let parts: Vec<String> = parts.iter().map(part).collect();
                listed(&format!("eval cp {total}"), &parts)
            }
            Reply::Text(text) => text.clone(),
            Reply::Bench { nodes, time } => {
                format!("{nodes} nodes {} nps", per_second(*nodes, *time))
            }
            Reply::Error(reason) => dialect.error(reason),
        }
    }
}

/// A word and what follows it, with blanks between.
fn listed(first: &str, rest: &[String]) -> String {
    let mut text = first.to_owned();
    for word in rest {
        text.push(' ');
        text.push_str(word);
    }
    text
}

fn info_text(info: &Info, manner: OutputStyle) -> String {
    let mut parts = Vec::new();
    if let Some((depth, selective_depth)) = info.depth {
        parts.push(format!("depth {depth} seldepth {selective_depth}"));
    }
    if let Some(number) = info.multi_pv {
        parts.push(format!("multipv {number}"));
    }
    if let Some(standing) = info.standing {
        parts.push(format!("score {}", manner.dialect.score(standing)));
        if manner.shows_wdl {
            let [win, draw, loss] = wdl(standing);
            parts.push(format!("wdl {win} {draw} {loss}"));
        }
    }
    parts.push(format!("nodes {}", info.nodes));
    if let Some(leaves) = info.leaves {
        parts.push(format!("leaves {leaves}"));
    }
    parts.push(format!("nps {}", per_second(info.nodes, info.time)));
    if let Some(permille) = info.hashfull {
        parts.push(format!("hashfull {permille}"));
    }
    parts.push(format!("time {}", info.time.as_millis()));
    if !info.line.is_empty() {
        parts.push(listed("pv", &info.line));
    }
    listed("info", &parts)
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
            standing: Some(ReportedScore::Points(-14)),
            nodes: 2000,
            leaves: None,
            time: Duration::from_millis(500),
            hashfull: Some(3),
            line: words("4 4 3"),
        };
        let reply = Reply::Info(info);
        assert_eq!(
            reply.text(OutputStyle::default()),
            "info depth 8 seldepth 12 multipv 1 score cp -14 nodes 2000 nps 4000 hashfull 3 time 500 pv 4 4 3"
        );
        let manner = OutputStyle { dialect: Dialect::Uci, shows_wdl: true };
        let text = reply.text(manner);
        assert!(text.contains(" score cp -14 wdl "), "{text}");
    }

    #[test]
    fn short_replies() {
        let best = Some("4".to_owned());
        let ponder = Some("5".to_owned());
        for (reply, text) in [
            (Reply::BestMove(Choice { best: best.clone(), ponder }), "bestmove 4 ponder 5"),
            (Reply::BestMove(Choice { best, ponder: None }), "bestmove 4"),
            (Reply::BestMove(Choice::default()), "bestmove (none)"),
            (Reply::Analysis("4".into(), ReportedScore::Win(41)), "analysis 4 win 41"),
            (Reply::Moves(words("1 2")), "moves 1 2"),
            (Reply::Moves(vec![]), "moves"),
            (Reply::Response("true"), "response true"),
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
            assert_eq!(reply.text(OutputStyle::default()), text);
        }
    }
}
