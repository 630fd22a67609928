//! The laws that every game obeys, checked on its own type rather than through the text interface.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Evaluate, Evaluator, Game, Notation, Side};
use ratlla::strategy::Playable;

use super::random_play::{legal_moves, random_move};

/// Longer than any game of ours.
const LONGEST_GAME: usize = 10_000;

/// Plays `games` random games from `start` and checks every law in every position.
pub fn check_laws<G: Notation + Playable>(start: &G, games: usize) {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut by_key = HashMap::new();
    let mut by_text = HashMap::new();
    for _ in 0..games {
        let mut game = start.clone();
        let mut length = 0;
        loop {
            check_position(&game);
            check_text(&game);
            check_every_move(&game);
            check_keys(&game, &mut by_key, &mut by_text);
            let Some(mv) = random_move(&game, &mut rng) else {
                break;
            };
            game.play(mv);
            length += 1;
            assert!(length < LONGEST_GAME, "a game without end: {}", game.position_text());
        }
        assert!(game.outcome().is_some());
    }
    check_evaluator(start, games, &mut rng);
}

/// The game goes on as long as there are moves, the key is up to date, and move codes are unique.
pub fn check_position<G: Notation>(game: &G) {
    let moves = legal_moves(game);
    assert_eq!(game.outcome().is_some(), moves.is_empty(), "{}", game.position_text());
    assert_eq!(game.key(), game.key_from_scratch(), "{}", game.position_text());
    let codes: HashSet<u16> = moves.iter().map(|&mv| G::code(mv)).collect();
    assert_eq!(codes.len(), moves.len(), "two moves share a code: {moves:?}");
}

/// In every notation, texts are unique, single lines, and read back.
pub fn check_text<G: Notation>(game: &G) {
    check_notation(game, &game.position_text(), G::move_text);
    let fen = game.fairy_position_text();
    check_notation(game, fen.strip_prefix("fen ").unwrap_or(&fen), G::fairy_move_text);
}

fn check_notation<G: Notation>(game: &G, text: &str, move_text: fn(&G, G::Move) -> String) {
    assert!(!text.contains(['\n', '\r']));
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(!words.contains(&"moves"), "'moves' ends a position: {text}");
    let read = game.parse_position(&words).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.position_text(), game.position_text());
    // A text need not include how the position was reached.
    if !game.depends_on_history() {
        assert_eq!(snapshot(&read), snapshot(game));
    }

    let moves = legal_moves(game);
    let names: HashSet<String> = moves.iter().map(|&mv| move_text(game, mv)).collect();
    assert_eq!(names.len(), moves.len(), "two moves share a name in {text}");
    for mv in moves {
        let name = move_text(game, mv);
        assert!(
            !name.is_empty() && !name.contains(char::is_whitespace),
            "'{name}' is not one word"
        );
        assert_eq!(game.parse_move(&name), Ok(mv), "'{name}' in {text}");
    }
}

/// A move changes the position, `key_after` predicts the key, and `undo` restores everything.
fn check_every_move<G: Notation>(game: &G) {
    let before = snapshot(game);
    let mut board = game.clone();
    for mv in legal_moves(game) {
        let predicted = game.key_after(mv);
        let undo = board.play(mv);
        assert_ne!(board.key(), game.key(), "{mv:?} in {}", before.text);
        assert!(predicted.is_none_or(|key| key == board.key()), "{mv:?} in {}", before.text);
        assert_eq!(board.key(), board.key_from_scratch(), "{mv:?} in {}", before.text);
        board.undo(mv, undo);
        assert_eq!(snapshot(&board), before, "{mv:?} was not undone");
    }
}

/// Equal keys mean equal positions, and vice versa. History is not part of the key, so the texts of
/// games whose positions have one are not compared.
fn check_keys<G: Notation>(
    game: &G,
    by_key: &mut HashMap<u64, (Side, Vec<G::Move>, String)>,
    by_text: &mut HashMap<String, u64>,
) {
    if game.depends_on_history() {
        return;
    }
    let text = game.position_text();
    let has_history = game.history_free_plies() < usize::MAX;
    let compared_text = if has_history { String::new() } else { text.clone() };
    let this = (game.side_to_move(), legal_moves(game), compared_text);
    let first = by_key.entry(game.key()).or_insert_with(|| this.clone());
    assert_eq!(*first, this, "two positions with the same key");
    let key = *by_text.entry(text.clone()).or_insert(game.key());
    assert_eq!(key, game.key(), "two keys for {text}");
}

