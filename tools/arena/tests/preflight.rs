//! What would make a match worthless refuses it, and what makes a result doubtful is said.

mod support;

use support::{FORFEITS, MatchDir, arena, dummy, refused};

/// Why a match against this engine is refused.
fn refusal(proto: &str, behaviour: &str, words: &[&str]) -> String {
    let dir = MatchDir::new();
    let record = dir.file("games.jsonl");
    let record_path = record.to_str().expect("a path");
    let engines = [dummy("good", "native", ""), dummy("bad", proto, behaviour)].concat();
    let engines = engines.iter().map(String::as_str);
    let mut all: Vec<&str> = vec!["match", "--games", "2", "--depth", "1", "--patience", "1500"];
    all.extend(["--record", record_path]);
    all.extend(engines.chain(words.iter().copied()));
    let errors = refused(&all);
    assert!(!record.exists(), "a refused match leaves no record");
    assert!(errors.contains(" bad: "), "{errors}");
    errors
}

#[test]
fn an_option_that_does_not_exist_refuses_the_match_with_the_nearest_name() {
    for proto in ["native", "ugi", "uci"] {
        let errors = refusal(proto, "", &["option.Hsah=5"]);
        let expected = "unknown option 'Hsah', did you mean 'Hash'? (available: Hash, Style, ";
        assert!(errors.contains(expected), "{errors}");
        let errors = refusal(proto, "", &["option.Contempt=5"]);
        assert!(errors.contains("unknown option 'Contempt' (available: Hash, "), "{errors}");
    }
    let errors = refusal("native", "plain", &["option.Hash=5"]);
    assert!(errors.contains("the engine announces no options"), "{errors}");
    let errors = refusal("line", "", &["option.Hash=5"]);
    assert!(errors.contains("proto=line has no options (got 'Hash')"), "{errors}");
}

#[test]
fn a_value_of_the_wrong_kind_or_out_of_range_refuses_the_match() {
    for (option, reason) in [
        ("option.Hash=2048", "Hash must be 1..1024 (got '2048')"),
        ("option.hash=big", "Hash must be 1..1024 (got 'big')"),
        ("option.Hash={seed}", "Hash must be 1..1024 (got '2147483647')"),
        ("option.Ponder=maybe", "Ponder must be true or false (got 'maybe')"),
        ("option.Style=wild", "Style must be one of: solid, risky (got 'wild')"),
        ("option.Clear Hash=now", "Clear Hash is a button and takes no value (got 'now')"),
    ] {
        let errors = refusal("uci", "", &[option]);
        assert!(errors.contains(reason), "{errors}");
    }
}

#[test]
fn right_options_are_accepted_in_any_case() {
    let dir = MatchDir::new();
    let words = "--each option.hash=8 option.Style=RISKY option.Seed={seed} option.Book=x";
    let words = words.replace("option.Book=x", "depth=1");
    let mut all: Vec<&str> = words.split(' ').collect();
    all.extend(["option.Clear Hash=", "option.Book File=a b", "--games", "2"]);
    let played = dir.play(&[dummy("a", "uci", ""), dummy("b", "native", "")], &all);
    assert_eq!(played.settings.engines[0].options["Book File"], "a b");
    assert_eq!(played.settings.engines[1].limits.depth, Some(1));
}

