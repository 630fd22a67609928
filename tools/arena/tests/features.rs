//! Time controls, adjudication, pondering, openings, logs: what users of other arenas expect.

mod support;

use ratlla_arena::record::{AdjudicationKind, GameRecord, GameResult};
use support::{MatchDir, arena, dummy, refused};

fn two(behaviours: [&str; 2]) -> [Vec<String>; 2] {
    [dummy("a", "native", behaviours[0]), dummy("b", "native", behaviours[1])]
}

#[test]
fn a_time_control_has_moves_seconds_and_increment() {
    let dir = MatchDir::new();
    let log = dir.file("engines.log");
    let words = ["--games", "2", "--tc", "3/60+0.5", "--log", log.to_str().expect("a path")];
    let mut engines = two(["", ""]);
    engines[1].push("tc=1:30".to_owned());
    let played = dir.play(&engines, &words);
    let [a, b] = &played.settings.engines[..] else { panic!("two engines") };
    assert_eq!((a.limits.moves, a.limits.time, a.limits.inc), (Some(3), Some(60_000), Some(500)));
    assert_eq!((b.limits.moves, b.limits.time, b.limits.inc), (None, Some(90_000), None));
    for game in &played.games {
        assert_eq!(game.clocks.len(), game.moves.len());
        // The third move of a is its last before the time control: it gets another minute.
        let own = usize::from(game.p1 == "b");
        let clock = |turn: usize| game.clocks[own + 2 * turn].expect("a clock");
        assert!((60_000..62_000).contains(&clock(1)), "{:?}", game.clocks);
        assert!((120_000..122_000).contains(&clock(2)), "{:?}", game.clocks);
        assert!(game.clocks[1 - own].is_some_and(|clock| clock <= 90_000));
    }
    let log = std::fs::read_to_string(log).expect("a log");
    for word in ["movestogo 3", "movestogo 2", "movestogo 1", "p2time 90000 p2inc 0"] {
        assert!(log.contains(word), "{word}");
    }
    assert!(!log.contains("movestogo 0"));
}

/// The reasons of the games, and their kind of adjudication.
fn adjudicated(games: &[GameRecord]) -> Vec<(GameResult, AdjudicationKind, &str)> {
    let kind = |game: &GameRecord| game.adjudication.as_ref().map(|it| it.kind);
    games.iter().filter_map(|game| Some((game.result, kind(game)?, game.reason.as_str()))).collect()
}

#[test]
fn games_are_adjudicated_by_the_engines_scores() {
    let words = ["--games", "2", "--depth", "1", "--resign", "movecount=2", "score=400"];
    let resigned = |behaviours, more: &[&str]| {
        let played = MatchDir::new().play(&two(behaviours), &[&words[..], more].concat());
        (adjudicated(&played.games).len(), played.games)
    };
    let (count, games) = resigned(["", "gloomy"], &[]);
    assert_eq!(count, 2, "{games:?}");
    for game in &games {
        let winner = if game.p1 == "a" { GameResult::P1Win } else { GameResult::P2Win };
        assert_eq!((game.result, game.reason.as_str()), (winner, "resignation"));
        assert!((3..=4).contains(&game.moves.len()), "{game:?}");
    }
    assert_eq!(resigned(["", "gloomy"], &["twosided=true"]).0, 0);
    assert_eq!(resigned(["cheerful", "gloomy"], &["twosided=true"]).0, 2);

    let words = ["--games", "2", "--depth", "1", "--draw", "movenumber=5", "movecount=2"];
    let played = MatchDir::new().play(&two(["", ""]), &words);
    let draw = (GameResult::Draw, AdjudicationKind::Draw, "adjudicated draw");
    assert_eq!(adjudicated(&played.games), [draw, draw]);
    // Four plies of opening and six moves are five moves by each player.
    assert!(played.games.iter().all(|game| game.moves.len() == 6));
}

#[test]
fn games_are_adjudicated_by_their_length_and_by_the_solver() {
    let words = ["--games", "2", "--depth", "1", "--maxmoves", "4", "--plies", "2"];
    let played = MatchDir::new().play(&two(["", ""]), &words);
    let draw = (GameResult::Draw, AdjudicationKind::MaxMoves, "move limit");
    assert_eq!(adjudicated(&played.games), [draw, draw]);
    assert!(played.games.iter().all(|game| game.moves.len() == 6));

    let words = ["--games", "6", "--depth", "1", "--exact", "--game", "5 5"];
    let played = MatchDir::new().play(&two(["", ""]), &words);
    assert_eq!(played.settings.adjudication.exact.as_ref().map(|rule| rule.nodes), Some(100_000));
    for game in &played.games {
        let adjudication = game.adjudication.as_ref().expect("a board this small is solved");
        assert_eq!(adjudication.kind, AdjudicationKind::Exact);
        assert!(adjudication.detail.ends_with("with best play"), "{adjudication:?}");
        assert_eq!((game.reason.as_str(), game.moves.len()), ("solved", 1));
    }
    // The tables know it from the record alone.
    assert!(played.text().contains("6 games"), "{}", played.text());
}