/// Everything that is visible of a position.
#[derive(Debug, PartialEq)]
struct Snapshot<M: PartialEq + Debug> {
    text: String,
    drawing: String,
    key: u64,
    moves: Vec<M>,
    side: Side,
    outcome: Option<ratlla::game::Outcome>,
    depends_on_history: bool,
}

fn snapshot<G: Notation>(game: &G) -> Snapshot<G::Move> {
    Snapshot {
        text: game.position_text(),
        drawing: game.drawing(),
        key: game.key(),
        moves: legal_moves(game),
        side: game.side_to_move(),
        outcome: game.outcome(),
        depends_on_history: game.depends_on_history(),
    }
}

/// An evaluator that has followed the game through moves and undos agrees with a fresh one.
fn check_evaluator<G: Notation + Playable>(start: &G, games: usize, rng: &mut SmallRng) {
    for _ in 0..games {
        let mut game = start.clone();
        let mut evaluator = super::search::evaluator(start);
        evaluator.reset(&game);
        let mut fresh = super::search::evaluator(start);
        let mut played = Vec::new();
        for _ in 0..LONGEST_GAME {
            let go_back = game.outcome().is_some() || rng.random_range(0..3) == 0;
            if go_back {
                // Far enough to reach moves played before the last undo.
                for _ in 0..rng.random_range(1..=4) {
                    let Some((mv, undo)) = played.pop() else { break };
                    game.undo(mv, undo);
                    evaluator.undo(&game, mv);
                }
            } else if let Some(mv) = random_move(&game, rng) {
                evaluator.play(&game, mv);
                played.push((mv, game.play(mv)));
            }
            if game.outcome().is_none() {
                fresh.reset(&game);
                check_evaluation(&game, &evaluator, &fresh);
                for evaluation in G::evaluations() {
                    check_terms(&game, &*(evaluation.make)());
                }
            }
            if played.len() > 60 || rng.random_range(0..200) == 0 {
                break;
            }
        }
    }
}

fn check_evaluation<G: Notation>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    fresh: &impl Evaluator<G>,
) {
    let text = game.position_text();
    assert_eq!(evaluator.evaluate(game), fresh.evaluate(game), "{text}");
    assert_eq!(evaluator.terms(game), fresh.terms(game), "{text}");
    check_terms(game, evaluator);
    assert_eq!(candidates(game, evaluator), candidates(game, fresh), "{text}");

    let legal = legal_moves(game);
    let mut listed = Vec::new();
    evaluator.candidates(game, &mut listed);
    assert!(!listed.is_empty(), "no candidate in {text}");
    for (index, candidate) in listed.iter().enumerate() {
        assert!(legal.contains(&candidate.mv), "{:?} in {text}", candidate.mv);
        assert!(usize::from(candidate.history_index) < evaluator.history_len(), "{text}");
        let twice = listed[..index].iter().any(|earlier| earlier.mv == candidate.mv);
        assert!(!twice, "{:?} is listed twice in {text}", candidate.mv);
    }
}

/// The terms of an evaluation add up to it.
fn check_terms<G: Notation>(game: &G, evaluation: &dyn Evaluate<G>) {
    let terms = evaluation.terms(game);
    let sum = terms.iter().map(|(_, points)| points).sum();
    let text = game.position_text();
    assert_eq!(evaluation.evaluate(game), game.side_to_move().view(sum), "{terms:?} in {text}");
}

fn candidates<G: Game>(game: &G, evaluator: &impl Evaluator<G>) -> Vec<(G::Move, i32, u16)> {
    let mut list = Vec::new();
    evaluator.candidates(game, &mut list);
    list.iter().map(|candidate| (candidate.mv, candidate.score, candidate.history_index)).collect()
}