#[test]
fn an_option_is_the_same_in_any_case() {
    let own = [dummy("a", "uci", ""), vec!["option.Hash=8".to_owned()]].concat();
    let engines = [own, dummy("b", "uci", "")];
    let words = ["--each", "option.hash=2", "depth=1", "--games", "2"];
    let played = MatchDir::new().play(&engines, &words);
    let options = |engine: usize| {
        let options = &played.settings.engines[engine].options;
        options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    assert_eq!((options(0), options(1)), (vec!["Hash=8".into()], vec!["hash=2".into()]));
    let errors = refusal("uci", "", &["option.Hash=8", "option.hash=2"]);
    assert!(errors.contains("option 'hash' is given twice"), "{errors}");
}

#[test]
fn an_engine_that_does_not_start_refuses_the_match() {
    let crash = "crash: exit status: 3; stderr: no luck today";
    assert!(refusal("native", "crash-at-start", &[]).contains(crash));
    assert!(refusal("line", "crash-at-start", &[]).contains(crash));
    for proto in ["native", "uci", "line"] {
        assert!(refusal(proto, "silent", &[]).contains("stall: no "), "{proto}");
    }
    let babble = "wrong dialect: expected 'uciok' in answer to 'uci', got 'how do you do'";
    assert!(refusal("uci", "babble", &[]).contains(babble));
    assert!(refusal("native", "babble", &[]).contains("wrong dialect: expected 'readyok'"));
    for proto in ["native", "line"] {
        assert!(refusal(proto, "complain", &[]).contains("wrong dialect: expected a move"));
    }
    // `--recover` is about what happens later.
    assert!(refusal("native", "silent", &["--recover"]).contains("stall"));
}

/// Engines of all dialects answer `isready`: only a move shows which one they speak.
#[test]
fn an_engine_that_answers_without_a_legal_move_refuses_the_match() {
    for proto in ["native", "ugi", "uci", "line"] {
        let errors = refusal(proto, "illegal", &[]);
        assert!(errors.contains("illegal move: '99'"), "{errors}");
        assert!(errors.contains(&format!("proto is {proto}")), "{errors}");
    }
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let [good, bad] = ["native", "uci"].map(|dialect| format!("cmd={program} {dialect}"));
    let words = ["match", "--depth", "1", "--engine", &good, "--engine", &bad, "name=bad"];
    let errors = refused(&words);
    assert!(errors.contains("engine bad: illegal move: 'P@"), "{errors}");
}

#[test]
fn an_engine_that_fails_between_games_ends_the_match_unless_it_recovers() {
    let dir = MatchDir::new();
    let record = dir.file("games.jsonl");
    // Two new games before the match, then one per game.
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "crash-at-newgame 3")];
    let mut command = arena(&["match", "--games", "6", "--depth", "1", "--record"]);
    let output = command.arg(&record).args(engines.iter().flatten()).output().expect("an arena");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = "engine bad failed before game 2: crash: exit status: 4 (--recover ";
    assert!(errors.contains(expected), "{errors}");
    // What was played counts, and the match can go on.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("2 games of 6"), "{text}");
    let mut command = arena(&["match", "--recover", "--resume"]);
    let output = command.arg(&record).output().expect("an arena");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    // The new process fails before its third game, too, which is now a lost one.
    assert_eq!(output.status.code(), Some(FORFEITS), "{errors}");
    assert!(errors.contains("1 of 6 games ended by a forfeit"), "{errors}");

    let dir = MatchDir::new();
    let played = dir.play(&engines, &["--games", "6", "--depth", "1", "--recover"]);
    let forfeits = played.games.iter().filter(|game| game.forfeit.is_some()).count();
    // It is started anew after each crash, in games 2 and 5.
    assert_eq!((played.games.len(), forfeits), (6, 2));
    assert_eq!(played.output.status.code(), Some(FORFEITS));
    assert!(played.errors().contains("2 of 6 games ended by a forfeit"), "{}", played.errors());
}

#[test]
fn concurrency_is_limited_to_the_processors_unless_forced() {
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let words = ["--games", "2", "--depth", "1", "--concurrency", "9999"];
    let played = MatchDir::new().play(&engines, &words);
    assert!(played.errors().contains("instead of 9999 concurrent games"), "{}", played.errors());
    let words = ["--games", "2", "--depth", "1", "--concurrency", "99", "--force-concurrency"];
    let played = MatchDir::new().play(&engines, &words);
    assert!(played.errors().contains("engines will slow each other down"), "{}", played.errors());
}

#[test]
fn engines_can_be_bound_to_processors() {
    let cpu = ratlla_arena::affinity::available().expect("processors")[0].to_string();
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let words = ["--games", "2", "--depth", "1", "--affinity"];
    MatchDir::new().play(&engines, &words);
    let words = ["--games", "2", "--depth", "1", "--affinity", &cpu];
    MatchDir::new().play(&engines, &words);
    let mut words = vec!["match", "--concurrency", "2", "--force-concurrency", "--depth", "1"];
    words.extend(["--affinity", &cpu]);
    words.extend(engines.iter().flatten().map(String::as_str));
    let errors = refused(&words);
    assert!(errors.contains("2 concurrent games need 2 processors (got 1)"), "{errors}");
}

#[test]
fn the_commands_of_a_record_are_shown_before_they_are_started() {
    let dir = MatchDir::new();
    dir.play(
        &[dummy("a", "native", ""), dummy("b", "native", "")],
        &["--games", "4", "--depth", "1"],
    );
    let record = dir.file("games.jsonl");
    let text = std::fs::read_to_string(&record).expect("a record");
    let some: String = text.split_inclusive('\n').take(3).collect();
    std::fs::write(&record, some).expect("a file");
    let output = arena(&["match", "--resume"]).arg(&record).output().expect("an arena");
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = format!("engine a: {} native", env!("CARGO_BIN_EXE_ratlla-arena-dummy"));
    assert!(output.status.success() && errors.contains(&expected), "{errors}");
    // A complete match starts nothing.
    let output = arena(&["match", "--resume"]).arg(&record).output().expect("an arena");
    assert!(output.status.success() && output.stderr.is_empty());
}
