//! The text of `info` lines.

use std::fmt::Write as _;
use std::time::Duration;

use super::{OutputStyle, listed};
use crate::protocol::wdl::wdl;
use crate::search::result::{PvLine, SearchResult};
use crate::search::transposition_table::Bound;
use crate::search::tree::TreeCounts;

/// A line for each line of a result.
pub fn info_lines(result: &SearchResult<String>, style: OutputStyle) -> String {
    let lines = result.lines.iter().enumerate();
    lines.map(|(index, line)| info_line(result, index, line, style)).collect::<Vec<_>>().join("\n")
}

fn info_line(
    result: &SearchResult<String>,
    index: usize,
    line: &PvLine<String>,
    style: OutputStyle,
) -> String {
    let mut text = "info".to_owned();
    let mut add = |part: std::fmt::Arguments<'_>| {
        // Writing to a `String` cannot fail.
        let _ = text.write_fmt(part);
    };
    if let Some((depth, selective_depth)) = result.depth {
        add(format_args!(" depth {depth} seldepth {selective_depth}"));
    }
    if (result.depth.is_some() || line.score.is_some()) && !line.moves.is_empty() {
        add(format_args!(" multipv {}", index + 1));
    }
    if let Some(score) = line.score {
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        add(format_args!(" score {}{bound}", style.dialect.score(score)));
        if style.shows_wdl {
            let [win, draw, loss] = wdl(score);
            add(format_args!(" wdl {win} {draw} {loss}"));
        }
    }
    add(format_args!(" nodes {}", result.nodes));
    if let Some(TreeCounts { leaves, cutoffs }) = result.tree {
        add(format_args!(" leaves {leaves} cutoffs {cutoffs}"));
    }
    add(format_args!(" nps {}", per_second(result.nodes, result.time)));
    if let Some(permille) = result.hashfull {
        add(format_args!(" hashfull {permille}"));
    }
    add(format_args!(" time {}", result.time.as_millis()));
    if !line.moves.is_empty() {
        add(format_args!(" {}", listed("pv", &line.moves)));
    }
    text
}

/// A speed.
pub fn per_second(count: u64, time: Duration) -> u64 {
    // At least a microsecond: no division by zero, no absurd speed.
    (count as f64 / time.as_secs_f64().max(1e-6)) as u64
}
