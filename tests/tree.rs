//! The trees that `tree` shows are the ones that the plain strategies search, and what they claim about
//! every node is true.

mod support;

use std::cmp::Reverse;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::Notation;
use ratlla::games::{boom, connect4, kalah, wali};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::SearchRequest;
use ratlla::search::score::{Score, Window};
use ratlla::search::transposition_table::{Bound, TranspositionTable};
use ratlla::search::tree::{NodeKind, SearchTree, TreeCounts, TreeNode};
use ratlla::settings::{MoveOrder, Settings};
use ratlla::strategy::{Minimax, Playable};
use serde_json::Value;
use support::engine::{Engine, assert_contains, number_after};
use support::minimax::{minimax, move_values};
use support::random_play::{legal_moves, random_position};
use support::search::{choose, value_of};

const ORDERS: [MoveOrder; 3] = [MoveOrder::Left, MoveOrder::Right, MoveOrder::Centre];

/// The tree of a search with these settings.
fn tree_of<G: Playable>(game: &G, settings: &Settings) -> SearchTree<G::Move> {
    let control = SearchControl::new(false, false);
    let tree = Minimax::new(settings, settings.pruning).tree(game, None, &control);
    tree.expect("the tree is small")
}

/// Checks the trees of `positions` random positions, up to `moves` moves after `start`.
fn check<G: Playable + Notation>(start: &G, moves: usize, depth: u32, positions: usize) {
    let mut rng = SmallRng::seed_from_u64(19);
    for round in 0..positions {
        let length = rng.random_range(0..=moves);
        let game = random_position(start, length, &mut rng);
        for evaluation in G::evaluations() {
            let whole = Settings {
                evaluation: Some(evaluation.name.to_owned()),
                order: ORDERS[round % ORDERS.len()],
                depth,
                ..Settings::default()
            };
            let multi_pv = [1, 2, 500][rng.random_range(0..3)];
            let pruned = Settings { pruning: true, multi_pv, ..whole.clone() };
            let trees = [&whole, &pruned].map(|settings| tree_of(&game, settings));
            let text = game.position_text();
            for (tree, settings) in trees.iter().zip([&whole, &pruned]) {
                check_counts(&game, tree, settings, &text);
                let expected = minimax(&mut game.clone(), &*(evaluation.make)(), depth, 0);
                assert_eq!(tree.root.value, expected, "{text}");
                check_line(&game, tree, settings, &text);
            }
            check_lines(&game, &pruned, &text);
            check_whole(&game, &trees[0].root, game.clone(), &*(evaluation.make)(), 0);
            compare(&trees[0].root, &trees[1].root, &text);
        }
    }
}

/// The counts are those of the nodes themselves, and those that the strategy reports.
fn check_counts<G: Playable>(
    game: &G,
    tree: &SearchTree<G::Move>,
    settings: &Settings,
    text: &str,
) {
    let mut counts = TreeCounts::default();
    let nodes = count(&tree.root, &mut counts) - 1;
    assert_eq!((tree.nodes, tree.counts), (nodes, counts), "{text}");
    let reported = search(game, settings);
    assert_eq!((reported.nodes, reported.tree), (nodes, Some(counts)), "{text}");
    assert_eq!(reported.lines[0].moves, tree.pv, "{text}");
    assert_eq!(value_of(&reported.lines[0]).score, tree.root.value, "{text}");
    assert!(settings.pruning || counts.cutoffs == 0, "{text}");
}

fn search<G: Playable>(
    game: &G,
    settings: &Settings,
) -> ratlla::search::result::SearchResult<G::Move> {
    let request = SearchRequest {
        game,
        moves: &legal_moves(game),
        limits: &Limits::default(),
        control: &SearchControl::new(false, false),
        tt: &TranspositionTable::new(1).expect("a little memory"),
        settings,
    };
    choose(&Minimax::new(settings, settings.pruning), &request, &mut |_| {})
}

fn count<M>(node: &TreeNode<M>, counts: &mut TreeCounts) -> u64 {
    match &node.kind {
        NodeKind::Evaluated | NodeKind::Final(_) => {
            counts.leaves += 1;
            1
        }
        NodeKind::Searched { cut, children, .. } => {
            counts.cutoffs += u64::from(*cut > 0);
            1 + children.iter().map(|child| count(child, counts)).sum::<u64>()
        }
    }
}

