//! Whole games through pipes: commands in, text out.
#![cfg(unix)]

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use ratlla_workspace::Watchdog;
use support::command;

/// Runs the program with this input and returns whether it succeeded, and what it wrote.
fn run(mut command: Command, input: &[u8]) -> (bool, String) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _watchdog = Watchdog::of(&child);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may exit before it reads, or write before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn piped(folder: &Path, arguments: &[&str], input: &str) -> (bool, String) {
    run(command(folder, arguments), input.as_bytes())
}

#[test]
fn a_pipe_gets_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    let (status, output) = piped(folder.path(), &[], "connect4 --players 2\n4\n4\n");
    assert!(status, "the end of the input ends the program as quit does");
    assert!(output.contains(" - - -[O]- - -\n - - - X - - -\n 1 2 3 4 5 6 7\n"), "{output}");
    assert!(!output.contains('\u{1b}') && !output.contains('\r'));
    assert!(output.ends_with("Goodbye.\n"));
    assert_eq!(output.matches("1 2 3 4 5 6 7\n").count(), 3, "one drawing for each position");
}

#[test]
fn computers_play_every_game_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    for (game, computers) in [
        ("connect4", ["--strategy", "minimax,full", "--depth", "2"]),
        ("boom", ["--strategy", "random", "--movetime", "50"]),
        ("wali 4 4 6", ["--level", "3", "--seed", "7"]),
        ("kalah 4 3 empty", ["--level", "2,4", "--option", "Hash=2"]),
    ] {
        let words: Vec<&str> = game.split(' ').collect();
        let arguments = [&words[..], &["--players", "0", "--movetime", "20"], &computers].concat();
        let (status, output) = piped(folder.path(), &arguments, "review\n");
        assert!(status, "{game}: {output}");
        let is_over = output.contains("wins") || output.contains("The game is drawn");
        assert!(is_over, "{game}: {output}");
        assert!(output.contains("Computer 1") && output.contains("  1. Computer 1"), "{output}");
        assert!(output.contains("? gives away a win or a draw"), "{game}: {output}");
    }
}

/// Prompts are for people: between lines of output they would only be in the way.
#[test]
fn a_pipe_gets_no_prompts() {
    let folder = tempfile::tempdir().unwrap();
    let input = "connect4 --players 2\n1\n2\n1\n2\n1\n2\n1\nmoves\nnew boom\nmoves\n";
    let (status, output) = piped(folder.path(), &[], input);
    assert!(status, "{output}");
    for prompt in ["Game [", "Enter plays again", "Player 1 (X):", "left:", "again:"] {
        assert!(!output.contains(prompt), "{prompt} in {output}");
    }
    assert!(output.contains("Player 1 (X) wins"), "{output}");
}

/// An engine that keeps what it is asked in a file.
const LISTENER: &str = r#"
while read -r line; do
    case $line in
        games) echo "game pairs" ;;
        isready) echo readyok ;;
        state) echo 'state {"side":"p2","result":"none","moves":[{"move":"a"}],"drawing":["(pairs)"]}' ;;
        go*) echo "$line" >> asked; echo 'bestmove a' ;;
    esac
done
"#;

#[test]
fn a_depth_limits_every_search() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("listener"), LISTENER).unwrap();
    let arguments = ["--engine", "sh listener", "--strategy", "full", "--depth", "3"];
    // The computer has just moved and is to move again: it is asked until the input ends.
    let mut child = command(folder.path(), &arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _watchdog = Watchdog::of(&child);
    let asked = folder.path().join("asked");
    while std::fs::read_to_string(&asked).unwrap_or_default().lines().next().is_none() {
        assert!(child.try_wait().unwrap().is_none(), "it plays on");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let asked = std::fs::read_to_string(&asked).unwrap();
    assert!(asked.starts_with("go movetime 1000 depth 3\n"), "{asked}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let game =
        || piped(folder.path(), &["4", "5", "--players", "0", "--level", "2", "--seed", "9"], "");
    assert_eq!(game(), game());
}

#[test]
fn a_saved_game_is_resumed_with_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["4", "5", "--level", "3", "--movetime", "900", "--first", "computer"];
    let (_, output) = piped(
        folder.path(),
        &arguments,
        "3\nsave 'a game'\nsave 'a game'\nnew 5 5\nsave 'a game'\n",
    );
    assert_eq!(output.matches("Saved. Resume with: ratlla-play 'a game'").count(), 2, "{output}");
    assert!(output.contains("a game exists; choose another name."), "{output}");
    let text = std::fs::read_to_string(folder.path().join("a game")).unwrap();
    let start = "# player 1: computer level 3 movetime 900\n# player 2: me\nnewgame connect4 4 5 4\nposition startpos moves ";
    assert!(text.starts_with(start), "{text}");
    let (status, output) = piped(folder.path(), &["a game"], "save\n");
    assert!(status);
    let names = "connect4 4 5 4: Computer (X), level 3 (Casual), 0.9 s per move against You (O).";
    assert!(output.contains(names) && output.contains("Saved."), "{output}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a game")).unwrap(), text);
    let (_, output) = piped(folder.path(), &["a game", "--level", "8", "--first", "me"], "");
    assert!(output.contains("You (X) against Computer (O), level 8 (Advanced)"), "{output}");

    // Without players, as other programs write it.
    std::fs::write(
        folder.path().join("old"),
        "newgame connect4 6 7 4\nposition startpos moves 4\n",
    )
    .unwrap();
    let (status, output) = piped(folder.path(), &[], "old\nswap\nsave\nsave\nquit\n");
    assert!(status && output.contains("You (X) against Computer (O)"), "{output}");
    assert!(output.contains("Computer (O) plays"), "{output}");
    let (_, output) = piped(folder.path(), &["boom"], "save\nnew\nsave\n");
    assert!(
        output.contains("ratlla-play boom.ratlla") && output.contains("boom-2.ratlla"),
        "{output}"
    );
}

