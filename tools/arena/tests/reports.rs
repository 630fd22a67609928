//! Reports of real matches: PGN, CSV, and the page in a real browser.

mod support;

use std::path::{Path, PathBuf};

use serde_json::json;
use support::browser::Browser;
use support::{MatchDir, arena, dummy};

const HOSTILE: &str = "<img src=x onerror=alert(1)><script>alert(2)</script>";

/// Writes all reports of the record in a directory.
fn reports(dir: &MatchDir) -> [PathBuf; 3] {
    let files = ["games.pgn", "games.csv", "games.html"].map(|name| dir.file(name));
    let mut command = arena(&["report"]);
    command.arg(dir.file("games.jsonl"));
    for (flag, file) in ["--pgn", "--csv", "--html"].iter().zip(&files) {
        command.arg(flag).arg(file);
    }
    let output = command.output().expect("the arena starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a report")
}

/// A match of a game with random openings.
fn played(game: &str, games: &str) -> MatchDir {
    let dir = MatchDir::new();
    let engines = [dummy(HOSTILE, "native", ""), dummy("b | \"c\"", "native", "")];
    dir.play(&engines, &["--game", game, "--games", games, "--depth", "1"]);
    dir
}

#[test]
fn pgn_and_csv_have_every_game() {
    let dir = played("6 7", "4");
    let [pgn, csv, _] = reports(&dir);
    let pgn = read(&pgn);
    assert_eq!(pgn.matches("[Event ").count(), 4);
    assert!(pgn.contains("[White \"b | \\\"c\\\"\"]"), "{pgn}");
    assert!(pgn.contains("{+0.00/1 0.0"), "{pgn}");
    assert_eq!(read(&csv).lines().count(), 5);
}

#[test]
fn a_report_does_not_overwrite_the_record() {
    let dir = played("6 7", "2");
    let record = dir.file("games.jsonl");
    let before = read(&record);
    let linked = dir.file("link.jsonl");
    std::os::unix::fs::symlink(&record, &linked).expect("a link");
    for flag in ["--pgn", "--csv", "--html", "--svg"] {
        let output =
            arena(&["report"]).arg(&record).arg(flag).arg(&linked).output().expect("a run");
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("is the record itself"));
        assert_eq!(read(&record), before);
    }
}

#[test]
fn hostile_names_are_text_and_nothing_leaves_the_page() {
    let dir = played("6 7", "6");
    let [.., page] = reports(&dir);
    let Some(mut browser) = Browser::open(&page, [1280, 720], "light") else { return };
    assert!(browser.text("#results").contains(HOSTILE));
    assert!(browser.text("#list").contains(HOSTILE));
    assert!(browser.text("#plots").contains("<img src=x onerror"));
    assert_eq!(browser.eval("document.images.length + document.scripts.length"), json!(2));
    assert_eq!(browser.eval("document.title.startsWith('connect4 6 7 4: ')"), json!(true));
    assert_eq!(browser.complaints, Vec::<String>::new());
    // Even markup that is inserted cannot run: the policy allows one script.
    browser.eval(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')",
    );
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_ne!(browser.eval("document.title"), json!("1"));
}

#[test]
fn games_are_replayed_with_keys_and_buttons() {
    let dir = played("6 7", "6");
    let [.., page] = reports(&dir);
    let Some(mut browser) = Browser::open(&page, [1280, 720], "dark") else { return };
    let stones = "document.querySelectorAll('#board .piece').length";
    let plies = browser.eval("document.querySelectorAll('#moves li').length");
    assert_eq!(browser.eval(stones), plies, "the final position is shown");
    assert_eq!(browser.eval("document.querySelectorAll('#board .won').length >= 4"), json!(true));
    browser.click("#first");
    assert_eq!(browser.eval(stones), json!(0));
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    browser.key("ArrowLeft");
    assert_eq!(browser.eval(stones), json!(1));
    assert!(browser.text("#status").contains("opening"));
    browser.key("n");
    assert_eq!(browser.eval("location.hash.startsWith('#game=1&')"), json!(true));
    browser.key("End");
    browser.key("Home");
    browser.click("#moves [data-ply='5']");
    assert_eq!(browser.eval(stones), json!(5));
    browser.click("#last");
    assert!(browser.text("#status").contains(" wins (line)"));
    // The cross table lists the games of a pairing, and an address names a position.
    browser.click("#cross td.ahead button, #cross td.level button");
    assert_eq!(browser.text("#count"), "6");
    browser.eval("location.hash = '#game=3&ply=2'");
    browser.wait("document.querySelectorAll('#board .piece').length === 2");
    browser.click("#theme");
    assert_eq!(browser.eval("document.documentElement.dataset.theme"), json!("light"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// A link to a position shows it, and not the top of the page.
#[test]
fn an_address_scrolls_to_its_game() {
    let dir = played("6 7", "6");
    let [.., page] = reports(&dir);
    for size in [[1280, 720], [390, 844]] {
        let Some(mut browser) = Browser::open(&page, size, "light") else { return };
        assert_eq!(browser.eval("scrollY + location.hash"), json!("0"), "a page without a link");
        let Some(mut browser) = Browser::open_at(&page, "#game=3&ply=2", size, "light") else {
            return;
        };
        let pieces = "document.querySelectorAll('#board .piece').length";
        assert_eq!(browser.eval(pieces), json!(2));
        let board = "document.getElementById('board').getBoundingClientRect()";
        let is_visible = format!("{board}.top >= 0 && {board}.top < innerHeight / 2");
        assert_eq!(browser.eval(&is_visible), json!(true), "{size:?}");
    }
}

/// Every game has a board, and no page is wider than a phone.
#[test]
fn all_games_fit_on_a_phone() {
    for (game, selector) in [
        ("25 25", "#board .columns .piece"),
        ("boom", "#board .columns .piece"),
        ("wali", "#board .squares .piece"),
        ("kalah", "#board .houses .seed"),
    ] {
        let dir = played(game, "2");
        let [.., page] = reports(&dir);
        let Some(mut browser) = Browser::open(&page, [390, 844], "light") else { return };
        let shown = browser.eval(&format!("document.querySelectorAll('{selector}').length > 3"));
        assert_eq!(shown, json!(true), "{game}");
        let width = browser.eval("document.documentElement.scrollWidth");
        assert_eq!(width, json!(390), "{game}");
        assert_eq!(browser.complaints, Vec::<String>::new(), "{game}");
    }
}