/// The principal variation is a path in the tree on which every node has the value of the root.
fn check_line<G: Playable>(game: &G, tree: &SearchTree<G::Move>, settings: &Settings, text: &str) {
    let mut node = &tree.root;
    let mut end = game.clone();
    for &mv in &tree.pv {
        end.play(mv);
        let NodeKind::Searched { children, .. } = &node.kind else { panic!("too long: {text}") };
        node = children.iter().find(|child| child.mv == Some(mv)).expect("a child");
        assert_eq!((node.value, node.bound()), (tree.root.value, Bound::Exact), "{text}");
    }
    let at_depth = tree.pv.len() == settings.depth as usize;
    assert!(at_depth || end.outcome().is_some(), "{:?} in {text}", tree.pv);
}

/// As many lines as asked for, with exact values, best first, equal ones in move order.
fn check_lines<G: Playable>(game: &G, settings: &Settings, text: &str) {
    let evaluation = settings.evaluation.as_deref().expect("an evaluation");
    let evaluation = ratlla::strategy::evaluation::<G>(evaluation).expect("a name");
    let values = move_values(&mut game.clone(), &*evaluation, settings.depth, 0);
    let whole = tree_of(game, &Settings { pruning: false, ..settings.clone() });
    let NodeKind::Searched { children, .. } = whole.root.kind else { panic!("a root: {text}") };
    let value_of_move = |mv| values.iter().find(|(legal, _)| *legal == mv).expect("legal").1;
    let in_order = children.iter().map(|child| child.mv.expect("a move"));
    let mut expected: Vec<(G::Move, Score)> = in_order.map(|mv| (mv, value_of_move(mv))).collect();
    expected.sort_by_key(|&(_, value)| Reverse(value));
    expected.truncate(settings.multi_pv);
    let found = search(game, settings).lines;
    let found: Vec<_> = found.iter().map(|line| (line.moves[0], value_of(line).score)).collect();
    assert_eq!(found, expected, "{text}");
}

/// Without pruning every node has the best value of its children for the side to move.
fn check_whole<G: Playable>(
    root: &G,
    node: &TreeNode<G::Move>,
    game: G,
    evaluation: &dyn ratlla::game::Evaluate<G>,
    ply: usize,
) {
    let is_root_side = game.side_to_move() == root.side_to_move();
    let for_root = |score: Score| if is_root_side { score } else { -score };
    assert_eq!((node.window, node.bound()), (Window::FULL, Bound::Exact));
    match &node.kind {
        NodeKind::Evaluated => {
            assert_eq!(game.outcome(), None);
            assert_eq!(node.value, for_root(Score::heuristic(evaluation.evaluate(&game))));
        }
        NodeKind::Final(outcome) => {
            assert_eq!(game.outcome(), Some(*outcome));
            assert_eq!(node.value, Score::of_outcome(*outcome, root.side_to_move(), ply));
        }
        NodeKind::Searched { is_max, cut, children } => {
            assert_eq!((*is_max, *cut), (is_root_side, 0));
            assert_eq!(children.len(), legal_moves(&game).len());
            let values = children.iter().map(|child| child.value);
            let best = if *is_max { values.max() } else { values.min() };
            assert_eq!(Some(node.value), best);
            for child in children {
                let mut after = game.clone();
                after.play(child.mv.expect("a move"));
                check_whole(root, child, after, evaluation, ply + 1);
            }
        }
    }
}

