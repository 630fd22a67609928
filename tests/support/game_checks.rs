//! Laws that every game must obey, written once for all of them.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::Mutex;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Candidate, Evaluate, Game, Judge, Notation, Outcome};
use ratlla::search::limits::{Limits, Signals};
use ratlla::search::score::Score;
use ratlla::search::transpositions::Transpositions;
use ratlla::search::{Task, Tuning, think};
use ratlla::strategy::{Playable, Quest, Settings, Standing, by_name};

pub use super::random_play::legal_moves;

/// `start` after these moves, which must all be legal.
pub fn played<G: Notation>(start: &G, moves: &str) -> G {
    let mut game = start.clone();
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "over before {text} of {moves}");
        let mv = game.parse_move(text).unwrap();
        game.play(mv);
    }
    game
}

/// The position of a text, which must be right.
pub fn position<G: Notation>(start: &G, text: &str) -> G {
    let words: Vec<&str> = text.split(' ').collect();
    start.parse_position(&words).unwrap_or_else(|reason| panic!("{text}: {reason}"))
}

/// What is wrong with the text of a position.
pub fn refusal<G: Notation + Debug>(start: &G, text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    start.parse_position(&words).unwrap_err()
}

/// The number of sequences of exactly `depth` moves.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    let moves = legal_moves(game);
    match depth {
        0 => return 1,
        1 => return moves.len() as u64,
        _ => {}
    }
    let mut total = 0;
    for mv in moves {
        let undo = game.play(mv);
        total += perft(game, depth - 1);
        game.undo(mv, undo);
    }
    total
}