#[test]
fn engines_ponder_on_the_turn_they_expect() {
    for proto in ["native", "ugi", "uci"] {
        let dir = MatchDir::new();
        let log = dir.file("engines.log");
        let engines = [dummy("right", proto, ""), dummy("wrong", proto, "mistaken")];
        let mut words = vec!["--games", "4", "--movetime", "1000", "--each", "ponder"];
        words.extend(["--log", log.to_str().expect("a path")]);
        let played = dir.play(&engines, &words);
        let (mut hits, mut chances) = ([0, 0], [0, 0]);
        for game in &played.games {
            assert_eq!(game.ponderhits.len(), game.moves.len());
            assert_eq!(game.forfeit, None);
            for (ply, hit) in game.ponderhits.iter().enumerate() {
                let is_wrong = usize::from((ply % 2 == 0) == (game.p1 == "wrong"));
                hits[is_wrong] += usize::from(*hit);
                // Nobody ponders before its first move.
                chances[is_wrong] += usize::from(ply > 1);
            }
        }
        assert_eq!(hits[0], chances[0], "{proto}: it knows all moves of the other one");
        assert!(hits[1] < chances[1], "{proto}: {hits:?} of {chances:?}");
        let log = std::fs::read_to_string(log).expect("a log");
        assert!(log.contains("> ponderhit\n") && log.contains("> stop\n"), "{proto}");
        // Before the match each is tried, for a moment only.
        assert!(log.contains(" start right > go movetime 20\n"), "{proto}");
        assert!(!log.contains(" start right > go movetime 1000\n"), "{proto}");
        let sets_option = log.contains("> setoption name Ponder value true\n");
        assert_eq!(sets_option, proto != "native", "{proto}");
    }
}

/// Each process hears of an option once, but of a seed in every game: both games of a round have the same
/// one, and the next round another. An engine that does not ponder is not told to.
#[test]
fn options_are_set_once_and_seeds_in_every_game() {
    let dir = MatchDir::new();
    let log = dir.file("engines.log");
    let mut engines = [dummy("a", "uci", ""), dummy("b", "ugi", "")];
    engines[0].extend(["option.Seed={seed}", "option.Hash=4"].map(str::to_owned));
    let log_path = log.to_str().expect("a path");
    let words = ["--games", "6", "--depth", "1", "--concurrency", "1", "--log", log_path];
    let played = dir.play(&engines, &words);
    // Without clocks and pondering the record says nothing of them.
    let has_none = |game: &GameRecord| game.clocks.is_empty() && game.ponderhits.is_empty();
    assert!(played.games.iter().all(has_none), "{:?}", played.games);
    let log = std::fs::read_to_string(log).expect("a log");
    let told = |name: &str| -> Vec<(String, String)> {
        let command = format!("> setoption name {name} value ");
        let lines = log.lines().filter_map(|line| line.split_once(&command));
        let lines = lines.filter_map(|(before, value)| {
            let (_, game) = before.split_once(" game ")?;
            Some((game.trim().to_owned(), value.to_owned()))
        });
        lines.collect()
    };
    assert_eq!(told("Hash"), [("0 a".to_owned(), "4".to_owned())]);
    assert_eq!(told("Ponder"), []);
    let seeds = told("Seed");
    let games: Vec<&str> = seeds.iter().map(|(game, _)| game.as_str()).collect();
    assert_eq!(games, ["0 a", "1 a", "2 a", "3 a", "4 a", "5 a"]);
    for (round, pair) in seeds.chunks(2).enumerate() {
        assert_eq!(pair[0].1, pair[1].1);
        assert!(round == 0 || seeds[2 * round - 1].1 != pair[0].1, "{seeds:?}");
    }
}