/// The pruned tree is a part of the whole one, and its values and bounds are true.
fn compare<M: Copy + PartialEq>(whole: &TreeNode<M>, pruned: &TreeNode<M>, text: &str) {
    assert!(whole.mv == pruned.mv, "{text}");
    let is_true = match pruned.bound() {
        Bound::Exact => whole.value == pruned.value,
        Bound::Upper => whole.value <= pruned.value,
        Bound::Lower => whole.value >= pruned.value,
    };
    assert!(is_true, "{:?} {:?} {:?} {text}", pruned.value, pruned.bound(), whole.value);
    let (
        NodeKind::Searched { children: all, .. },
        NodeKind::Searched { is_max, cut, children: searched },
    ) = (&whole.kind, &pruned.kind)
    else {
        return;
    };
    assert_eq!(searched.len() + cut, all.len(), "{text}");
    if *cut > 0 {
        let refuted = if *is_max { pruned.window.beta } else { pruned.window.alpha };
        let is_enough = if *is_max { pruned.value >= refuted } else { pruned.value <= refuted };
        assert!(is_enough, "a cutoff within the window: {text}");
    }
    all.iter().zip(searched).for_each(|(whole, pruned)| compare(whole, pruned, text));
}

#[test]
fn trees_of_connect_four_are_what_is_searched() {
    for (parameters, moves, depth) in
        [("4 4", 12, 5), ("4 4 3", 8, 5), ("4 5", 16, 4), ("6 7", 35, 4), ("8 8", 50, 3)]
    {
        let start = connect4::start(&parameters.split(' ').collect::<Vec<_>>()).expect("a size");
        check(&start, moves, depth, 60);
    }
}

/// Here one side moves twice, and a search must not confuse max and min.
#[test]
fn trees_of_boom_are_what_is_searched() {
    check(&boom::start(&[]).expect("no parameters"), 30, 4, 60);
}

#[test]
fn trees_of_kalah_are_what_is_searched() {
    for parameters in [&["3", "2"], &["4", "3"], &["6", "4"]] {
        let rules = kalah::rules(parameters).expect("rules");
        check(&kalah::board::Board::<u64>::new(rules), 15, 4, 100);
    }
}

#[test]
fn trees_of_wali_are_what_is_searched() {
    check(&wali::board::Board::new(), 40, 2, 40);
    let shape = wali::shape(&["3", "3", "3"]).expect("a shape");
    check(&wali::board::Board::empty_board(shape), 20, 4, 60);
}

/// The reply to a command that ends with a line that starts with `last`.
fn reply(engine: &mut Engine, command: &str, last: &str) -> Vec<String> {
    engine.send(command);
    engine.wait_for(last)
}

/// Counts the nodes and leaves below a node of the JSON.
fn json_counts(node: &Value) -> (u64, u64) {
    let Some(children) = node.get("children") else { return (0, 1) };
    let children = children.as_array().expect("an array").iter().map(json_counts);
    children.fold((0, 0), |sum, (nodes, leaves)| (sum.0 + nodes + 1, sum.1 + leaves))
}

#[test]
fn all_three_formats_show_the_same_tree() {
    let mut engine = Engine::start();
    for game in ["4 4", "boom", "kalah 4 3", "wali 3 3 3"] {
        engine.command(&format!("newgame {game}"));
        for pruning in [false, true] {
            engine.command(&format!("setoption name Pruning value {pruning}"));
            engine.command("setoption name Strategy value minimax");
            let (_, infos) = engine.go("depth 3");
            let text = reply(&mut engine, "tree depth 3", "tree");
            let summary = &text[text.len() - 1];
            for word in ["nodes", "leaves", "cutoffs"] {
                assert_eq!(number_after(word, summary), number_after(word, &infos[0]), "{game}");
            }
            let pv = |line: &str| line.split_once(" pv ").expect("a line").1.to_owned();
            assert_eq!(pv(summary), pv(&infos[0]));
            let nodes = number_after("nodes", summary).expect("a number");
            let leaves = number_after("leaves", summary).expect("a number");
            // A line for each node, one for the root, and the last one.
            assert_eq!(text.len() as u64, nodes + 2, "{game}");
            let is_leaf = |line: &&String| line.contains(" eval ") || line.contains(" end ");
            assert_eq!(text.iter().filter(is_leaf).count() as u64, leaves);
            let cut = text.iter().filter(|line| line.contains(" cut ")).count() as u64;
            assert_eq!(Some(cut), number_after("cutoffs", summary));

            let json = reply(&mut engine, "tree depth 3 json", "tree").remove(0);
            let json: Value = serde_json::from_str(&json["tree ".len()..]).expect("JSON");
            assert_eq!(json_counts(&json["root"]), (nodes, leaves), "{game}");
            assert_eq!((&json["nodes"], &json["leaves"]), (&nodes.into(), &leaves.into()));
            assert_eq!(json["cutoffs"], cut);

            let dot = reply(&mut engine, "tree depth 3 dot", "}");
            let edges = dot.iter().filter(|line| line.starts_with('n') && line.contains(" -> n"));
            let boxes = dot.iter().filter(|line| line.starts_with('n') && line.contains("[shape="));
            assert_eq!((edges.count() as u64, boxes.count() as u64), (nodes, nodes + 1));
            assert_eq!(dot.iter().filter(|line| line.starts_with('c')).count() as u64, cut);
            assert_eq!(dot[0], "digraph tree {");
        }
    }
    engine.quit();
}

