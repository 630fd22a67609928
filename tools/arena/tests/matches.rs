//! Matches and tournaments end to end: every dialect, every game, flags and files.

mod support;

use ratlla_arena::record::GameResult;
use ratlla_arena::rules;
use support::{MatchDir, Played, arena, dummy, refused};

/// All games in the record follow the rules, and the games of a pair share their opening.
fn assert_valid(played: &Played) {
    for game in &played.games {
        let mut game_state = rules::open(&played.settings.game).expect("a game");
        let position = rules::parse_position(&game.setup);
        rules::set_up(&mut *game_state, &position).expect("a position");
        for mv in game.opening.iter().chain(&game.moves) {
            game_state.play(mv).expect("a legal move");
        }
        assert_eq!(game.forfeit, None);
        let outcome = game_state.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
        let expected = match game.result {
            GameResult::P1Win => "p1win",
            GameResult::P2Win => "p2win",
            GameResult::Draw => "draw",
        };
        assert_eq!(outcome, expected);
        assert_eq!(game.times.len(), game.moves.len());
        assert_eq!(game.scores.len(), game.moves.len());
        assert_eq!(game.depths.len(), game.moves.len());
    }
    for pair in played.games.chunks(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!((&pair[0].p1, &pair[0].p2), (&pair[1].p2, &pair[1].p1));
    }
}

#[test]
fn every_dialect_plays_whole_games() {
    let dir = MatchDir::new();
    let engines = ["native", "ugi", "uci", "line"].map(|proto| dummy(proto, proto, ""));
    let played = dir.play(&engines, &["--games", "6", "--depth", "1", "--concurrency", "2"]);
    assert_eq!(played.games.len(), 36);
    assert_valid(&played);
    // All play the same moves, so the better side wins.
    let text = played.text();
    assert!(text.contains("| rank | engine |") && text.contains("|    4 | "), "{text}");
}

#[test]
fn every_game_can_be_played() {
    for game in ["4 4", "25 25", "boom", "wali", "kalah", "kalah 4 3 empty"] {
        let dir = MatchDir::new();
        let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
        let words = ["--games", "2", "--game", game, "--depth", "1", "--plies", "6"];
        assert_valid(&dir.play(&engines, &words));
    }
}

#[test]
fn openings_can_come_from_a_file() {
    let dir = MatchDir::new();
    let openings = dir.write(
        "openings.txt",
        "# two positions\nmoves 4 4 3\n\nposition grid ......./......./......./......./..X..../..XO... p2 moves 5\n",
    );
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let words = ["--games", "4", "--depth", "1", "--openings", openings.to_str().expect("a path")];
    let played = dir.play(&engines, &words);
    assert_valid(&played);
    assert_eq!(played.games[0].opening.join(" "), "4 4 3");
    assert_eq!(played.games[3].opening.join(" "), "5");
    assert!(played.games[3].setup.starts_with("grid "));
}

#[test]
fn a_config_file_and_flags_are_merged() {
    let dir = MatchDir::new();
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let config = dir.write(
        "match.toml",
        &format!(
            "game = \"6 7\"\ngames = 4\nformat = \"gauntlet\"\nseed = 5\nnodes = 10\n\
             [[engine]]\nname = \"one\"\ncmd = \"{program} native\"\n\
             option = {{ Hash = 3, Ponder = false }}\n\
             [[engine]]\nname = \"two\"\ncmd = \"{program}\"\nargs = \"line\"\nproto = \"line\"\n"
        ),
    );
    let config = config.to_str().expect("a path");
    let played = dir.play(&[dummy("three", "uci", "")], &["--config", config, "--seed", "6"]);
    assert_valid(&played);
    let settings = &played.settings;
    assert_eq!((settings.seed, settings.games, settings.engines.len()), (6, 4, 3));
    assert_eq!(settings.engines[0].options["Hash"], "3");
    assert_eq!(settings.engines[0].options["Ponder"], "false");
    assert_eq!(settings.engines[1].limits.nodes, Some(10));
    // In a gauntlet only the first engine plays the others.
    assert_eq!(played.games.len(), 8);
    assert!(played.games.iter().all(|game| game.p1 == "one" || game.p2 == "one"));
}

