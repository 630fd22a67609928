//! The reply to `tree`: text for people, JSON for programs, DOT for drawings.

use std::fmt::Write as _;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::command::TreeFormat;
use crate::game::Outcome;
use crate::search::score::Score;
use crate::search::transposition_table::Bound;
use crate::search::tree::{NodeKind, SearchTree, TreeCounts, TreeNode};

/// The whole reply, without the end of its last line.
pub fn tree_text(tree: &SearchTree<String>, format: TreeFormat) -> String {
    match format {
        TreeFormat::Text => indented(tree),
        TreeFormat::Json => format!("tree {}", json(tree)),
        TreeFormat::Dot => dot(tree),
    }
}

/// A score for max: points, or `win` or `loss` with the plies from the root.
fn score_text(score: Score) -> String {
    match score {
        Score::INFINITE => "+inf".to_owned(),
        score if score == -Score::INFINITE => "-inf".to_owned(),
        score => match score.plies_to_end() {
            Some(plies) if score.is_win() => format!("win {plies}"),
            Some(plies) => format!("loss {plies}"),
            None => score.points().to_string(),
        },
    }
}

/// The value of a node, with `<=` or `>=` if it is a bound.
fn value_text<M>(node: &TreeNode<M>) -> String {
    let score = score_text(node.value);
    match node.bound() {
        Bound::Exact => score,
        Bound::Upper => format!("<= {score}"),
        Bound::Lower => format!(">= {score}"),
    }
}

fn player(is_max: bool) -> &'static str {
    if is_max { "max" } else { "min" }
}

/// How a node is shown where it ends the tree.
fn end_text(node: &TreeNode<String>, outcome: Outcome) -> String {
    match outcome {
        Outcome::Draw => "end draw".to_owned(),
        Outcome::Win(_) => format!("end {}", score_text(node.value)),
    }
}

/// The window with which a node was entered, if the search has one.
fn window_text(tree: &SearchTree<String>, node: &TreeNode<String>) -> Option<String> {
    let [alpha, beta] = [node.window.alpha, node.window.beta].map(score_text);
    tree.pruning.then(|| format!("alpha {alpha} beta {beta}"))
}

/// A line for each node, indented by its ply, and a last one with the result and the counts.
fn indented(tree: &SearchTree<String>) -> String {
    let mut text = String::new();
    add_lines(tree, &tree.root, 0, &mut text);
    let TreeCounts { leaves, cutoffs } = tree.counts;
    let (value, nodes, pv) = (value_text(&tree.root), tree.nodes, tree.pv.join(" "));
    // Writing to a `String` cannot fail.
    let _ =
        write!(text, "tree value {value} nodes {nodes} leaves {leaves} cutoffs {cutoffs} pv {pv}");
    text
}

fn add_lines(tree: &SearchTree<String>, node: &TreeNode<String>, ply: usize, text: &mut String) {
    for _ in 0..ply {
        text.push_str("  ");
    }
    if let Some(mv) = &node.mv {
        text.push_str(mv);
        text.push(' ');
    }
    match &node.kind {
        NodeKind::Evaluated => {
            text.push_str("eval ");
            text.push_str(&score_text(node.value));
        }
        NodeKind::Final(outcome) => text.push_str(&end_text(node, *outcome)),
        NodeKind::Searched { is_max, cut, .. } => {
            text.push_str(player(*is_max));
            text.push_str(" value ");
            text.push_str(&value_text(node));
            if let Some(window) = window_text(tree, node) {
                text.push(' ');
                text.push_str(&window);
            }
            if *cut > 0 {
                let _ = write!(text, " cut {cut}");
            }
        }
    }
    text.push('\n');
    if let NodeKind::Searched { children, .. } = &node.kind {
        children.iter().for_each(|child| add_lines(tree, child, ply + 1, text));
    }
}