#[test]
fn a_tree_can_begin_after_some_moves_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.command("newgame 4 4");
    engine.command("position moves 2");
    let before = engine.query("d");
    let there = reply(&mut engine, "tree depth 2 moves 2 3", "tree");
    assert_eq!(engine.query("d"), before);
    engine.command("position moves 2 2 3");
    assert_eq!(reply(&mut engine, "tree depth 2", "tree"), there);
    // The depth is that of the option if none is given, the words are those of the dialect.
    engine.command("setoption name Depth value 2");
    assert_eq!(reply(&mut engine, "tree", "tree"), there);
    engine.send("uci");
    engine.wait_for("uciok");
    let fairy = reply(&mut engine, "tree depth 1", "tree");
    assert_eq!(fairy[1].trim_start().split(' ').next(), Some("P@a1"), "{fairy:?}");
    engine.quit();
}

/// What a command that is refused prints: one line, which is an error.
fn refused(engine: &mut Engine, command: &str) -> String {
    engine.send_all(&[command, "isready"]);
    let lines = engine.wait_for("readyok");
    let lines: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info")).collect();
    let error = match lines[..] {
        [ready, error] | [error, ready] if ready == "readyok" => error.clone(),
        [ready] if ready == "readyok" => engine.read_line(),
        _ => panic!("{command}: {lines:?}"),
    };
    assert!(error.starts_with("error tree: "), "{command}: {error}");
    error
}

#[test]
fn a_tree_that_cannot_be_shown_is_one_error() {
    let mut engine = Engine::start();
    let error = refused(&mut engine, "tree depth 6");
    assert_contains(&error, "more than 100000 nodes");
    assert_contains(&refused(&mut engine, "tree depth 99999999999 dot"), "more than 100000 nodes");
    let error = refused(&mut engine, "tree depth 2 moves 4 4 9");
    assert_contains(&error, "move 3, '9': column 9 does not exist");
    let error = refused(&mut engine, "tree moves 1 2 1 2 1 2 1");
    assert_contains(&error, "the game is over (p1win)");
    engine.command("newgame 4 4");
    // A tree without cutoffs has 4 + 16 + ... nodes; with them there is room for more.
    engine.command("setoption name Pruning value true");
    assert!(reply(&mut engine, "tree depth 8", "tree").len() > 1000);
    engine.quit();
    for (depth, status, length) in [("6", 1, 1), ("1", 0, 9)] {
        let exit = Engine::with_arguments(&["tree", "depth", depth]).finish();
        let lines = exit.rest.iter().filter(|line| !line.starts_with("info")).count();
        assert_eq!((exit.status.code(), lines), (Some(status), length));
    }
}

#[test]
fn trees_wait_their_turn_and_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 9", "tree depth 1", "moves"]);
    engine.wait_for_best_move();
    assert_eq!(engine.wait_for("tree").len(), 9);
    assert_contains(&engine.read_line(), "moves 1 2 3");
    engine.send_all(&["go infinite", "tree depth 1"]);
    let lines = engine.wait_for("error");
    assert_contains(&lines[lines.len() - 1], "search in progress");
    engine.send("stop");
    engine.wait_for_best_move();
    engine.command("newgame 8 8");
    engine.send_all(&["go movetime 60000", "tree depth 4", "stop"]);
    engine.wait_for_best_move();
    let lines = engine.wait_for("error");
    assert_eq!(lines.last().expect("a line"), "error tree: stopped before the end");
    engine.quit();
}