#[test]
fn errors_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("bad", b"newgame boom\nposition startpos moves 9\n");
    write("none", b"hello\n");
    write("binary", &[0xff, 0xfe, 0x00]);
    write("half", b"# player 1: me\n# player 2: computer level 3\nnewgame conn");
    write("huge", &vec![b'#'; 2_000_000]);
    write(
        "level",
        b"# player 1: me\n# player 2: computer strategy chess\nnewgame boom\nposition startpos\n",
    );
    for (arguments, reason) in [
        (&["bad"][..], "bad is not a saved game: position: move 1, '9'"),
        (&["none"], "none is not a saved game: line 1: expected newgame or position, got 'hello'"),
        (&["binary"], "binary is not a saved game: not UTF-8 text"),
        (&["half"], "half is not a saved game: no 'position' line"),
        (&["huge"], "cannot read huge: longer than 1048576 bytes"),
        (&["level"], "level is not a saved game: setoption: Strategy must be one of"),
        (&["missing"], "neither a game (connect4, boom, wali, kalah) nor a saved game: 'missing'"),
        (&["/dev/null"], "a device, not a regular file"),
        (&["kalah", "99"], "newgame"),
        (&["kalah", "6\nquit"], "line break in 'newgame kalah 6\\nquit'"),
        (&["--level", "11"], "1 (Beginner) to 10 (Perfect)"),
        (&["--strategy", "chess"], "Strategy must be one of"),
        (&["--option", "Hash=0"], "Hash must be 1..65536"),
        (&["--players", "2", "--level", "3"], "--level: no computer plays"),
        (&["--engine", "/no/such/engine"], "'/no/such/engine' is not an executable program"),
        (&["--engine", "true"], "the engine has exited"),
        (&["--loud"], "--loud"),
    ] {
        let (status, output) = piped(folder.path(), arguments, "");
        assert!(!status, "{arguments:?}: {output}");
        assert!(output.contains(reason), "{arguments:?}: {output}");
        assert!(!output.contains("keeping"), "nothing is kept: {arguments:?}: {output}");
    }
    let (status, output) = piped(folder.path(), &["--help"], "");
    assert!(status && output.contains("Usage: ratlla-play"));
    let (status, output) = piped(folder.path(), &["--version"], "");
    assert!(status && output.starts_with("ratlla-play "));
}

#[test]
fn odd_input_is_refused_and_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = b"4\n".to_vec();
    input.extend([0xff, 0x00, 0x1b, b'[', b'A', b'\n']);
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\n'\nwhy not\nwhy not 9\nexplain 9\nlevel 99\nlevel 9\nnew --nonsense\nsave a b\nsave ''\nsave no/where\n\r\nboard\n");
    let (status, output) = run(command(folder.path(), &["--players", "2"]), &input);
    assert!(status, "{output}");
    assert!(!output.contains('\u{1b}') && output.len() < 10_000, "{output}");
    for text in [
        "The line is longer than 65536 bytes and was ignored.",
        "Expected why, why MOVE or why not MOVE",
        "\n'9': column 9 does not exist (columns are 1..7).\n'9': column 9 does not exist (columns are 1..7).\n",
        "Expected a level from 1 (Beginner) to 10 (Perfect), got '99'.",
        "--level: no computer plays",
        "Unexpected argument '--nonsense' found",
        "Expected save [FILE]",
        "Cannot write no/where: its folder does not exist.",
    ] {
        assert!(output.contains(text), "{text}: {output}");
    }
    assert!(output.ends_with(" - - -[X]- - -\n 1 2 3 4 5 6 7\nGoodbye.\n"), "{output}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Of two people at one keyboard, neither is "you" when moves are explained that were made.
#[test]
fn two_people_are_called_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let (status, output) =
        piped(folder.path(), &["wali", "--players", "2"], "a1\nc3\nwhy\nreview\n");
    assert!(status && output.contains("Player 2 (O), c3: Leaves O "), "{output}");
    assert!(output.contains("Leaves X "), "{output}");
    assert!(!output.contains(" you "), "{output}");
    let (_, output) = piped(folder.path(), &["kalah", "3", "2", "--players", "2"], "2\nwhy\n");
    let sentence = "Player 1, 2: The last seed lands in Player 1's store, so Player 1 moves again.";
    assert!(output.replace("\n", " ").contains(sentence), "{output}");
    // It is the turn of the one who asks: that is "you".
    let (_, output) = piped(folder.path(), &["kalah", "3", "2", "--players", "2"], "explain 2\n");
    assert!(output.contains("your store"), "{output}");
}