#[test]
fn the_sprt_stops_the_match() {
    let dir = MatchDir::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "illegal 2")];
    let words = ["--games", "5000", "--depth", "1", "--sprt", "elo0=0", "elo1=10", "alpha=0.1"];
    let played = dir.play(&engines, &words);
    assert!(played.games.len() < 1000, "{} games", played.games.len());
    assert!(played.text().contains("elo1 accepted"), "{}", played.text());
    let report = arena(&["report"]).arg(dir.file("games.jsonl")).output().expect("a report");
    assert_eq!(String::from_utf8_lossy(&report.stdout), played.text());
}

#[test]
fn a_report_prints_the_same_tables_and_plots_them() {
    let dir = MatchDir::new();
    let engines = [dummy("a & b", "native", ""), dummy("c", "line", ""), dummy("d", "uci", "")];
    let played = dir.play(&engines, &["--games", "4", "--depth", "1"]);
    let plot = dir.file("out.svg");
    let mut command = arena(&["report", "--svg"]);
    let report = command.arg(&plot).arg(dir.file("games.jsonl")).output().expect("a report");
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    assert_eq!(String::from_utf8_lossy(&report.stdout), played.text());
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"));
    assert!(plot.contains("a &amp; b") && plot.contains("95 %"));
}

#[test]
fn invalid_input_is_refused_with_the_reason() {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let (cmd, named) = (format!("cmd={program} native"), "name=two");
    let two: Vec<&str> = vec!["match", "--engine", &cmd, "--engine", &cmd, named];
    let with = |more: &[&str]| refused(&[&two[..], more].concat());
    assert!(
        with(&["--games", "3", "--depth", "1"])
            .contains("games must be an even number in 2..1000000000 (got 3)")
    );
    assert!(with(&["--games", "2"]).contains("no search limit"));
    for game in ["chess", "3 7"] {
        let Err(reason) = rules::open(game) else { panic!("{game} was opened") };
        assert!(with(&["--game", game, "--depth", "1"]).contains(&format!("game: {reason}")));
    }
    assert!(with(&["--depth", "1", "--concurrency", "0"]).contains("zero"));
    assert!(with(&["--depth", "1", "--sprt", "elo0=5", "elo1=0"]).contains("elo0 must be less"));
    assert!(
        with(&["--depth", "1", "--sprt", "elo=5"])
            .contains("unknown key 'elo', did you mean 'elo0'?")
    );
    let sprt = |words: &[&str]| with(&[&["--depth", "1", "--sprt"], words].concat());
    for (words, expected) in [
        (["elo0=x", "elo1=5"], "elo0: expected a number, got 'x'"),
        (["elo0=0", "elo1=true"], "elo1: expected a number, got 'true'"),
        (["elo0=0", "model=logistik"], "unknown value 'logistik', did you mean 'logistic'?"),
    ] {
        assert!(sprt(&words).contains(expected), "{}", sprt(&words));
    }
    assert!(with(&["--depth", "1", "--openings", "/nowhere"]).contains("cannot read the openings"));
    assert!(with(&["--tc", "40/x"]).contains("expected a time control"));
    assert!(with(&["--tc", "1+1", "--time", "5"]).contains("cannot be used with"));
    assert!(with(&["--depth", "1", "--each", "name=x"]).contains("name is for a single engine"));
    assert!(with(&["--depth", "1", "--seeds", "2"]).contains("requires the format gauntlet"));
    assert!(with(&["--depth", "1", "--resign", "movecount=3"]).contains("missing key 'score'"));
    assert!(with(&["--depth", "1", "--draw", "score=-5"]).contains("--draw"));
    assert!(with(&["--depth", "1", "--exact", "table=/nowhere"]).contains("no endgame tables"));
    assert!(with(&["--movetime", "99999999999999999"]).contains("movetime must be at most"));
    assert!(with(&["--depth", "0"]).contains("depth must be 1.."));
    assert!(with(&["--depth", "1", "--affinity", "9999"]).contains("expected processors"));
    let third = |words: &[&str]| with(&[&["--depth", "1", "--engine"], words].concat());
    assert!(third(&["cmd=/no/such/program"]).contains("program '/no/such/program' not found"));
    assert!(third(&[&cmd, named]).contains("duplicate engine name 'two'"));
    let unknown = third(&[&cmd, "name=x", "speed=9"]);
    assert!(unknown.contains("unknown key 'speed' (available: preset, name, cmd, "), "{unknown}");
    for (typo, meant) in [("ndoes", "nodes"), ("optoin.Hash", "option.Hash")] {
        let unknown = third(&[&cmd, "name=x", &format!("{typo}=9")]);
        let expected = format!("unknown key '{typo}', did you mean '{meant}'?");
        assert!(unknown.contains(&expected), "{unknown}");
    }
    let unknown = third(&[&cmd, "name=x", "proto=xboard"]);
    assert!(unknown.contains("proto: unknown value 'xboard' (available: native, "), "{unknown}");
    let wrong = third(&[&cmd, "name=x", "nodes=-5"]);
    assert!(wrong.contains("nodes: expected a whole number, 0 or more, got '-5'"), "{wrong}");
    assert!(third(&["name=x"]).contains("missing cmd=PROGRAM"));
    assert!(third(&["preset=ninja9"]).contains("(available: ninja1, ninja2, ninja3)"));
    let boom = with(&["--game", "boom", "--depth", "1", "--engine", &cmd, "name=x", "proto=uci"]);
    assert!(boom.contains("proto=uci supports only connect4 6 7 4"), "{boom}");
    assert!(
        refused(&["match", "--engine", &cmd, "depth=1"])
            .contains("a match needs 2..256 engines (got 1)")
    );
    assert!(refused(&["report", "/nowhere"]).contains("cannot read /nowhere"));
}

