//! Faults outside the engine: damaged files, too little memory, full disks, clients that do not
//! read. The engine reports them and plays on.

mod support;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::{Variant, file as kalah};
use ratlla::games::wali::bits::{Shape, Standard};
use ratlla::games::wali::endgame::file as wali;
use support::engine::{Engine, PATIENCE, cpu_time, spawn_piped};

/// An endgame table of each game, with the name of its option.
fn tables(folder: &Path) -> [(&'static str, PathBuf); 2] {
    let variant = Variant { houses: 3, empty_capture: false };
    let table = build(variant, 6, None, &mut |_| true).expect("a small table");
    let kalah_path = folder.join("kalah");
    kalah::publish(&kalah_path, variant, 6, table.shares()).expect("is written");
    // All draws: wrong, but a valid file.
    let wali_path = folder.join("wali");
    let header = wali::TableHeader { shape: Standard.any(), most: 3 };
    let draws = vec![0; header.payload_length() as usize];
    wali::publish(&wali_path, header, &draws).expect("is written");
    [("KalahTable", kalah_path), ("WaliTable", wali_path)]
}

#[test]
fn an_invalid_table_is_refused_and_the_engine_plays_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let tables = tables(folder);
    let mut engine = Engine::start();
    for (option, good) in &tables {
        let bytes = fs::read(good).expect("the table");
        let changed = |place: usize| {
            let mut bytes = bytes.clone();
            bytes[place] ^= 1;
            bytes
        };
        let other = tables.iter().find(|(other, _)| other != option).expect("two tables");
        let pipe = folder.join(format!("{option} pipe"));
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let cases = [
            ("cut in the header", file("cut-header", &bytes[..20])),
            ("cut by a byte", file("cut", &bytes[..bytes.len() - 1])),
            ("a bit flipped", file("flipped", &changed(bytes.len() / 2))),
            ("a newer version", file("newer", &changed(8))),
            ("the other game's", other.1.clone()),
            ("empty", file("empty", b"")),
            ("a folder", folder.to_path_buf()),
            ("missing", folder.join("nowhere")),
            ("an endless pipe", pipe),
            ("a device", PathBuf::from("/dev/zero")),
        ];
        engine.command(&format!("setoption name {option} value {}", good.display()));
        for (case, path) in cases {
            let line = format!("setoption name {option} value {}", path.display());
            let error = engine.expect_error(&line);
            assert!(error.contains(&*path.display().to_string()), "{case}: {error}");
            assert!(error.len() < 300, "{case}: {error}");
        }
        for game in ["wali", "kalah 3 2"] {
            engine.command(&format!("newgame {game}"));
            engine.go("nodes 500");
        }
    }
    engine.quit();
}

/// A file is believed only as far as it was checked: the engine may use far less memory than these have
/// bytes.
#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut engine = Engine::from_command(limited("ulimit -v 1000000"));
    for (option, good) in tables(folder.path()) {
        let bytes = fs::read(good).expect("the table");
        for (name, start, reason) in [
            ("zeros", &[][..], "unknown file type"),
            ("magic", &bytes[..8], "unsupported table version 0"),
            ("header", &bytes[..64], "wrong size: expected "),
            ("table", &bytes, "wrong size: expected "),
        ] {
            let path = folder.path().join(format!("{option} {name}"));
            fs::write(&path, start).expect("a file");
            let file = fs::File::options().write(true).open(&path).expect("the file");
            file.set_len(3 << 30).expect("a file with holes");
            let before = Instant::now();
            let error =
                engine.expect_error(&format!("setoption name {option} value {}", path.display()));
            assert!(error.contains(reason), "{name}: {error}");
            assert!(before.elapsed() < Duration::from_secs(5), "{name}: {:?}", before.elapsed());
        }
    }
    engine.quit();
}

/// Root may read every file, so nothing is refused there.
#[test]
fn a_table_without_permission_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    for (option, path) in tables(folder.path()) {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
        let mut engine = Engine::start();
        let line = format!("setoption name {option} value {}", path.display());
        let answer = engine.query(&line);
        if fs::File::open(&path).is_err() {
            assert!(answer[0].contains("ermission denied"), "{answer:?}");
        } else {
            assert_eq!(answer, Vec::<String>::new());
        }
        engine.quit();
    }
}

