//! Matches and tournaments from end to end: every dialect, every game, every way to describe them.

mod support;

use ratlla_arena::record::GameResult;
use ratlla_arena::umpire;
use support::{Place, Played, arena, dummy, refused};

/// Every game in the record follows the rules, and every pair of games has one opening.
fn assert_sound(played: &Played) {
    for game in &played.games {
        let mut table = umpire::open(&played.settings.game).expect("a game");
        let position = umpire::parse_position(&game.setup);
        umpire::set_up(&mut *table, &position).expect("a position");
        for mv in game.opening.iter().chain(&game.moves) {
            table.play(mv).expect("a legal move");
        }
        assert_eq!(game.fault, None);
        let outcome = ratlla::any_game::outcome_text(table.outcome());
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
    let place = Place::new();
    let engines = ["native", "ugi", "uci", "line"].map(|proto| dummy(proto, proto, ""));
    let played = place.play(&engines, &["--games", "6", "--depth", "1", "--concurrency", "2"]);
    assert_eq!(played.games.len(), 36);
    assert_sound(&played);
    // They all play the same moves, so whoever has the better side wins.
    let text = played.text();
    assert!(text.contains("| rank | engine |") && text.contains("|    4 | "), "{text}");
}

#[test]
fn every_game_can_be_played() {
    for game in ["4 4", "25 25", "boom", "wali", "kalah", "kalah 4 3 empty"] {
        let place = Place::new();
        let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
        let words = ["--games", "2", "--game", game, "--depth", "1", "--plies", "6"];
        assert_sound(&place.play(&engines, &words));
    }
}

#[test]
fn openings_may_come_from_a_file() {
    let place = Place::new();
    let openings = place.write(
        "openings.txt",
        "# two positions\nmoves 4 4 3\n\nposition grid ......./......./......./......./..X..../..XO... p2 moves 5\n",
    );
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let words = ["--games", "4", "--depth", "1", "--openings", openings.to_str().expect("a path")];
    let played = place.play(&engines, &words);
    assert_sound(&played);
    assert_eq!(played.games[0].opening.join(" "), "4 4 3");
    assert_eq!(played.games[3].opening.join(" "), "5");
    assert!(played.games[3].setup.starts_with("grid "));
}

#[test]
fn a_file_says_the_same_as_flags() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let config = place.write(
        "match.toml",
        &format!(
            "game = \"6 7\"\ngames = 4\nformat = \"gauntlet\"\nseed = 5\nnodes = 10\n\
             [[engine]]\nname = \"one\"\ncmd = \"{program} native\"\n\
             option = {{ Level = 3, OwnBook = false }}\n\
             [[engine]]\nname = \"two\"\ncmd = \"{program}\"\nargs = \"line\"\nproto = \"line\"\n"
        ),
    );
    let config = config.to_str().expect("a path");
    let played = place.play(&[dummy("three", "uci", "")], &["--config", config, "--seed", "6"]);
    assert_sound(&played);
    let settings = &played.settings;
    assert_eq!((settings.seed, settings.games, settings.engines.len()), (6, 4, 3));
    assert_eq!(settings.engines[0].options["Level"], "3");
    assert_eq!(settings.engines[0].options["OwnBook"], "false");
    assert_eq!(settings.engines[1].limits.nodes, Some(10));
    // In a gauntlet only the first plays the others.
    assert_eq!(played.games.len(), 8);
    assert!(played.games.iter().all(|game| game.p1 == "one" || game.p2 == "one"));
}

#[test]
fn a_test_stops_the_match() {
    let place = Place::new();
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "illegal")];
    let words = ["--games", "5000", "--depth", "1", "--sprt", "elo0=0", "elo1=10", "alpha=0.1"];
    let played = place.play(&engines, &words);
    assert!(played.games.len() < 1000, "{} games", played.games.len());
    assert!(played.text().contains("elo1 accepted"), "{}", played.text());
    let report = arena(&["report"]).arg(place.file("games.jsonl")).output().expect("a report");
    assert_eq!(String::from_utf8_lossy(&report.stdout), played.text());
}

#[test]
fn a_report_prints_the_tables_again_and_draws_them() {
    let place = Place::new();
    let engines = [dummy("a & b", "native", ""), dummy("c", "line", ""), dummy("d", "uci", "")];
    let played = place.play(&engines, &["--games", "4", "--depth", "1"]);
    let picture = place.file("out.svg");
    let mut command = arena(&["report", "--svg"]);
    let report = command.arg(&picture).arg(place.file("games.jsonl")).output().expect("a report");
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    assert_eq!(String::from_utf8_lossy(&report.stdout), played.text());
    let picture = std::fs::read_to_string(picture).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("a &amp; b") && picture.contains("95 %"));
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let (cmd, named) = (format!("cmd={program} native"), "name=two");
    let two: Vec<&str> = vec!["match", "--engine", &cmd, "--engine", &cmd, named];
    let with = |more: &[&str]| refused(&[&two[..], more].concat());
    assert!(with(&["--games", "3", "--depth", "1"]).contains("3 is not an even number"));
    assert!(with(&["--games", "2"]).contains("nothing limits its moves"));
    assert!(with(&["--game", "chess", "--depth", "1"]).contains("no game is called 'chess'"));
    assert!(with(&["--game", "3 7", "--depth", "1"]).contains("must be 4..25"));
    assert!(with(&["--depth", "1", "--sprt", "elo0=5", "elo1=0"]).contains("elo0 must be less"));
    assert!(with(&["--depth", "1", "--sprt", "elo=5"]).contains("unknown field `elo`"));
    assert!(with(&["--depth", "1", "--openings", "/nowhere"]).contains("cannot read the openings"));
    let third = |words: &[&str]| with(&[&["--depth", "1", "--engine"], words].concat());
    assert!(third(&["cmd=/no/such/program"]).contains("there is no program '/no/such/program'"));
    assert!(third(&[&cmd, named]).contains("two engines are called 'two'"));
    assert!(third(&[&cmd, "name=x", "speed=9"]).contains("unknown field `speed`"));
    assert!(third(&[&cmd, "name=x", "proto=xboard"]).contains("xboard"));
    assert!(third(&["name=x"]).contains("its command is missing"));
    assert!(third(&["preset=ninja9"]).contains("there is ninja1, ninja2, ninja3"));
    let boom = with(&["--game", "boom", "--depth", "1", "--engine", &cmd, "name=x", "proto=uci"]);
    assert!(boom.contains("proto=uci plays connect4 6 7 4 only"), "{boom}");
    assert!(refused(&["match", "--engine", &cmd, "depth=1"]).contains("two engines or more"));
    assert!(refused(&["report", "/nowhere"]).contains("cannot read /nowhere"));
}

#[test]
fn a_record_is_not_overwritten() {
    let place = Place::new();
    let record = place.write("games.jsonl", "precious");
    let mut command = arena(&["match", "--depth", "1", "--games", "2", "--record"]);
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")].concat();
    let output = command.arg(&record).args(engines).output().expect("the arena starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume"));
    assert_eq!(std::fs::read_to_string(record).expect("a file"), "precious");
}