/// The tree as an object in one line.
fn json(tree: &SearchTree<String>) -> String {
    #[derive(Serialize)]
    struct Whole<'a> {
        value: i32,
        nodes: u64,
        leaves: u64,
        cutoffs: u64,
        pruning: bool,
        pv: &'a [String],
        root: JsonNode<'a>,
    }
    let whole = Whole {
        value: tree.root.value.points(),
        nodes: tree.nodes,
        leaves: tree.counts.leaves,
        cutoffs: tree.counts.cutoffs,
        pruning: tree.pruning,
        pv: &tree.pv,
        root: JsonNode { node: &tree.root, pruning: tree.pruning },
    };
    // Only maps with other keys than strings could fail.
    serde_json::to_string(&whole).unwrap_or_default()
}

/// A node and everything below it.
struct JsonNode<'a> {
    node: &'a TreeNode<String>,
    pruning: bool,
}

impl Serialize for JsonNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let JsonNode { node, pruning } = *self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(mv) = &node.mv {
            map.serialize_entry("move", mv)?;
        }
        map.serialize_entry("value", &node.value.points())?;
        match &node.kind {
            NodeKind::Evaluated => {}
            NodeKind::Final(outcome) => map.serialize_entry("result", &outcome.to_string())?,
            NodeKind::Searched { is_max, cut, children } => {
                if let Some(bound) = bound_name(node.bound()) {
                    map.serialize_entry("bound", bound)?;
                }
                map.serialize_entry("player", player(*is_max))?;
                if pruning {
                    map.serialize_entry("alpha", &finite(node.window.alpha))?;
                    map.serialize_entry("beta", &finite(node.window.beta))?;
                    map.serialize_entry("cut", cut)?;
                }
                let children: Vec<JsonNode<'_>> =
                    children.iter().map(|node| JsonNode { node, pruning }).collect();
                map.serialize_entry("children", &children)?;
            }
        }
        map.end()
    }
}

/// What an `info` line says about a score that is not exact.
fn bound_name(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::Exact => None,
        Bound::Upper => Some("upperbound"),
        Bound::Lower => Some("lowerbound"),
    }
}

/// A number for a bound of a window, if it has one.
fn finite(score: Score) -> Option<i32> {
    let is_finite = -Score::INFINITE < score && score < Score::INFINITE;
    is_finite.then(|| score.points())
}

/// The tree as a graph for Graphviz: boxes for max, ellipses for min.
fn dot(tree: &SearchTree<String>) -> String {
    let TreeCounts { leaves, cutoffs } = tree.counts;
    let (value, nodes) = (value_text(&tree.root), tree.nodes);
    let label = format!("value {value}, nodes {nodes}, leaves {leaves}, cutoffs {cutoffs}");
    let mut text = format!("digraph tree {{\nlabel={};\n", quoted(&label));
    let mut last = 0;
    add_nodes(tree, &tree.root, &mut last, &mut text);
    text.push('}');
    text
}

/// Adds a node, which gets the next number, and everything below it.
fn add_nodes(
    tree: &SearchTree<String>,
    node: &TreeNode<String>,
    last: &mut usize,
    text: &mut String,
) {
    let number = *last;
    let (shape, label) = match &node.kind {
        NodeKind::Evaluated => ("plaintext", score_text(node.value)),
        NodeKind::Final(outcome) => ("plaintext", end_text(node, *outcome)),
        NodeKind::Searched { is_max, .. } => {
            let value = format!("{} {}", player(*is_max), value_text(node));
            let window = window_text(tree, node).map(|window| format!("\n{window}"));
            (if *is_max { "box" } else { "ellipse" }, value + &window.unwrap_or_default())
        }
    };
    let _ = writeln!(text, "n{number} [shape={shape} label={}];", quoted(&label));
    let NodeKind::Searched { cut, children, .. } = &node.kind else {
        return;
    };
    for child in children {
        *last += 1;
        let mv = quoted(child.mv.as_deref().unwrap_or_default());
        let _ = writeln!(text, "n{number} -> n{last} [label={mv}];");
        add_nodes(tree, child, last, text);
    }
    if *cut > 0 {
        let label = quoted(&format!("{cut} cut"));
        let _ = writeln!(text, "c{number} [shape=plaintext fontcolor=red label={label}];");
        let _ = writeln!(text, "n{number} -> c{number} [style=dashed color=red];");
    }
}

/// A string of DOT.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