/// The engine under limits set by a shell.
fn limited(limits: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{limits}; exec \"$0\"")).arg(env!("CARGO_BIN_EXE_ratlla"));
    command
}

#[test]
fn commands_refuse_too_much_memory_before_they_start() {
    for arguments in ["explain --hash 65536 4 4", "solve --hash 65536 --game kalah 6 4"] {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v 1000000; echo 4 | \"$0\" {arguments}");
        let output = command.args(["-c", &script, env!("CARGO_BIN_EXE_ratlla")]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("--hash 65536: cannot allocate 65536 MiB"), "{arguments}: {error}");
        assert!(output.stdout.is_empty() && !output.status.success(), "{arguments}");
    }
}

#[test]
fn too_much_memory_is_refused_and_the_engine_plays_on() {
    let mut engine = Engine::from_command(limited("ulimit -v 1000000"));
    engine.command("setoption name Hash value 600");
    let error = engine.expect_error("setoption name Hash value 65536");
    assert!(error.contains("cannot allocate 65536 MiB; keeping 600"), "{error}");
    // The table is not allocated twice, however many games are started.
    for game in ["wali", "wali", "boom", "kalah", "8 8", "6 7", "6 7"] {
        engine.command(&format!("newgame {game}"));
        engine.command("setoption name Clear Hash");
        engine.go("nodes 3000");
    }
    // The search does without threads that cannot be started.
    engine.command("setoption name Threads value 256");
    engine.go("depth 6");
    engine.go("nodes 3000");
    engine.quit();
}

/// A new game may need the memory of what a solver has learnt about the old one.
#[test]
fn a_new_game_gets_the_memory_of_the_old_one() {
    let mut engine = Engine::from_command(limited("ulimit -v 1150000"));
    engine.command("setoption name Hash value 600");
    engine.command("position moves 4 4 4 4 4 4 3 2 6 5 5 5 5 5 3 2 3 3 3 2 2 6 7 6 2 3 5 2 6 6 6");
    engine.go("solve");
    engine.command("newgame wali");
    assert_eq!(engine.query("setoption name Game value 8 8"), Vec::<String>::new());
    engine.go("nodes 3000");
    engine.quit();
}

/// The engine with this command line or input, writing to a file of its own below such limits: its exit status,
/// and what it wrote to stdout and stderr.
fn run_limited(limits: &str, arguments: &str, input: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("output");
    let mut command = Command::new("sh");
    let script = format!("{limits}; printf '{input}' | \"$0\" {arguments} > \"$1\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_ratlla")]).arg(&file);
    let output = command.env_remove("RUST_LOG").output().expect("the program runs");
    let text = fs::read_to_string(file).expect("its output");
    let errors = String::from_utf8(output.stderr).expect("text");
    (output.status.code(), text, errors)
}

