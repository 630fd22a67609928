//! The laws that every game obeys, checked on its own type rather than through the text interface. Each
//! says what holds, and what must not: its negative half.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Evaluate, Evaluator, Game, Notation, Side};
use ratlla::strategy::Playable;

use super::random_play::{legal_moves, random_move};

/// Longer than any game of ours.
const LONGEST_GAME: usize = 10_000;

/// How many of the positions nearest to the start are compared with each other.
const NEAREST: usize = 400;

/// In one position of so many, texts that are nearly those of a position and its moves are read.
const NEARLY: u32 = 60;

/// Plays `games` random games from `start` and checks every law in every position.
pub fn check_laws<G: Notation + Playable>(start: &G, games: usize) {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut by_key = HashMap::new();
    let mut by_text = HashMap::new();
    for game in nearest_positions(start) {
        check_keys(&game, &mut by_key, &mut by_text);
    }
    for _ in 0..games {
        let mut game = start.clone();
        let mut length = 0;
        loop {
            check_position(&game);
            check_text(&game);
            check_every_move(&game);
            check_keys(&game, &mut by_key, &mut by_text);
            if rng.random_ratio(1, NEARLY) {
                check_nearly_moves(&game, &mut rng);
                check_nearly_positions(&game, &mut rng, &mut by_key, &mut by_text);
            }
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

/// The positions with the fewest moves since `start`, each once by its text.
fn nearest_positions<G: Notation>(start: &G) -> Vec<G> {
    let mut found = vec![start.clone()];
    let mut texts = HashSet::from([start.position_text()]);
    for place in 0.. {
        let Some(game) = found.get(place).cloned() else { break };
        for mv in legal_moves(&game) {
            let mut next = game.clone();
            next.play(mv);
            if found.len() < NEAREST && texts.insert(next.position_text()) {
                found.push(next);
            }
        }
    }
    found
}

/// The game goes on as long as there are moves, and no longer: once it is over there are none. The key is
/// up to date, and no two moves share a code.
pub fn check_position<G: Notation>(game: &G) {
    let moves = legal_moves(game);
    assert_eq!(game.outcome().is_some(), moves.is_empty(), "{}", game.position_text());
    assert_eq!(game.key(), game.key_from_scratch(), "{}", game.position_text());
    let codes: HashSet<u16> = moves.iter().map(|&mv| G::code(mv)).collect();
    assert_eq!(codes.len(), moves.len(), "two moves share a code: {moves:?}");
}

/// In every notation, texts are single lines and read back, and no two moves share one.
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

/// What differs from every move's text in one letter names no move: only zeros in front and the case of
/// letters do not matter.
fn check_nearly_moves<G: Notation>(game: &G, rng: &mut SmallRng) {
    let spelling = |text: &str| {
        let number = text.bytes().all(|letter| letter.is_ascii_digit());
        if number { text.trim_start_matches('0').to_owned() } else { text.to_lowercase() }
    };
    let mut named = HashMap::new();
    for mv in legal_moves(game) {
        named.insert(game.move_text(mv), mv);
        named.insert(game.fairy_move_text(mv), mv);
    }
    let spelled: HashMap<String, G::Move> =
        named.iter().map(|(text, &mv)| (spelling(text), mv)).collect();
    for altered in named.keys().flat_map(|text| nearly(text, rng)) {
        if let Ok(read) = game.parse_move(&altered) {
            let position = game.position_text();
            assert_eq!(spelled.get(&spelling(&altered)), Some(&read), "'{altered}' in {position}");
        }
    }
}

/// What differs from a position's text in one letter or one word is no position or another one, which
/// obeys the laws and has a key of its own. Stones may be written as letters or numbers, and a word may
/// be left out where there is a default.
fn check_nearly_positions<G: Notation>(
    game: &G,
    rng: &mut SmallRng,
    by_key: &mut ByKey<G::Move>,
    by_text: &mut HashMap<String, u64>,
) {
    let spelling = |text: &str| {
        text.to_lowercase().replace(['0', '-'], ".").replace('1', "x").replace('2', "o")
    };
    let text = game.position_text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let place = rng.random_range(0..words.len());
    let mut altered: Vec<Vec<String>> = nearly(words[place], rng)
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(|word| {
            let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            words[place] = word;
            words
        })
        .collect();
    let mut doubled: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    doubled.insert(place, words[place].to_owned());
    altered.push(doubled);
    for words in altered {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match game.parse_position(&words) {
            Ok(read) => {
                let is_same = read.position_text() == text;
                assert_eq!(is_same, spelling(&words.join(" ")) == spelling(&text), "{words:?}");
                check_position(&read);
                check_keys(&read, by_key, by_text);
            }
            Err(reason) => assert!(!reason.is_empty() && !reason.contains('\n'), "{words:?}"),
        }
    }
    let mut shortened = words;
    shortened.remove(place);
    if let Ok(read) = game.parse_position(&shortened) {
        check_position(&read);
    }
}

/// Texts that differ from this one in a letter: another one in its place, none, or one more.
fn nearly(text: &str, rng: &mut SmallRng) -> Vec<String> {
    const LETTERS: &str = "0123456789abcdefgmoprx.XO/@- é";
    let letters: Vec<char> = text.chars().collect();
    let places: Vec<usize> = match letters.len() {
        few @ 0..6 => (0..few).collect(),
        many => (0..6).map(|_| rng.random_range(0..many)).collect(),
    };
    let mut altered = Vec::new();
    for place in places {
        let (before, rest) = (&letters[..place], &letters[place..]);
        let with =
            |middle: &[char], rest: &[char]| [before, middle, rest].concat().iter().collect();
        let new = |letter: char| [letter; 1];
        let other = LETTERS.chars().filter(|&letter| letter != letters[place]);
        altered.extend(other.map(|letter| -> String { with(&new(letter), &rest[1..]) }));
        altered.push(with(&[], &rest[1..]));
        // A zero in front changes no number.
        let more = LETTERS.chars().filter(|&letter| letter != '0');
        altered.extend(more.map(|letter| -> String { with(&new(letter), rest) }));
    }
    altered
}

/// A move changes the position and its key, `key_after` predicts that, and `undo` restores everything:
/// nothing is left of any move.
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

/// Positions by key: the side to move, its moves, and the text if there is no history in it.
type ByKey<M> = HashMap<u64, (Side, Vec<M>, String)>;

/// Equal keys mean equal positions, and vice versa: no two positions share a key, and none has two.
/// History is not part of the key, so the texts of games whose positions have one are not compared.
fn check_keys<G: Notation>(
    game: &G,
    by_key: &mut ByKey<G::Move>,
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

/// An evaluator that has followed the game through moves and undos agrees with a fresh one: nothing is
/// left of moves taken back.
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
