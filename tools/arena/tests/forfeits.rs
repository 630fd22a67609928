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

/// The limit is for one answer: an engine that says much before each of them is no flood.
#[test]
fn much_output_with_answers_is_no_flood() {
    let engines = [dummy("good", "native", ""), dummy("wordy", "native", "wordy")];
    let played = MatchDir::new().play(&engines, &["--games", "2", "--depth", "1"]);
    let answers: usize = played.games.iter().map(|game| game.moves.len() / 2).sum();
    // Far more than 8 MiB in all: each answer has 40,000 lines.
    assert!(answers > 8, "{answers} answers");
    assert!(played.games.iter().all(|game| game.forfeit.is_none()), "{:?}", played.games);
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

/// A match of an engine that naps for a millisecond over every move, and may use one: it is always late,
/// on any machine. Whether each game was forfeited, and the times of its moves.
fn late(proto: &str, limit: &str, restart: &str, words: &[&str]) -> Vec<(bool, Vec<u64>)> {
    let mut engine = dummy("late", proto, "nap");
    engine.extend([limit, restart].map(str::to_owned));
    let engines = [engine, dummy("other", "native", "")];
    let words = [&["--games", "2", "--depth", "1", "--concurrency", "1"], words].concat();
    let played = MatchDir::new().play(&engines, &words);
    let games = played.games.iter().map(|game| {
        let own = usize::from(game.p2 == "late");
        if let Some(forfeit) = &game.forfeit {
            let found = (forfeit.engine.as_str(), forfeit.kind);
            assert_eq!(found, ("late", ForfeitKind::TimeForfeit), "{forfeit:?}");
        }
        (game.forfeit.is_some(), game.times.iter().skip(own).step_by(2).copied().collect())
    });
    games.collect()
}

#[test]
fn within_the_margin_a_late_move_costs_nothing() {
    for limit in ["movetime=1", "time=1"] {
        // Four plies of opening and two moves by each.
        let words = ["--maxmoves", "4", "--margin"];
        let games = late("native", limit, "restart=off", &[&words[..], &["60000"]].concat());
        for (is_forfeit, times) in games {
            assert!(!is_forfeit && times.len() == 2, "{limit}: {times:?}");
            assert!(times.iter().all(|&time| time >= 1), "{limit}: {times:?}");
        }
        for (is_forfeit, times) in
            late("native", limit, "restart=off", &[&words[..], &["0"]].concat())
        {
            assert!(is_forfeit && times.is_empty(), "{limit}: {times:?}");
        }
    }
}

/// Nothing else shows when an engine without `isready` has started.
#[test]
fn start_up_is_no_thinking_time_but_only_once_and_only_where_it_cannot_be_told() {
    // Four plies of opening and one move by each.
    let words = ["--maxmoves", "3", "--margin", "0"];
    let forfeited = |proto: &str, restart: &str| -> Vec<bool> {
        late(proto, "movetime=1", restart, &words).into_iter().map(|(forfeit, _)| forfeit).collect()
    };
    assert_eq!(forfeited("line", "restart=on"), [false, false]);
    assert_eq!(forfeited("line", "restart=off"), [false, true]);
    assert_eq!(forfeited("native", "restart=on"), [true, true]);
    // What is not counted is not recorded either.
    let times =
        late("line", "movetime=1", "restart=on", &words).into_iter().flat_map(|(_, times)| times);
    assert_eq!(times.collect::<Vec<_>>(), [1, 1]);
}

/// After a forfeit an engine may be in any state: its next game begins with a new process, and the other
/// engine keeps its own.
#[test]
fn the_game_after_a_forfeited_one_is_played_by_a_new_process() {
    let dir = MatchDir::new();
    let log = dir.file("engines.log");
    // It plays one move of a process and then none that is legal.
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "illegal 2")];
    let log_path = log.to_str().expect("a path");
    let words = ["--games", "6", "--depth", "1", "--concurrency", "1", "--log", log_path];
    let played = dir.play(&engines, &words);
    for game in &played.games {
        let own = usize::from(game.p2 == "bad");
        assert_eq!(game.moves.iter().skip(own).step_by(2).count(), 1, "{game:?}");
        assert!(game.forfeit.as_ref().is_some_and(|forfeit| forfeit.engine == "bad"));
    }
    let log = std::fs::read_to_string(log).expect("a log");
    // Each asks a new process whether it is ready before it belongs to a game: once before the match.
    let starts = |name: &str| {
        log.lines().filter(|line| line.ends_with(&format!("start {name} > isready"))).count()
    };
    assert_eq!((starts("good"), starts("bad")), (5, 10), "{log}");
}

/// Also if it cannot even be prepared for a game.
#[test]
fn an_engine_that_refuses_a_game_is_started_again_for_the_next() {
    // Two new games before the match, so each process of the match plays two.
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "refuse-newgame 3")];
    let words = ["--games", "6", "--depth", "1", "--concurrency", "1", "--recover"];
    let played = MatchDir::new().play(&engines, &words);
    let lost: Vec<bool> = played.games.iter().map(|game| game.forfeit.is_some()).collect();
    assert_eq!(lost, [false, false, true, false, false, true]);
}