/// As on a full disk, and below a limit on the size of files, which by itself would end the process.
#[test]
fn a_log_on_a_full_disk_is_abandoned_and_the_engine_plays_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let searches = "go depth 3\\n".repeat(20);
    // A pipe takes what the engine writes to stdout.
    let script = format!(
        "ulimit -f 2; printf 'setoption name Debug Log File value {}\\n{searches}' | \"$0\" | cat",
        path.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_ratlla")]).env_remove("RUST_LOG");
    let output = command.output().expect("the program runs");
    let (text, errors) = (output.stdout, String::from_utf8(output.stderr).expect("text"));
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), 20, "{errors}");
    assert!(errors.contains("closing the log file: File too large"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let size = fs::metadata(&path).expect("the log").len();
    assert!((100..=4096).contains(&size), "{size} bytes");
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let position = "4 4 4 4 4 4 3 2 6 5 5 5 5 5 3 2 3 3 3 2 2 6 7 6 2 3 5 2 6 6 6\\n";
    let many = position.repeat(300);
    for (arguments, input) in [
        ("", &"d\\n".repeat(30)),
        ("help", &String::new()),
        ("solve", &many),
        ("solve --json", &many),
    ] {
        let (status, text, errors) = run_limited("ulimit -f 2", arguments, input);
        assert_eq!(status, Some(1), "{arguments}: {errors}");
        assert!(errors.contains("File too large") && errors.lines().count() == 1, "{errors}");
        assert!((1000..=4096).contains(&text.len()), "{arguments}: {} bytes", text.len());
    }
    if !Path::new("/dev/full").exists() {
        return;
    }
    for arguments in [
        "--version",
        "-V",
        "--help",
        "-h",
        "help",
        "moves",
        "go depth 1",
        "go perft 1",
        "bench",
        "solve --help",
        "explain --help",
        "solve",
        "solve --json",
        "explain 4 4",
    ] {
        let mut command = Command::new("sh");
        let script = format!("printf '{position}' | \"$0\" {arguments} > /dev/full");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ratlla")]).env_remove("RUST_LOG");
        let output = command.output().expect("the program runs");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{arguments}: {errors}");
        assert!(errors.contains("No space left on device"), "{arguments}: {errors}");
    }
}

#[test]
fn a_log_file_must_be_a_regular_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let mut engine = Engine::start();
    for path in [&pipe, Path::new("/dev/null"), folder.path()] {
        let line = format!("setoption name Debug Log File value {}", path.display());
        let error = engine.expect_error(&line);
        assert!(error.contains("not a regular file; keeping <empty>"), "{error}");
    }
    engine.quit();
}

#[test]
fn errors_about_files_stay_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder.path().join("x".repeat(200)).join("y".repeat(200)).join("z".repeat(200));
    fs::create_dir_all(&deep).expect("folders");
    let log = deep.join("log");
    let missing = "m".repeat(100_000);
    let mut engine = Engine::start();
    // The old path is quoted, too.
    engine.command(&format!("setoption name Debug Log File value {}", log.display()));
    for option in ["KalahTable", "WaliTable", "Debug Log File"] {
        let error = engine.expect_error(&format!("setoption name {option} value {missing}"));
        assert!(error.len() < 600, "{error}");
        assert!(error.contains("mmm…mmm") && error.contains("; keeping "), "{error}");
    }
    engine.quit();
}

/// An engine whose output the test reads late or never, killed when dropped.
struct Unread(Child);

