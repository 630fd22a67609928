//! Tuning end to end, with an engine whose strength depends on its options.

mod support;

use std::io::Write as _;
use std::process::{Child, Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use support::{MatchDir, arena, count_lines, dummy, refused, wait_until};

/// The words of a run: `Skill` is best at 70 and starts at 20.
fn words(dir: &MatchDir, games: &str) -> Vec<String> {
    let mut words = vec!["tune".to_owned(), "--record".to_owned()];
    words.push(dir.file("tune.jsonl").display().to_string());
    words.extend(dummy("tunable", "native", "tunable"));
    let flags = ["--games", games, "--nodes", "10", "--seed", "3", "--concurrency", "2"];
    words.extend(flags.map(str::to_owned));
    words.extend(["--batch", "4", "--param", "name=Skill", "start=20"].map(str::to_owned));
    words.extend(["c_end=12", "r_end=0.04"].map(str::to_owned));
    words
}

fn run(words: &[String]) -> Output {
    arena(&[]).args(words).output().expect("the arena starts")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn resume(dir: &MatchDir) -> Output {
    let mut command = arena(&["tune", "--resume"]);
    command.arg(dir.file("tune.jsonl")).output().expect("the arena starts")
}

/// The iterations in a record.
fn iterations(dir: &MatchDir) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.file("tune.jsonl")).expect("a record");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_values_move_towards_the_optimum() {
    let dir = MatchDir::new();
    let plot = dir.file("tune.svg");
    let mut words = words(&dir, "800");
    words.extend(["--svg".to_owned(), plot.display().to_string()]);
    let text = text(&run(&words));
    let last = iterations(&dir).pop().expect("an iteration");
    let value = last["values"][0].as_f64().expect("a number");
    assert!((45.0..=95.0).contains(&value), "{value}\n{text}");
    assert!(text.contains("800 of 800 games in 100 iterations"), "{text}");
    assert!(text.contains("| Skill     |    20 |"), "{text}");
    assert!(text.contains("ratlla-arena match") && text.contains("--sprt elo0=0 elo1=5"), "{text}");
    assert!(text.contains(&format!("option.Skill={}", value.round())), "{text}");
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.starts_with("<svg") && plot.contains("Skill"));
}

#[test]
fn a_killed_run_resumes_and_ends_like_an_undisturbed_one() {
    let (calm, killed) = (MatchDir::new(), MatchDir::new());
    let undisturbed = text(&run(&words(&calm, "240")));
    assert_eq!(iterations(&calm).len(), 30);
    let record = killed.file("tune.jsonl");
    for lines in [8, 18] {
        let mut child: Child = {
            let mut command = arena(&[]);
            if lines == 8 {
                command.args(words(&killed, "240"));
            } else {
                command.args(["tune", "--resume"]).arg(&record);
            }
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the arena starts")
        };
        wait_until("some iterations are played", || count_lines(&record) > lines);
        child.kill().expect("a running arena");
        child.wait().expect("an ended arena");
        assert!(count_lines(&record) < 31, "the run ended before it could be killed");
        // The incomplete line that a power cut may leave.
        let mut file = std::fs::File::options().append(true).open(&record).expect("a record");
        file.write_all(b"{\"type\":\"iteration\",\"pairs\":4").expect("room on the disk");
    }
    assert_eq!(text(&resume(&killed)), undisturbed);
    assert_eq!(iterations(&killed), iterations(&calm));
    // Resuming a complete run plays nothing.
    assert_eq!(text(&resume(&killed)), undisturbed);
    assert_eq!(count_lines(&record), 31);
}