/// A person who watches two computers is neither of them.
#[test]
fn two_computers_are_called_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    // Back to the start: no game has more moves than that.
    let input = "undo\n".repeat(40) + "hint\nexplain 2\nwhy not 2\nlevel\nlevel 4,5\nlevel\n";
    let arguments = ["kalah", "3", "2", "--players", "0", "--level", "1,3", "--movetime", "20"];
    let (status, output) = piped(folder.path(), &arguments, &input);
    let (_, said) = output.rsplit_once("There are no moves to take back.\n").unwrap();
    let again = "lands in Computer 1's store, so Computer 1 moves again.";
    assert!(status && said.matches(again).count() == 3, "{output}");
    assert!(!said.to_lowercase().contains("you"), "{said}");
    for text in [
        "  1 Beginner  < Computer 1\n  2 Novice\n  3 Casual    < Computer 2\n",
        "\nComputer 1 plays at level 4 (Fair), 0.02 s per move.\n",
        "\nComputer 2 plays at level 5 (Club), 0.02 s per move.\n",
        "  4 Fair      < Computer 1\n  5 Club      < Computer 2\n",
    ] {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn typos_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let input = "9\nwahy\nlvel 3\n4 4\nnew --option Hash=0\n1\n2\n1\n2\n1\n2\n1\nreveiw\n3\n";
    let (status, output) = piped(folder.path(), &["--players", "2"], input);
    assert!(status, "{output}");
    for text in [
        "\n'9': column 9 does not exist (columns are 1..7). 'moves' lists the moves, 'help' the commands.\n",
        "\n'wahy': expected a column (1..7). Did you mean 'why'?\n",
        "\nExpected one move or command. Did you mean 'level'?\n",
        "\nExpected one move or command. See 'help'.\n",
        "\nHash must be 1..65536 (got '0'); the game goes on.\n",
        "\nThe game is over: expected a command, got 'reveiw'. Did you mean 'review'?\n",
        "\nThe game is over: expected a command, got '3'.\n",
    ] {
        assert!(output.contains(text), "{text}: {output}");
    }
}

#[test]
fn a_full_disk_costs_neither_the_game_nor_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let saved = "newgame connect4 6 7 4\nposition startpos moves 4\n";
    std::fs::write(folder.path().join("game"), saved).unwrap();
    // Files cannot grow, as on a full disk.
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_ratlla-play");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} game --players 2");
    shell.args(["-c", &script]).current_dir(folder.path());
    let (status, output) = run(shell, b"3\nsave\nmoves\n");
    assert!(status && output.contains("Cannot write game"), "{output}");
    assert!(output.contains("\n1 2 3 4 5 6 7\n"), "{output}");
    assert_eq!(std::fs::read_to_string(folder.path().join("game")).unwrap(), saved);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

/// What a move gives away depends on the others, so all of them are searched.
#[test]
fn why_says_what_a_move_gives_away() {
    let folder = tempfile::tempdir().unwrap();
    let input = "1\n2\n1\n2\n1\n2\nwhy 3\n3\nwhy\nquit\n";
    let (status, output) = piped(folder.path(), &["--players", "2"], input);
    assert!(status, "{output}");
    let spoils = "completing the line b4, b3, b2 and b1. Turns a win into a loss: 1 still wins.\n";
    assert_eq!(output.matches(spoils).count(), 2, "{output}");
}

/// An engine of another game, without a board of cells, options or explanations.
const OTHER_ENGINE: &str = r#"
while read -r line; do
    case $line in
        games) echo "game pairs parameter a type spin default 2 min 1 max 9" ;;
        "newgame pairs 3") echo "error newgame: not 3" ;;
        isready) echo readyok ;;
        state) echo 'state {"side":"p1","result":"none","moves":[{"move":"go"}],"drawing":["(pairs)"]}' ;;
        go*) echo 'bestmove go' ;;
        explain*|why*) echo 'error unknown command' ;;
    esac
done
"#;

#[test]
fn another_engine_needs_only_games_and_state() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("other"), OTHER_ENGINE).unwrap();
    let input = "pairs 3\npairs 2\nhint\nwhy not go\nmoves\nquit\n";
    let (status, output) = piped(folder.path(), &["--engine", "sh other"], input);
    assert!(status, "{output}");
    for text in [
        "Enter plays pairs against the computer.\nNot 3; see 'help'.\n",
        "pairs 2: You against Computer.",
        "(pairs)",
        "Unknown command.\nUnknown command.\n",
        "\ngo\n",
    ] {
        assert!(output.contains(text), "{text}: {output}");
    }
}