impl Drop for Unread {
    fn drop(&mut self) {
        // An error means that it has already exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Unread {
    fn write(&mut self, text: &str) {
        let input = self.0.stdin.as_mut().expect("a pipe");
        input.write_all(text.as_bytes()).expect("the engine reads its input");
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("the process has a status").is_none()
    }

    /// Waits until it has exited as it should.
    fn wait(&mut self) {
        let start = Instant::now();
        while self.is_running() {
            assert!(start.elapsed() < PATIENCE, "no exit after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.0.wait().expect("it has ended").success());
    }

    fn cpu_time(&self) -> Duration {
        cpu_time(&self.0).expect("a system that counts it")
    }

    /// Waits until it has used a tenth of a second more of a processor.
    fn wait_until_searching(&self) {
        let (started, used) = (Instant::now(), self.cpu_time());
        while self.cpu_time() < used + Duration::from_millis(100) {
            assert!(started.elapsed() < PATIENCE, "no search");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until it uses no processor.
    fn wait_until_idle(&self) {
        let (started, mut used) = (Instant::now(), self.cpu_time());
        loop {
            std::thread::sleep(Duration::from_millis(700));
            let before = std::mem::replace(&mut used, self.cpu_time());
            if used - before <= Duration::from_millis(10) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "still searching");
        }
    }
}

/// An engine with unread output: replies to so many `help`, of which a hundred are more than any pipe
/// holds, and a thousand more than the engine keeps.
fn start_unread(replies: usize) -> Unread {
    let mut engine = Unread(spawn_piped(&mut Command::new(env!("CARGO_BIN_EXE_ratlla"))));
    engine.write(&"help\n".repeat(replies));
    engine
}

#[test]
fn quit_ends_an_engine_with_unread_output() {
    let searches = ["", "go infinite\n", "setoption name MultiPV value 7\ngo movetime 100000\n"];
    let engines = searches.map(|search| {
        let mut engine = start_unread(3000);
        engine.write(&format!("{search}isready\nquit\n"));
        engine
    });
    engines.into_iter().for_each(|mut engine| engine.wait());
}

#[test]
fn a_slow_reader_gets_everything() {
    let mut engine = start_unread(3000);
    engine.write("go depth 5\nisready\n");
    drop(engine.0.stdin.take());
    // Long enough for the engine to fill the pipe, and longer than `quit` would wait.
    std::thread::sleep(Duration::from_millis(2500));
    let mut text = String::new();
    engine.0.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    let count = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!((count("newgame "), count("bestmove "), count("readyok")), (3000, 1, 1));
    engine.wait();
}

/// One that runs, and one that has to wait for room.
#[test]
fn an_endless_search_with_unread_output_ends_with_the_input() {
    for (replies, is_running) in [(100, true), (3000, false)] {
        let mut engine = start_unread(replies);
        engine.write("newgame 8 8\ngo infinite\n");
        if is_running {
            engine.wait_until_searching();
        }
        drop(engine.0.stdin.take());
        engine.wait_until_idle();
    }
}

/// An engine on a terminal, and the other end of that: what is typed, and what a reader would read.
#[cfg(unix)]
fn start_on_terminal(mut command: Command) -> (Unread, fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&user).and_then(|()| unlockpt(&user)).expect("a terminal that may be opened");
    let path = ptsname(&user, Vec::new()).expect("its name").into_string().expect("text");
    let terminal = || fs::File::options().read(true).write(true).open(&path).expect("a terminal");
    command.env_remove("RUST_LOG").stdin(terminal()).stdout(terminal()).stderr(terminal());
    (Unread(command.spawn().expect("the program starts")), fs::File::from(user))
}

/// As after Ctrl-S, or below a program that has stopped reading.
#[cfg(unix)]
#[test]
fn a_terminal_that_nobody_reads_blocks_no_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = format!("setoption name Debug Log File value {}/log\n", folder.path().display());
    // The second also has something to say on stderr, which is the same terminal.
    let quitting = [("ulimit -f 2000", ""), ("ulimit -f 2", &log)].map(|(limits, line)| {
        let (engine, mut user) = start_on_terminal(limited(limits));
        let text = ["d\n".repeat(1500).as_str(), line, &"d\n".repeat(1500), "quit\n"].concat();
        user.write_all(text.as_bytes()).expect("the engine reads");
        (engine, user)
    });

    let (mut engine, mut user) = start_on_terminal(limited("ulimit -f 2000"));
    let mut type_in = |text: &str| user.write_all(text.as_bytes()).expect("the engine reads");
    type_in(&"d\n".repeat(300));
    // The latter is the end of the input.
    for end in ["stop\n", "\u{4}"] {
        type_in("newgame 8 8\ngo infinite\n");
        engine.wait_until_searching();
        type_in(end);
        engine.wait_until_idle();
    }
    assert!(engine.is_running(), "it waits for a reader");
    // Reading fails once the engine has closed its end.
    let mut text = Vec::new();
    drop(user.read_to_end(&mut text));
    let text = String::from_utf8(text).expect("text");
    let count = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!((count("key "), count("bestmove ")), (300, 2), "{text}");
    engine.wait();
    for (mut engine, _user) in quitting {
        engine.wait();
    }
}

/// The wall clock may jump, so nothing is timed with it.
#[test]
fn no_source_uses_the_wall_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("tools")];
    let mut checked = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                for clock in ["SystemTime", "UNIX_EPOCH", "CLOCK_REALTIME"] {
                    assert!(!text.contains(clock), "{} uses {clock}", path.display());
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked} files");
}

#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_an_error() {
    let run = |arguments: &[&str]| {
        let directory = std::fs::File::open("/").expect("a directory");
        let output = Command::new(env!("CARGO_BIN_EXE_ratlla"))
            .args(arguments)
            .stdin(directory)
            .output()
            .expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for arguments in [&[][..], &["solve"]] {
        let (status, message) = run(arguments);
        assert_eq!(status, Some(1), "{arguments:?}");
        assert!(message.contains("cannot read the input"), "{message}");
    }
    // A command on the command line needs no input.
    assert_eq!(run(&["moves"]).0, Some(0));
}