#[test]
fn an_interrupted_run_says_how_to_resume() {
    let dir = MatchDir::new();
    let mut command = arena(&[]);
    command.args(words(&dir, "2000")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the arena starts");
    let record = dir.file("tune.jsonl");
    wait_until("some iterations are played", || count_lines(&record) > 3);
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("a running arena");
    let output = child.wait_with_output().expect("an ended arena");
    assert_eq!(output.status.code(), Some(130));
    let hint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(hint.contains("tune --resume"), "{hint}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(" of 2000 games"));
}

#[test]
fn a_record_that_was_changed_is_refused() {
    let dir = MatchDir::new();
    text(&run(&words(&dir, "16")));
    let record = dir.file("tune.jsonl");
    let whole = std::fs::read_to_string(&record).expect("a record");
    let lines: Vec<&str> = whole.lines().collect();
    let error = |content: &str| {
        std::fs::write(&record, content).expect("a file");
        let output = resume(&dir);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let swapped = format!("{}\n{}\n{}\n", lines[0], lines[2], lines[1]);
    assert!(error(&swapped).contains("line 2: expected 4 game pairs after 0 others"));
    let other = lines[0].replacen("\"seed\":3", "\"seed\":4", 1);
    assert!(error(&format!("{other}\n{}\n", lines[1])).contains("do not follow from the lines"));
    assert!(error(&format!("{}\n", lines[1])).contains("iteration before header"));
    assert!(error("").contains("not a tuning record"));
    assert!(error(&format!("{}\n{{}}\n", lines[0])).contains("line 2: not a line of a tuning"));
}

#[test]
fn invalid_input_is_refused_with_the_reason() {
    let dir = MatchDir::new();
    let record = dir.file("tune.jsonl");
    let engine = dummy("tunable", "native", "tunable");
    let with = |more: &[&str]| {
        let mut all = vec!["tune", "--record", record.to_str().expect("a path"), "--nodes", "10"];
        all.extend(engine.iter().map(String::as_str));
        all.extend(more);
        let error = refused(&all);
        assert!(!record.exists(), "a refused run leaves no record");
        error
    };
    assert!(with(&[]).contains("nothing to tune"));
    assert!(with(&["--param", "name=Skil"]).contains("did you mean 'Skill'?"));
    assert!(with(&["--param", "name=Skill", "max=101"]).contains("not within 0..100"));
    assert!(with(&["--param", "name=Skill", "start=-1"]).contains("start must be 0..100"));
    assert!(with(&["--param", "name=Skill", "speed=1"]).contains("unknown key 'speed'"));
    assert!(with(&["--param", "start=1"]).contains("expected name=NAME first"));
    assert!(with(&["--param", "name=Skill", "name=Skill"]).contains("duplicate parameter 'Skill'"));
    assert!(with(&["--param", "name=Weight"]).contains("set kind=int or kind=real"));
    assert!(with(&["--param", "name=Skill", "--batch", "0"]).contains("batch must be"));
    assert!(with(&["--param", "name=Skill", "--games", "3"]).contains("even number"));
    assert!(with(&["--param", "name=Skill", "--alpha", "nan"]).contains("alpha must be 0..1"));
    assert!(with(&["--params", "/nowhere"]).contains("cannot read the parameters"));
    let two = [&engine[..], &["--param".to_owned(), "name=Skill".to_owned()]].concat();
    assert!(with(&two.iter().map(String::as_str).collect::<Vec<_>>()).contains("one --engine"));
}

/// A value that the engine was to be given is where its tuning starts, whatever the case of its name.
#[test]
fn a_given_value_is_the_start() {
    let dir = MatchDir::new();
    let mut words = words(&dir, "8");
    let at = words.iter().position(|word| word == "start=20").expect("a start");
    words[at] = "kind=int".to_owned();
    let engine = words.iter().position(|word| word == "proto=native").expect("an engine");
    words.insert(engine, "option.skill=40".to_owned());
    let text = text(&run(&words));
    assert!(text.contains("| Skill     |    40 |"), "{text}");
    assert!(!text.contains("option.skill"), "{text}");
}

/// Real numbers are sent as text, several options at once, and lists are read from files.
#[test]
fn several_parameters_of_both_kinds_are_tuned() {
    let dir = MatchDir::new();
    let list = dir.write(
        "params.csv",
        "Skill, int, 30, 0, 100, 10, 0.02\nWeight, float, 0.5, 0, 1, 0.1, 0.02\n",
    );
    let mut words = words(&dir, "32");
    words.truncate(words.len() - 5);
    words.extend(["--params".to_owned(), list.display().to_string()]);
    let text = text(&run(&words));
    assert!(text.contains("| Weight    |   0.5 |"), "{text}");
    for iteration in iterations(&dir) {
        let weight =
            iteration["plus"][1].as_str().expect("a text").parse::<f64>().expect("a number");
        assert!((0.0..=1.0).contains(&weight) && weight != 0.5);
    }
}

#[test]
fn a_run_that_changes_nothing_offers_no_test() {
    let dir = MatchDir::new();
    let mut words = words(&dir, "8");
    let gain = words.iter_mut().find(|word| word.starts_with("r_end=")).expect("a gain");
    *gain = "r_end=0.000001".to_owned();
    let text = text(&run(&words));
    assert!(text.contains("Nothing to test"), "{text}");
    assert!(!text.contains("--sprt"), "{text}");
}