/// The game after up to `plies` random moves, not over.
pub fn random_position<G: Game>(start: &G, plies: usize, rng: &mut SmallRng) -> G {
    loop {
        let mut game = start.clone();
        for _ in 0..plies {
            let moves = legal_moves(&game);
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays random games to their ends, looks at every position with `check`, and returns how many
/// ended in each way: player 1, player 2, nobody.
pub fn random_games<G: Game>(
    start: &G,
    count: usize,
    longest: usize,
    mut check: impl FnMut(&G),
) -> [usize; 3] {
    let mut ends = [0; 3];
    for seed in 0..count {
        let mut rng = SmallRng::seed_from_u64(seed as u64);
        let mut game = start.clone();
        for ply in 0.. {
            check(&game);
            if let Some(outcome) = game.outcome() {
                ends[match outcome {
                    Outcome::Win(side) => side.index(),
                    Outcome::Draw => 2,
                }] += 1;
                break;
            }
            assert!(ply < longest, "a game of more than {longest} moves");
            let moves = legal_moves(&game);
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    ends
}

/// What holds in every position: keys, moves, undoing and texts agree.
pub fn obeys_the_laws<G: Notation + PartialEq + Debug>(game: &G) {
    assert_eq!(game.key(), game.key_from_scratch());
    let moves = legal_moves(game);
    assert_eq!(moves.is_empty(), game.outcome().is_some());
    let (mut texts, mut codes) = (HashSet::new(), HashSet::new());
    for &mv in &moves {
        let text = game.move_text(mv);
        assert_eq!(game.parse_move(&text), Ok(mv));
        assert!(texts.insert(text), "two moves of one name");
        assert!(codes.insert(G::code(mv)), "two moves of one code");
        let mut after = game.clone();
        let undo = after.play(mv);
        if let Some(key) = game.key_after(mv) {
            assert_eq!(key, after.key(), "{mv:?}");
        }
        after.undo(mv, undo);
        assert_eq!(&after, game, "undoing {mv:?}");
    }
    let text = game.position_text();
    let read = position(game, &text);
    assert_eq!(&read, game, "{text}");
    assert_eq!(read.position_text(), text);
}

/// A judge that follows a random game has the same opinion as one that has just come, and the
/// parts of its opinion make up the whole.
pub fn judges_the_same_from_scratch<G: Playable>(start: &G, games: u64) {
    for seed in 0..games {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut game = start.clone();
        let mut follower = game.judge();
        follower.attach(&game);
        while game.outcome().is_none() {
            let mut fresh = game.judge();
            fresh.attach(&game);
            assert_eq!(follower.evaluate(&game), fresh.evaluate(&game));
            let parts = fresh.breakdown(&game);
            assert_eq!(follower.breakdown(&game), parts);
            let whole: i32 = parts.iter().map(|(_, points)| points).sum();
            assert_eq!(game.side_to_move().view(whole), fresh.evaluate(&game));
            let moves = legal_moves(&game);
            for &mv in &moves {
                follower.play(&game, mv);
                follower.undo(&game, mv);
            }
            let mv = moves[rng.random_range(0..moves.len())];
            follower.play(&game, mv);
            game.play(mv);
        }
    }
}

/// An opinion without sense: a number made of the position's key. It tells all legal moves.
#[derive(Clone)]
pub struct RandomJudge;

impl<G: Game> Evaluate<G> for RandomJudge {
    fn evaluate(&self, game: &G) -> i32 {
        let mixed = game.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        mixed as i32 % 100
    }
}

impl<G: Game> Judge<G> for RandomJudge {
    fn attach(&mut self, _game: &G) {}
    fn play(&mut self, _before: &G, _mv: G::Move) {}
    fn undo(&mut self, _before: &G, _mv: G::Move) {}

    fn candidates(&self, game: &G, list: &mut Vec<Candidate<G::Move>>) {
        list.extend(legal_moves(game).into_iter().map(|mv| Candidate { mv, rank: 0, slot: 0 }));
    }

    fn slots(&self) -> usize {
        1
    }

    fn breakdown(&self, _game: &G) -> Vec<(&'static str, i32)> {
        Vec::new()
    }
}

/// The value of plain minimax, for the side to move.
pub fn minimax<G: Game>(
    game: &mut G,
    opinion: &dyn Fn(&G) -> i32,
    depth: usize,
    ply: usize,
) -> Score {
    if let Some(outcome) = game.outcome() {
        return match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == game.side_to_move() => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        };
    }
    if depth == 0 {
        return Score::judged(opinion(game));
    }
    best_of(game, &legal_moves(game), opinion, depth, ply)
}

/// The best of the values of `moves` by plain minimax, for the side to move.
pub fn best_of<G: Game>(
    game: &mut G,
    moves: &[G::Move],
    opinion: &dyn Fn(&G) -> i32,
    depth: usize,
    ply: usize,
) -> Score {
    let mover = game.side_to_move();
    let mut best = -Score::INFINITE;
    for &mv in moves {
        let undo = game.play(mv);
        let score = minimax(game, opinion, depth - 1, ply + 1);
        best = best.max(if game.side_to_move() == mover { score } else { -score });
        game.undo(mv, undo);
    }
    best
}

/// The value that the search finds at `depth`, taking no liberties.
pub fn searched<G: Game, J: Judge<G>>(
    game: &G,
    judge: &J,
    depth: u32,
    table: &Transpositions,
) -> Score {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let task = Task {
        game,
        moves: &legal_moves(game),
        limits: &limits,
        signals: &Signals::new(false, false),
        table,
        multi_pv: 1,
        threads: 1,
        tuning: Tuning::PLAIN,
    };
    let found = think(&task, judge, &mut |_| {});
    found.lines[0].value.score
}

/// Minimax, alpha-beta and alpha-beta with a table agree on this position under a random
/// evaluation.
pub fn strategies_agree<G: Playable>(game: &G, depth: u32) {
    let opinion = |game: &G| RandomJudge.evaluate(game);
    let truth = minimax(&mut game.clone(), &opinion, depth as usize, 0);
    let (tiny, roomy) = (Transpositions::new(0).unwrap(), Transpositions::new(1).unwrap());
    // Iterations stop early at a proof, which deeper minimax agrees with.
    assert_eq!(searched(game, &RandomJudge, depth, &tiny), truth);
    assert_eq!(searched(game, &RandomJudge, depth, &roomy), truth);
    assert_eq!(searched(game, &RandomJudge, depth, &roomy), truth, "again");
    let plain = |strategy: &str| plain_standing(game, strategy, depth);
    assert_eq!(plain("minimax"), plain("alphabeta"));
}

fn plain_standing<G: Playable>(game: &G, strategy: &str, depth: u32) -> Option<Standing> {
    let settings = Settings { strategy: strategy.to_owned(), ..Settings::default() };
    chosen(game, &settings, depth, &Transpositions::new(0).unwrap()).1
}

/// What the full search thinks of a position, remembering what it learnt.
pub fn full_standing<G: Playable>(
    game: &G,
    depth: u32,
    memory: &Transpositions,
) -> Option<Standing> {
    chosen(game, &Settings::default(), depth, memory).1
}

/// The move that a strategy chooses, and what it thinks of it.
pub fn chosen<G: Playable>(
    game: &G,
    settings: &Settings,
    depth: u32,
    memory: &Transpositions,
) -> (G::Move, Option<Standing>) {
    let quest = Quest {
        game,
        moves: &legal_moves(game),
        limits: &Limits { depth: Some(depth), ..Limits::default() },
        signals: &Signals::new(false, false),
        transpositions: memory,
        memory: &Mutex::default(),
        settings,
    };
    let report = by_name::<G>(settings).choose(&quest, &mut |_| {});
    let line = &report.lines[0];
    (line.moves[0], line.standing)
}

/// The judge's candidates lose nothing: plain minimax to `depth` finds the same win, loss or
/// neither with them as with all moves.
pub fn candidates_lose_nothing<G: Playable>(game: &G, depth: usize) {
    let mut judge = game.judge();
    judge.attach(game);
    let mut list = Vec::new();
    judge.candidates(game, &mut list);
    let all = legal_moves(game);
    let chosen: Vec<G::Move> = list.iter().map(|candidate| candidate.mv).collect();
    assert!(!chosen.is_empty() && chosen.iter().all(|mv| all.contains(mv)));
    assert!(list.iter().all(|candidate| usize::from(candidate.slot) < judge.slots()));
    assert_eq!(judge.forced(game), (chosen.len() == 1).then(|| chosen[0]));
    if chosen.len() < all.len() {
        let unknown = |_: &G| 0;
        let mut game = game.clone();
        let with_all = best_of(&mut game, &all, &unknown, depth, 0);
        let with_chosen = best_of(&mut game, &chosen, &unknown, depth, 0);
        assert_eq!(with_chosen, with_all);
    }
}
