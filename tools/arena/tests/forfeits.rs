//! A misbehaving engine forfeits for the right reason, and never blocks the match.

mod support;

use ratlla_arena::engine::forfeit::ForfeitKind;
use support::{MatchDir, dummy};

/// Plays a short match between a well-behaved engine and one with this behaviour, which must forfeit
/// every game for the same reason. Returns the details.
fn forfeits(proto: &str, behaviour: &str, kind: ForfeitKind) -> Vec<String> {
    let dir = MatchDir::new();
    let engines = [dummy("good", "native", ""), dummy("bad", proto, behaviour)];
    // Anything but a stall is found out sooner, unless the machine is busy.
    let patience = if kind == ForfeitKind::Stall { "1500" } else { "60000" };
    let words = ["--games", "2", "--depth", "1", "--patience", patience];
    let played = dir.play(&engines, &words);
    assert_eq!(played.games.len(), 2);
    for game in &played.games {
        let forfeit = game.forfeit.as_ref().unwrap_or_else(|| panic!("{behaviour}: {game:?}"));
        assert_eq!(
            (forfeit.engine.as_str(), forfeit.kind),
            ("bad", kind),
            "{behaviour}: {forfeit:?}"
        );
        assert_eq!(game.reason, kind.to_string());
        let bad_side = usize::from(game.p2 == "bad");
        assert_eq!(game.result.half_points()[bad_side], 0, "{behaviour}");
    }
    let row = format!("| bad    |    2 | {kind} 2");
    assert!(played.text().contains(&row), "{}", played.text());
    played.games.into_iter().filter_map(|game| Some(game.forfeit?.detail)).collect()
}

#[test]
fn a_crash_during_a_game_forfeits_and_the_engine_is_restarted() {
    let details = forfeits("native", "crash 3", ForfeitKind::Crash);
    assert!(details.iter().all(|detail| detail.starts_with("signal: 6 (SIGABRT)")), "{details:?}");
    forfeits("line", "crash 2", ForfeitKind::Crash);
}

#[test]
fn a_clean_exit_during_a_game_is_a_disconnect() {
    forfeits("native", "exit 2", ForfeitKind::Disconnect);
    forfeits("line", "exit 2", ForfeitKind::Disconnect);
}

#[test]
fn silence_during_a_game_is_a_stall() {
    forfeits("native", "mute 3", ForfeitKind::Stall);
    forfeits("native", "hang 2", ForfeitKind::Stall);
}

#[test]
fn illegal_moves_are_reported_with_reason_and_position() {
    let details = forfeits("native", "illegal 2", ForfeitKind::IllegalMove);
    let is_complete = |detail: &String| detail.contains("'99'") && detail.contains("in grid ");
    assert!(details.iter().all(is_complete), "{details:?}");
    forfeits("native", "none 2", ForfeitKind::IllegalMove);
    forfeits("uci", "illegal 2", ForfeitKind::IllegalMove);
    forfeits("ugi", "illegal 2", ForfeitKind::IllegalMove);
    forfeits("line", "illegal 2", ForfeitKind::IllegalMove);
}

#[test]
fn a_late_move_is_a_time_forfeit_with_its_overshoot() {
    let dir = MatchDir::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "slow 2")];
    let played = dir.play(&engines, &["--games", "2", "--movetime", "100"]);
    for game in &played.games {
        let forfeit = game.forfeit.as_ref().expect("a forfeit");
        assert_eq!((forfeit.engine.as_str(), forfeit.kind), ("bad", ForfeitKind::TimeForfeit));
        // It sleeps for 400 ms and may use 100.
        assert!(forfeit.overshoot.is_some_and(|late| late >= 290), "{forfeit:?}");
    }
    assert!(played.text().contains("time forfeit 2 (worst: "), "{}", played.text());
}

#[test]
fn running_out_of_clock_is_a_time_forfeit() {
    let dir = MatchDir::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "slow")];
    let played = dir.play(&engines, &["--games", "2", "--time", "1000", "--inc", "1"]);
    for game in &played.games {
        let forfeit = game.forfeit.as_ref().expect("a forfeit");
        assert_eq!((forfeit.engine.as_str(), forfeit.kind), ("bad", ForfeitKind::TimeForfeit));
        // Two moves of 400 ms fit on the clock, the third does not.
        let own = game.moves.len() / 2;
        assert!((1..=2).contains(&own), "{game:?}");
    }
}

#[test]
fn endless_output_is_a_flood() {
    forfeits("native", "flood 2", ForfeitKind::Flood);
    forfeits("native", "endless-line 2", ForfeitKind::Flood);
    forfeits("uci", "flood 2", ForfeitKind::Flood);
}

#[test]
fn an_error_message_instead_of_a_move_is_a_wrong_dialect() {
    let details = forfeits("native", "complain 2", ForfeitKind::WrongDialect);
    let expected = "expected a move, got 'error go: not today'";
    assert!(details.iter().all(|detail| detail == expected), "{details:?}");
    forfeits("line", "complain 2", ForfeitKind::WrongDialect);
}

#[test]
fn a_second_answer_is_not_taken_for_the_next_move() {
    let dir = MatchDir::new();
    let engines = [dummy("good", "native", ""), dummy("chatty", "native", "chatty")];
    let played = dir.play(&engines, &["--games", "4", "--movetime", "1000"]);
    assert!(played.games.iter().all(|game| game.forfeit.is_none()), "{:?}", played.games);
}

#[test]
fn each_of_two_bad_engines_forfeits_its_own_game() {
    let dir = MatchDir::new();
    let engines = [dummy("crasher", "native", "crash 2"), dummy("cheat", "native", "illegal 2")];
    let played = dir.play(&engines, &["--games", "2", "--depth", "1"]);
    let forfeits = played.games.iter().filter_map(|game| game.forfeit.as_ref());
    let engines: Vec<&str> = forfeits.map(|forfeit| forfeit.engine.as_str()).collect();
    // Openings have four plies, so player 1 is the first to reach its second turn.
    assert_eq!(engines, ["crasher", "cheat"]);
}
