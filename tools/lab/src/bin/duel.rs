//! Two strategies play a match from balanced random openings, each opening once with either
//! side first.
//!
//! ```text
//! cargo run --release -p ratlla-lab --bin duel -- GAME PLAYER PLAYER GAMES [PLIES]
//! ```
//!
//! GAME is `boom`, `wali` or `kalah`; PLIES is the length of the openings. GAMES is a number, or a
//! part of a longer match such as `20..40`. A PLAYER is a strategy with its numbers: `full:100`
//! (milliseconds), `alphabeta:pairs:8` (evaluation and depth), `alphabeta:stones:5:100` (and
//! milliseconds), `random`, `hard` and so on.

use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Outcome, Side};
use ratlla::games::kalah::board::Board as Kalah;
use ratlla::games::{boom, kalah, wali};
use ratlla::search::limits::{Limits, Signals};
use ratlla::search::transpositions::Transpositions;
use ratlla::strategy::{Playable, Quest, Report, Settings, Standing, by_name};

/// One participant.
struct Player {
    settings: Settings,
    limits: Limits,
    memory: Transpositions,
}

impl Player {
    fn new(words: &str) -> Result<Player, String> {
        let mut words = words.split(':');
        let strategy = words.next().unwrap_or_default().to_owned();
        let mut settings = Settings { strategy, ..Settings::default() };
        let mut limits = Limits::default();
        let number = |word: Option<&str>| -> Result<Option<u32>, String> {
            let parsed = word.map(|word| word.parse().map_err(|_| format!("{word}: no number")));
            parsed.transpose()
        };
        if settings.strategy != "full" {
            settings.evaluation = words.next().unwrap_or_default().to_owned();
            settings.depth = number(words.next())?.unwrap_or(settings.depth);
        }
        limits.movetime = number(words.next())?.map(|ms| Duration::from_millis(ms.into()));
        Ok(Player { settings, limits, memory: Transpositions::new(16)? })
    }

    fn think<G: Playable>(
        &self,
        game: &G,
        limits: &Limits,
        memory: &Mutex<G::Memory>,
    ) -> Report<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let quest = Quest {
            game,
            moves: &moves,
            limits,
            signals: &Signals::new(false, false),
            transpositions: &self.memory,
            memory,
            settings: &self.settings,
        };
        by_name::<G>(&self.settings).choose(&quest, &mut |_| {})
    }
}

/// A match to be played.
struct Match<G> {
    start: G,
    /// The length of the openings.
    plies: usize,
    /// The greatest advantage, in points, that an opening may give.
    tolerance: i32,
}

/// A position after some random moves in which a short search sees no winner and no great
/// advantage.
fn balanced_opening<G: Playable>(to_play: &Match<G>, rng: &mut SmallRng) -> G {
    loop {
        let mut game = to_play.start.clone();
        for _ in 0..to_play.plies {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        if game.outcome().is_some() {
            continue;
        }
        let Ok(umpire) = Player::new("full") else {
            continue;
        };
        let limits = Limits { nodes: Some(300_000), ..Limits::default() };
        let points = match umpire.think(&game, &limits, &Mutex::default()).lines[0].standing {
            Some(Standing::Points(points)) => points,
            Some(Standing::Margin(margin)) => 100 * margin,
            _ => continue,
        };
        if points.abs() <= to_play.tolerance {
            return game;
        }
    }
}

fn play<G: Playable>(opening: &G, players: [&Player; 2]) -> Outcome {
    let mut game = opening.clone();
    let memories: [Mutex<G::Memory>; 2] = Default::default();
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome;
        }
        let side = game.side_to_move().index();
        let player = players[side];
        let report = player.think(&game, &player.limits, &memories[side]);
        game.play(report.lines[0].moves[0]);
    }
}

fn run<G: Playable>(to_play: &Match<G>, words: [&str; 2], games: Range<u64>) -> Result<(), String> {
    let mut tally = [[0; 3]; 2];
    for round in games.clone() {
        let mut rng = SmallRng::seed_from_u64(round / 2);
        let opening = balanced_opening(to_play, &mut rng);
        let (a, b) = (Player::new(words[0])?, Player::new(words[1])?);
        let seat = round as usize % 2;
        let players = if seat == 0 { [&a, &b] } else { [&b, &a] };
        let first = [Side::P1, Side::P2][seat];
        let result = match play(&opening, players) {
            Outcome::Win(side) if side == first => 0,
            Outcome::Draw => 1,
            Outcome::Win(_) => 2,
        };
        tally[seat][result] += 1;
    }
    for (side, [won, drawn, lost]) in [Side::P1, Side::P2].into_iter().zip(tally) {
        println!("{} as {side}: won {won}, drawn {drawn}, lost {lost}", words[0]);
    }
    let points: u64 = tally.iter().map(|[won, drawn, _]| 2 * won + drawn).sum();
    let percent = points as f64 / games.count() as f64 * 50.0;
    println!("{} scores {percent:.1} % against {}", words[0], words[1]);
    Ok(())
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| -> Result<u64, String> {
        word.parse().map_err(|_| format!("{word}: no number"))
    };
    let range = |word: &str| -> Result<Range<u64>, String> {
        let (first, end) = word.split_once("..").unwrap_or(("0", word));
        Ok(number(first)?..number(end)?)
    };
    let (game, players, games, plies) = match words[..] {
        [game, a, b, games] => (game, [a, b], range(games)?, None),
        [game, a, b, games, plies] => (game, [a, b], range(games)?, Some(number(plies)? as usize)),
        _ => return Err("usage: duel GAME PLAYER PLAYER GAMES [PLIES]".to_owned()),
    };
    match game {
        "boom" => {
            let start = boom::start(&[])?;
            run(&Match { start, plies: plies.unwrap_or(6), tolerance: 60 }, players, games)
        }
        "wali" => {
            let start = wali::start(&[])?;
            run(&Match { start, plies: plies.unwrap_or(8), tolerance: 60 }, players, games)
        }
        "kalah" => {
            let start = Kalah::<u64>::new(kalah::rules(&[])?);
            run(&Match { start, plies: plies.unwrap_or(6), tolerance: 200 }, players, games)
        }
        _ => Err(format!("{game}: no game to play here")),
    }
}
