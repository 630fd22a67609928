//! Games and moves by real clocks, with the real program.
//!
//! On a busy machine any answer may come late, so upper limits are checked in two ways: over whole games by the
//! processor time that the engine has used, which other programs do not add to, and for single searches by the
//! clock, of which one good attempt of several is asked for: a defect fails them all.

mod support;

use std::time::{Duration, Instant};

use support::engine::{Engine, number_after};

const INCREMENT: Duration = Duration::from_millis(10);

/// Plays a game of the engine against itself by the clock. Returns whether neither clock ran out.
fn play_in_time(engine: &mut Engine, game: &str) -> bool {
    engine.command(&format!("newgame {game}"));
    let mut clocks = [Duration::from_secs(1); 2];
    while !engine.moves().is_empty() {
        let second = engine.query("d").contains(&"side p2".to_owned());
        let [p1, p2] = clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        let (started, before) = (Instant::now(), engine.cpu_time());
        engine.send(&format!("go p1time {p1} p2time {p2} p1inc {increment} p2inc {increment}"));
        let (best, _) = engine.wait_for_best_move();
        let elapsed = started.elapsed();
        let worked = engine.cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before));
        let clock = &mut clocks[usize::from(second)];
        match clock.checked_sub(worked.unwrap_or(elapsed).min(elapsed)) {
            Some(left) => *clock = left + INCREMENT,
            None => return false,
        }
        engine.command(&format!("play {best}"));
    }
    true
}

#[test]
fn no_game_is_lost_on_time() {
    let mut engine = Engine::start();
    for game in ["8 8", "wali", "boom", "kalah 6 4"] {
        assert!(play_in_time(&mut engine, game), "{game}");
    }
    engine.quit();
}

#[test]
fn a_short_move_time_is_used_and_kept() {
    let mut engine = Engine::start();
    engine.command("newgame 25 25");
    for (movetime, least) in [(10, 7), (20, 16), (50, 40)] {
        let [movetime, least] = [movetime, least].map(Duration::from_millis);
        let mut is_kept = || {
            let started = Instant::now();
            engine.send(&format!("go movetime {}", movetime.as_millis()));
            engine.wait_for_best_move();
            let used = started.elapsed();
            assert!(used >= least, "{used:?} of {movetime:?}");
            used <= movetime
        };
        assert!((0..200).any(|_| is_kept()), "{movetime:?}");
    }
    engine.quit();
}

/// The time that a search by this clock takes, in milliseconds, by its own account.
fn time_of(engine: &mut Engine, limits: &str) -> u64 {
    engine.command("setoption name Clear Hash");
    let (_, infos) = engine.go(limits);
    infos.last().and_then(|line| number_after("time", line)).expect("a time")
}

#[test]
fn a_search_by_the_clock_ends_between_iterations_and_before_its_hard_limit() {
    let mut engine = Engine::start();
    for (game, limits, least, most) in [
        // A share is 250 ms: no search is worth less than a third of it, or more than three.
        ("10 12", "p1time 4000 p2time 4000", 80, 750),
        ("wali", "p1time 4000 p2time 4000", 80, 750),
        // The share is 2268 ms, but a third of the clock is 97.
        ("10 12", "p1time 300 p2time 300 p1inc 3000 p2inc 3000", 70, 130),
    ] {
        engine.command(&format!("newgame {game}"));
        // A stall makes the next iteration look too long, so on a busy machine a search may also end early.
        let mut times = Vec::new();
        let mut is_good = || {
            times.push(time_of(&mut engine, limits));
            (least..=most).contains(&times[times.len() - 1])
        };
        assert!((0..25).any(|_| is_good()), "{game}: {limits}: {times:?}");
    }
    engine.quit();
}