#[test]
fn a_record_is_not_overwritten() {
    let dir = MatchDir::new();
    let record = dir.write("games.jsonl", "precious");
    let mut command = arena(&["match", "--depth", "1", "--games", "2", "--record"]);
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")].concat();
    let output = command.arg(&record).args(engines).output().expect("the arena starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume"));
    assert_eq!(std::fs::read_to_string(record).expect("a file"), "precious");
}

/// A record, a configuration or a flag may hold anything: none of it reaches the terminal as it is.
#[test]
fn messages_have_no_control_characters() {
    const RAW: &str = "x\u{1b}[31my";
    const ESCAPED: &str = "x\\u001b[31my";
    let dir = MatchDir::new();
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    dir.play(&engines, &["--games", "2", "--depth", "1"]);
    let text = std::fs::read_to_string(dir.file("games.jsonl")).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let named = |line: &str, key: &str, name: &str| {
        let (old, new) = (format!("\"{key}\":\"{name}\""), format!("\"{key}\":\"{ESCAPED}\""));
        assert!(line.contains(&old), "{line}");
        line.replacen(&old, &new, 1)
    };
    let records = [
        named(lines[0], "name", "a"),
        // Two engines of one name.
        named(&named(lines[0], "name", "a"), "name", "b"),
        format!("{}\n{}", lines[0], named(lines[1], "p1", "a")),
        lines[0].replacen("connect4", ESCAPED, 1),
        format!("{}\n{{\"type\":\"{ESCAPED}\"}}", lines[0]),
    ];
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let mut runs = Vec::new();
    for (number, content) in records.iter().enumerate() {
        let path = dir.write(&format!("{number}.jsonl"), &format!("{content}\n"));
        let path = path.to_str().expect("a path");
        runs.extend([words(&["report", path]), words(&["match", "--resume", path])]);
    }
    let config = format!("[[engine]]\nname = \"{ESCAPED}\"\ncmd = \"true\"\n");
    let config = dir.write("match.toml", &config);
    let config = config.to_str().expect("a path");
    runs.push(words(&["match", "--depth", "1", "--config", config]));
    let engine = ["match", "--depth", "1", "--engine"];
    runs.push(words(&[&engine[..], &[&format!("cmd={RAW}")]].concat()));
    runs.push(words(&[&engine[..], &["cmd=true", &format!("name={RAW}")]].concat()));
    runs.push(words(&["openings", "--game", RAW]));
    for words in &runs {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let errors = refused(&words);
        assert!(!errors.contains('\u{1b}'), "{words:?}: {errors:?}");
        // The rules of the game escape in their own way.
        assert!(errors.contains("[31my"), "{words:?}: {errors}");
    }
}
