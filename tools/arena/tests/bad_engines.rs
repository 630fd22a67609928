//! Engines that do wrong get the right verdict, whatever they do, and nobody waits for ever.

mod support;

use ratlla_arena::engine::fault::FaultKind;
use support::{Place, dummy};

/// A short match between a good engine and one with this behaviour. In every game the bad one is
/// blamed for the same fault; what is told about it is returned.
fn blamed(proto: &str, behaviour: &str, kind: FaultKind) -> Vec<String> {
    let place = Place::new();
    let engines = [dummy("good", "native", ""), dummy("bad", proto, behaviour)];
    let words = ["--games", "2", "--depth", "1", "--patience", "1500"];
    let played = place.play(&engines, &words);
    assert_eq!(played.games.len(), 2);
    for game in &played.games {
        let fault = game.fault.as_ref().unwrap_or_else(|| panic!("{behaviour}: {game:?}"));
        assert_eq!((fault.engine.as_str(), fault.kind), ("bad", kind), "{behaviour}: {fault:?}");
        assert_eq!(game.reason, kind.to_string());
        let bad_side = usize::from(game.p2 == "bad");
        assert_eq!(game.result.half_points()[bad_side], 0, "{behaviour}");
    }
    let row = format!("| bad    |    2 | {kind} 2");
    assert!(played.text().contains(&row), "{}", played.text());
    played.games.into_iter().filter_map(|game| Some(game.fault?.story)).collect()
}

#[test]
fn a_crash_at_the_start_is_told_with_its_last_words() {
    let stories = blamed("native", "crash-at-start", FaultKind::Crash);
    assert!(stories.iter().all(|story| story == "exit status 3: no luck today"), "{stories:?}");
}

#[test]
fn a_crash_in_mid_game_is_blamed_and_the_engine_restarted() {
    let stories = blamed("native", "crash 3", FaultKind::Crash);
    assert!(stories.iter().all(|story| story.starts_with("killed by SIGABRT")), "{stories:?}");
    blamed("line", "crash 2", FaultKind::Crash);
}

#[test]
fn an_engine_that_leaves_is_no_crash() {
    blamed("native", "exit 2", FaultKind::Disconnect);
    blamed("line", "exit 2", FaultKind::Disconnect);
}

#[test]
fn silence_from_the_start_is_a_stall() {
    blamed("native", "silent", FaultKind::Stall);
    blamed("uci", "silent", FaultKind::Stall);
    blamed("line", "silent", FaultKind::Stall);
}

#[test]
fn silence_in_mid_game_is_a_stall() {
    blamed("native", "mute 3", FaultKind::Stall);
    blamed("native", "hang 2", FaultKind::Stall);
}

#[test]
fn illegal_moves_are_told_with_the_reason_and_the_position() {
    let stories = blamed("native", "illegal 2", FaultKind::IllegalMove);
    let right = |story: &String| story.contains("'99'") && story.contains("in grid ");
    assert!(stories.iter().all(right), "{stories:?}");
    blamed("native", "none", FaultKind::IllegalMove);
    blamed("uci", "illegal 2", FaultKind::IllegalMove);
    blamed("ugi", "illegal 2", FaultKind::IllegalMove);
    blamed("line", "illegal 2", FaultKind::IllegalMove);
}

#[test]
fn a_late_move_loses_and_the_overshoot_is_told() {
    let place = Place::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "slow 2")];
    let played = place.play(&engines, &["--games", "2", "--movetime", "100"]);
    for game in &played.games {
        let fault = game.fault.as_ref().expect("a fault");
        assert_eq!((fault.engine.as_str(), fault.kind), ("bad", FaultKind::TimeForfeit));
        // It sleeps for 400 ms of which 100 are its own.
        assert!(fault.overshoot.is_some_and(|late| late >= 290), "{fault:?}");
    }
    assert!(played.text().contains("time forfeit 2 (worst: "), "{}", played.text());
}

#[test]
fn an_empty_clock_loses_too() {
    let place = Place::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "slow")];
    let played = place.play(&engines, &["--games", "2", "--time", "1000", "--inc", "1"]);
    for game in &played.games {
        let fault = game.fault.as_ref().expect("a fault");
        assert_eq!((fault.engine.as_str(), fault.kind), ("bad", FaultKind::TimeForfeit));
        // Two moves of 400 ms fit on the clock, the third does not.
        let own = game.moves.len() / 2;
        assert!((1..=2).contains(&own), "{game:?}");
    }
}

#[test]
fn a_flood_hangs_nobody() {
    blamed("native", "flood 2", FaultKind::Flood);
    blamed("native", "endless-line", FaultKind::Flood);
    blamed("uci", "flood", FaultKind::Flood);
}

#[test]
fn the_wrong_dialect_is_told_as_such() {
    let stories = blamed("uci", "babble", FaultKind::WrongDialect);
    let expected = "to 'uci' it says 'how do you do' and not 'uciok'";
    assert!(stories.iter().all(|story| story == expected), "{stories:?}");
    blamed("native", "babble", FaultKind::WrongDialect);
    blamed("native", "complain 2", FaultKind::WrongDialect);
    blamed("line", "complain", FaultKind::WrongDialect);
}

#[test]
fn an_answer_too_many_is_not_taken_for_the_next_one() {
    let place = Place::new();
    let engines = [dummy("good", "native", ""), dummy("chatty", "native", "chatty")];
    let played = place.play(&engines, &["--games", "4", "--movetime", "1000"]);
    assert!(played.games.iter().all(|game| game.fault.is_none()), "{:?}", played.games);
}

#[test]
fn two_bad_engines_are_blamed_each_for_their_own() {
    let place = Place::new();
    let engines = [dummy("crasher", "native", "crash 2"), dummy("cheat", "native", "illegal 2")];
    let played = place.play(&engines, &["--games", "2", "--depth", "1"]);
    let blamed: Vec<&str> =
        played.games.iter().filter_map(|game| Some(game.fault.as_ref()?.engine.as_str())).collect();
    // The openings have four plies, so player 1 is the first to come to a second turn.
    assert_eq!(blamed, ["crasher", "cheat"]);
}