#[test]
fn a_log_has_time_game_engine_and_direction_of_every_line() {
    let dir = MatchDir::new();
    let path = dir.file("engines.log");
    let mut words = vec!["--games", "2", "--depth", "1", "--concurrency", "1", "--log"];
    words.push(path.to_str().expect("a path"));
    let mut engines = two(["", ""]);
    engines[1].push("restart=on".to_owned());
    dir.play(&engines, &words);
    let log = std::fs::read_to_string(&path).expect("a log");
    for line in log.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words[0].ends_with('Z') && words[0].contains('T'), "{line}");
        let rest = if words[1] == "game" { &words[3..] } else { &words[2..] };
        assert!(words[1] == "game" || words[1] == "start", "{line}");
        assert!(["a", "b"].contains(&rest[0]) && ["<", ">"].contains(&rest[1]), "{line}");
    }
    let count = |text: &str| log.lines().filter(|line| line.ends_with(text)).count();
    assert!(log.contains(" game 0 a > newgame connect4 6 7 4\n"));
    assert!(log.contains(" game 1 b < bestmove ") && count("> go depth 1") > 10);
    // Each was started before the match, then a once and b for each game; the first process also
    // listed its options and tried a move.
    assert_eq!((count("start a > isready"), count("start b > isready")), (5, 6));
    // Each process is told to end, and nothing after that.
    assert_eq!((count(" a > quit"), count(" b > quit")), (2, 3));
    // A second match adds to the log.
    let before = log.len();
    MatchDir::new().play(&engines, &words);
    assert!(std::fs::read_to_string(&path).expect("a log").len() > before + before / 2);
}

#[test]
fn a_report_is_printed_every_few_games() {
    let words = ["--games", "8", "--depth", "1", "--report-every", "4"];
    let played = MatchDir::new().play(&two(["", ""]), &words);
    let errors = played.errors();
    let lines: Vec<&str> = errors.lines().collect();
    assert!(lines[0].starts_with("4 of 8 games, ") && lines[0].contains(": a +"), "{errors}");
    assert!(lines[1].starts_with("8 of 8 games, ") && lines.len() == 2, "{errors}");
    let engines = [two(["", ""]).concat(), dummy("c", "native", "")];
    let words = ["--games", "2", "--depth", "1", "--report-every", "6"];
    let played = MatchDir::new().play(&engines, &words);
    assert!(played.errors().starts_with("6 of 6 games, "), "{}", played.errors());
}

#[test]
fn openings_can_be_shuffled_and_start_anywhere() {
    let dir = MatchDir::new();
    let fen = "fen 7/7/7/7/3p3/2PP3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2";
    let lines = ["moves 1", "moves 2", "startpos", "moves 4", "moves 5", fen];
    let path = dir.write("openings.txt", &lines.join("\n"));
    let path = path.to_str().expect("a path");
    let openings = |more: &[&str]| -> Vec<String> {
        let words = [&["--games", "12", "--depth", "1", "--openings", path], more].concat();
        let played = MatchDir::new().play(&two(["", ""]), &words);
        let text = |game: &GameRecord| format!("{}{}", game.setup, game.opening.join(" "));
        played.games.iter().step_by(2).map(text).collect()
    };
    let all = openings(&[]);
    assert_eq!(all[..5], ["1", "2", "", "4", "5"]);
    assert!(all[5].starts_with("7/7/7/7/3p3/2PP3["), "{all:?}");
    assert_eq!(openings(&["start=5"])[..3], [&all[4], &all[5], &all[0]].map(String::clone));
    let shuffled = openings(&["order=random"]);
    assert_ne!(shuffled, all);
    assert_eq!(shuffled, openings(&["order=random"]));
    assert_ne!(shuffled, openings(&["order=random", "--seed", "2"]));
    let [shuffled, all] = [shuffled, all].map(|mut list| {
        list.sort();
        list
    });
    assert_eq!(shuffled, all);
}

#[test]
fn balanced_openings_are_generated_for_a_file() {
    let words = ["openings", "--game", "5 5", "--plies", "4", "--count", "12"];
    let output = arena(&words).output().expect("openings");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("# connect4 5 5 4, 4 plies, balance exact, seed 1"));
    let mut game = ratlla_arena::rules::open("5 5").expect("a game");
    let rule = ratlla_arena::settings::ExactRule { nodes: 10_000_000, table: None };
    let mut solver = ratlla_arena::rules::ExactSolver::new("", &rule).expect("memory");
    for line in lines.clone() {
        let position = ratlla_arena::rules::parse_position(line);
        assert_eq!(position.moves.len(), 4);
        ratlla_arena::rules::set_up_opening(&mut *game, &position).expect("an opening");
        let score = solver.solve(&mut *game).expect("a small board");
        assert_eq!(score.proved_sign(), Some(0), "{line}");
    }
    assert_eq!(lines.count(), 12);
    let dir = MatchDir::new();
    let path = dir.write("openings.txt", &text);
    let path = path.to_str().expect("a path");
    let words = ["--game", "5 5", "--games", "4", "--depth", "1", "--openings", path];
    assert_eq!(dir.play(&two(["", ""]), &words).games.len(), 4);
    // The first player wins on 6x7, so the start position is not balanced.
    let errors = refused(&["openings", "--plies", "0"]);
    assert!(errors.contains("found only 0 different balanced openings of 0 plies"), "{errors}");
    let engines = two(["", ""]).concat();
    let mut words = vec!["match", "--depth", "1", "--plies", "0", "--balance", "exact"];
    words.extend(engines.iter().map(String::as_str));
    let errors = refused(&words);
    assert!(errors.contains("no opening of 0 plies found that is balanced"), "{errors}");
}

