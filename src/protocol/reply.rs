//! Replies and their text: every reply is one or more whole lines.

mod info;
mod options;
mod reasons;

use std::time::Duration;

use super::dialect::Dialect;
use super::parse::COMMANDS;
use super::state_reply::StateReply;
use crate::explain::{Reason, Refutation};
use crate::game::{Outcome, Parameter, Side};
use crate::search::result::{ReportedScore, SearchResult};
use crate::search::score::Score;
use info::{info_lines, per_second};
pub use options::{OptionInfo, OptionKind};
use options::{option_text, or_empty, parameter_text};
use reasons::{reason_text, refutation_text};

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// What a search has found so far: an `info` line for each of its lines.
    Info(SearchResult<String>),
    /// How far a search has come.
    Progress {
        /// Nodes searched.
        nodes: u64,
        /// Time since the start.
        time: Duration,
    },
    /// An `info string`.
    Note(String),
    /// The score of a move.
    Analysis(String, ReportedScore),
    /// Why a move is good or bad.
    Reason(Reason),
    /// What is wrong with a move.
    Refutation(Refutation),
    /// The reply to `go`.
    BestMove {
        /// `None` if the game is over.
        best: Option<String>,
        /// The opponent's expected turn; empty if it is unknown, or if the mover moves again.
        ponder: Vec<String>,
    },
    /// Move sequences that begin with a move.
    Perft(String, u64),
    /// All move sequences.
    PerftTotal(u64),
    /// The reply to `tree`, as text: it may be long, so the worker writes it.
    Tree(String),
    /// The reply to `isready`.
    ReadyOk,
    /// The reply to `moves`.
    Moves(Vec<String>),
    /// The reply to the command that switches to a dialect.
    Greeting(Vec<OptionInfo>),
    /// The reply to `options`.
    Options(Vec<OptionInfo>),
    /// The reply to `getoption`: names and current values.
    Values(Vec<(&'static str, String)>),
    /// The reply to `version`.
    Version,
    /// The reply to `games`: names and parameters.
    Games(Vec<(&'static str, &'static [Parameter])>),
    /// The reply to `help`, with the usage of each game.
    Help(Vec<String>),
    /// The reply to `query p1turn` and `query gameover`.
    Truth(bool),
    /// The reply to `query result`.
    QueryResult(Option<Outcome>),
    /// The reply to `result`.
    Result(Option<Outcome>),
    /// The reply to `d`.
    Display {
        /// The board for people.
        drawing: String,
        /// The words after `newgame`.
        game: String,
        /// The words after `position`.
        position: String,
        /// The side to move.
        side: Side,
        /// The hash key.
        key: u64,
        /// How the game ended.
        outcome: Option<Outcome>,
    },
    /// The reply to `state`.
    State(Box<StateReply>),
    /// The reply to `eval`: the terms, for the side to move.
    Eval(Vec<(&'static str, i32)>),
    /// A position of `bench` and its result.
    BenchPosition {
        /// The game, its parameters and `moves …`: empty parts are left out.
        position: Vec<String>,
        /// How deep it was searched.
        depth: u32,
        /// Nodes searched.
        nodes: u64,
        /// The best move.
        best: String,
    },
    /// The closing line of `bench`.
    Bench {
        /// Nodes searched.
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
    /// The dialect.
    pub dialect: Dialect,
    /// Whether scores come with win, draw and loss probabilities.
    pub shows_wdl: bool,
}

impl Reply {
    /// The text, without the end of its last line.
    pub fn text(&self, style: OutputStyle) -> String {
        let dialect = style.dialect;
        match self {
            Reply::Info(result) => info_lines(result, style),
            Reply::Progress { nodes, time } => {
                let speed = per_second(*nodes, *time);
                format!("info nodes {nodes} nps {speed} time {}", time.as_millis())
            }
            Reply::Note(text) => format!("info string {text}"),
            Reply::Analysis(mv, score) => format!("analysis {mv} {}", dialect.score(*score)),
            Reply::Reason(reason) => reason_text(reason, dialect),
            Reply::Refutation(refutation) => refutation_text(refutation, dialect),
            Reply::BestMove { best, ponder } => dialect.best_move(best.as_deref(), ponder),
            Reply::Perft(mv, count) => format!("perft {mv} {count}"),
            Reply::PerftTotal(count) => format!("perft total {count}"),
            Reply::Tree(text) => text.clone(),
            Reply::ReadyOk => "readyok".to_owned(),
            Reply::Moves(moves) => listed("moves", moves),
            Reply::Greeting(options) => dialect.greeting(&lines(options, option_text)),
            Reply::Options(options) => lines(options, option_text),
            Reply::Values(values) => lines(values, |(name, value)| {
                format!("option name {name} value {}", or_empty(value))
            }),
            Reply::Version => format!("version {}", env!("CARGO_PKG_VERSION")),
            Reply::Games(games) => lines(games, |(name, parameters)| {
                let parameters: Vec<String> = parameters.iter().map(parameter_text).collect();
                listed(&format!("game {name}"), &parameters)
            }),
            Reply::Help(games) => {
                let commands = lines(COMMANDS, |(name, parameters, purpose)| {
                    format!("{}\n    {purpose}", format!("{name} {parameters}").trim_end())
                });
                format!("{commands}\n{}", lines(games, |usage| format!("game {usage}")))
            }
            Reply::Truth(truth) => format!("response {truth}"),
            Reply::QueryResult(outcome) => format!("response {}", result_text(*outcome)),
            Reply::Result(outcome) => format!("result {}", result_text(*outcome)),
            Reply::Display { drawing, game, position, side, key, outcome } => format!(
                "{drawing}\ngame {game}\nposition {position}\nside {side}\nkey {key:016x}\n\
                 result {}",
                result_text(*outcome)
            ),
            Reply::State(state) => format!("state {}", state.json()),
            Reply::Eval(terms) => {
                let total = terms.iter().fold(0i32, |sum, (_, points)| sum.saturating_add(*points));
                let total = Score::heuristic(total).points();
                let term = |(name, points): &(&str, i32)| format!("{name} {points}");
                let terms: Vec<String> = terms.iter().map(term).collect();
                listed(&format!("eval cp {total}"), &terms)
            }
            Reply::BenchPosition { position, depth, nodes, best } => {
                let position = listed("bench", position);
                format!("{position} depth {depth} nodes {nodes} bestmove {best}")
            }
            Reply::Bench { nodes, time } => {
                format!("{nodes} nodes {} nps", per_second(*nodes, *time))
            }
            Reply::Error(reason) => dialect.error(reason),
        }
    }
}

fn result_text(outcome: Option<Outcome>) -> String {
    outcome.map_or("none".to_owned(), |outcome| outcome.to_string())
}

/// A word and what follows it, separated by blanks.
fn listed(first: &str, rest: &[String]) -> String {
    let mut text = first.to_owned();
    for word in rest {
        text.push(' ');
        text.push_str(word);
    }
    text
}

/// A line for each item.
fn lines<T>(items: &[T], line: impl Fn(&T) -> String) -> String {
    items.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::result::{PvLine, SearchEnd};

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn line(points: i32, moves: &str) -> PvLine<String> {
        PvLine::new(Some(ReportedScore::Points(points)), words(moves))
    }

    #[test]
    fn an_info_line_has_its_parts_in_order() {
        let reply = Reply::Info(SearchResult {
            depth: Some((8, 12)),
            lines: vec![line(-14, "4 4 3"), line(-20, "3")],
            nodes: 2000,
            tree: None,
            time: Duration::from_millis(500),
            hashfull: Some(3),
            end: SearchEnd::Interrupted,
        });
        assert_eq!(
            reply.text(OutputStyle::default()),
            "info depth 8 seldepth 12 multipv 1 score cp -14 nodes 2000 nps 4000 hashfull 3 time 500 pv 4 4 3\n\
             info depth 8 seldepth 12 multipv 2 score cp -20 nodes 2000 nps 4000 hashfull 3 time 500 pv 3"
        );
        let text = reply.text(OutputStyle { dialect: Dialect::Uci, shows_wdl: true });
        assert!(text.contains(" score cp -14 wdl "), "{text}");
    }

    #[test]
    fn short_replies() {
        let best = Some("4".to_owned());
        let ponder = vec!["5".to_owned()];
        let position = words("kalah 6");
        for (reply, text) in [
            (Reply::BestMove { best: best.clone(), ponder }, "bestmove 4 ponder 5"),
            (Reply::BestMove { best, ponder: vec![] }, "bestmove 4"),
            (Reply::BestMove { best: None, ponder: vec![] }, "bestmove (none)"),
            (Reply::Analysis("4".into(), ReportedScore::Win(41)), "analysis 4 win 41"),
            (Reply::Moves(words("1 2")), "moves 1 2"),
            (
                Reply::Values(vec![("A b", "3".into()), ("C", String::new())]),
                "option name A b value 3\noption name C value <empty>",
            ),
            (Reply::Moves(vec![]), "moves"),
            (Reply::Truth(true), "response true"),
            (Reply::QueryResult(None), "response none"),
            (Reply::Result(None), "result none"),
            (Reply::Result(Some(Outcome::Win(Side::P2))), "result p2win"),
            (Reply::Perft("3".into(), 49), "perft 3 49"),
            (Reply::PerftTotal(343), "perft total 343"),
            (Reply::Eval(vec![("lines", 1), ("threats", 2)]), "eval cp 3 lines 1 threats 2"),
            (Reply::Eval(vec![("a", -40_000), ("b", 2)]), "eval cp -28998 a -40000 b 2"),
            (Reply::Eval(vec![("a", i32::MAX), ("b", 2)]), "eval cp 28998 a 2147483647 b 2"),
            (
                Reply::BenchPosition { position, depth: 3, nodes: 9, best: "1".into() },
                "bench kalah 6 depth 3 nodes 9 bestmove 1",
            ),
            (Reply::Bench { nodes: 10, time: Duration::from_secs(2) }, "10 nodes 5 nps"),
            (Reply::Error("no".into()), "error no"),
        ] {
            assert_eq!(reply.text(OutputStyle::default()), text);
        }
    }

    #[test]
    fn options_and_parameters_are_listed_in_uci_form() {
        let option =
            |kind, default: &str| OptionInfo { name: "A b", kind, default: default.into() };
        let options = vec![
            option(OptionKind::Check, "true"),
            option(OptionKind::Spin { min: 1, max: 9 }, "3"),
            option(OptionKind::Combo(vec!["x", "y"]), "x"),
            option(OptionKind::Button, ""),
            option(OptionKind::Text, ""),
        ];
        assert_eq!(
            Reply::Options(options).text(OutputStyle::default()),
            "option name A b type check default true\n\
             option name A b type spin default 3 min 1 max 9\n\
             option name A b type combo default x var x var y\n\
             option name A b type button\n\
             option name A b type string default <empty>"
        );
        const PARAMETERS: &[Parameter] = &[
            Parameter::Number { name: "rows", default: 6, limits: [4, 25] },
            Parameter::Word("empty"),
        ];
        assert_eq!(
            Reply::Games(vec![("g", PARAMETERS), ("h", &[])]).text(OutputStyle::default()),
            "game g parameter rows type spin default 6 min 4 max 25 parameter empty type check default false\n\
             game h"
        );
    }
}