#[test]
fn the_seeds_of_a_gauntlet_play_all_others() {
    let engines = ["a", "b", "c", "d"].map(|name| dummy(name, "native", ""));
    let words = ["--games", "2", "--depth", "1", "--format", "gauntlet", "--seeds", "2"];
    let played = MatchDir::new().play(&engines, &words);
    let pairs: Vec<String> =
        played.games.iter().step_by(2).map(|game| format!("{}{}", game.p1, game.p2)).collect();
    assert_eq!(pairs, ["ab", "ac", "ad", "bc", "bd"]);
}

#[test]
fn what_each_engine_gets_yields_to_what_an_engine_says() {
    let dir = MatchDir::new();
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let config = dir.write(
        "match.toml",
        &format!(
            "games = 2\nreport-every = 2\ndraw = {{ movecount = 4, score = 0 }}\n\
             [each]\ncmd = \"{program} native\"\nnodes = 7\noption = {{ Hash = 4, Seed = 3 }}\n\
             [[engine]]\nname = \"one\"\noption = {{ Hash = 9 }}\n\
             [[engine]]\nname = \"two\"\ntc = \"10+0.1\"\n"
        ),
    );
    let words = ["--config", config.to_str().expect("a path"), "--each", "option.Seed=5"];
    let played = dir.play(&[], &words);
    let [one, two] = &played.settings.engines[..] else { panic!("two engines") };
    let option =
        |engine: &ratlla_arena::settings::EngineSpec, name: &str| engine.options[name].clone();
    assert_eq!([option(one, "Hash"), option(one, "Seed")], ["9", "5"]);
    assert_eq!([option(two, "Hash"), option(two, "Seed")], ["4", "5"]);
    assert_eq!((one.limits.nodes, two.limits.nodes), (Some(7), None));
    assert_eq!(two.limits.time, Some(10_000));
    assert_eq!(adjudicated(&played.games).len(), 2);
}

#[test]
fn limits_that_no_engine_has_are_reported() {
    let with = |own: [&str; 2]| {
        let mut engines = two(["", ""]);
        for (engine, limit) in engines.iter_mut().zip(own) {
            engine.extend((!limit.is_empty()).then(|| limit.to_owned()));
        }
        MatchDir::new().play(&engines, &["--games", "2", "--depth", "1"]).errors()
    };
    assert!(with(["nodes=5", "nodes=6"]).contains("limits for all engines are not used"));
    assert_eq!(with(["nodes=5", ""]), "");
}

#[test]
fn repeated_games_are_counted_and_reported() {
    let dir = MatchDir::new();
    let openings = dir.write("openings.txt", "moves 4 4\nmoves 3 5\n");
    let openings = openings.to_str().expect("a path");
    let words = ["--games", "8", "--depth", "1", "--openings", openings, "--report-every", "8"];
    let played = dir.play(&two(["", ""]), &words);
    let errors = played.errors();
    assert!(errors.contains("warning: 2 openings for 4 game pairs"), "{errors}");
    assert_eq!(errors.matches("a game was played again move for move").count(), 1, "{errors}");
    assert!(errors.contains(", 4 repeated games\n"), "{errors}");
    let text = played.text();
    assert!(text.contains("8 games, 4 distinct\n"), "{text}");
    assert!(text.contains("only 4 of 8 games are distinct"), "{text}");
    assert!(text.contains("about 1.4 times the one shown"), "{text}");
    // A report says the same, in all forms that have notes.
    let page = dir.file("games.html");
    let mut command = arena(&["report", "--html"]);
    let report = command.arg(&page).arg(dir.file("games.jsonl")).output().expect("a report");
    assert_eq!(String::from_utf8_lossy(&report.stdout), text);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("only 4 of 8 games are distinct"));

    let played = MatchDir::new().play(&two(["", ""]), &["--games", "8", "--depth", "1"]);
    assert!(!played.errors().contains("warning"), "{}", played.errors());
    assert!(!played.text().contains("distinct"), "{}", played.text());
}
