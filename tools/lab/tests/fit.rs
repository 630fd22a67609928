//! Self-play and fitting with the real program.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use support::{lab_after, stderr};

fn play(games: usize, file: &Path) -> Output {
    let options = "--game '5 4' --game boom --nodes 100 --random 3 --plies 4 --solve 500";
    lab_after("", &format!("fit games {options} --games {games} --out"), file)
}

#[test]
fn games_go_on_where_they_were_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, resumed) = (folder.path().join("whole"), folder.path().join("resumed"));
    assert!(play(6, &whole).status.success());
    let complete = fs::read_to_string(&whole).expect("games");
    for number in 0..6 {
        assert!(complete.contains(&format!("\nend {number}\n")), "{complete}");
    }
    for part in [0, 1, complete.len() / 3, complete.len() / 2] {
        fs::write(&resumed, &complete[..part]).expect("the beginning");
        assert!(play(6, &resumed).status.success());
        assert_eq!(fs::read_to_string(&resumed).expect("games"), complete, "{part}");
    }
    let other = lab_after("", "fit games --game '5 4' --out", &whole);
    assert!(!other.status.success());
    assert!(stderr(&other).contains("recorded with other settings"), "{other:?}");
}

#[test]
fn weights_need_games_of_their_own_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    assert!(play(2, &path).status.success());
    let output = lab_after("", "fit weights connect4", &path);
    assert!(stderr(&output).contains("expected a game of connect4, got 'boom'"), "{output:?}");
}

#[test]
fn the_same_games_give_the_same_networks() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    let options = "--game 'kalah 2 3' --game 'kalah 3 2 empty' --nodes 50 --games 40";
    let played = lab_after("", &format!("fit games {options} --out"), &games);
    assert!(played.status.success(), "{played:?}");
    let fit = |name: &str| {
        let path = folder.path().join(name);
        let options = format!("fit network '{}' --epochs 3 --out", games.display());
        let output = lab_after("", &options, &path);
        assert!(output.status.success(), "{output:?}");
        fs::read(&path).expect("networks")
    };
    let networks = fit("a");
    assert!(networks.iter().any(|&byte| byte != 0));
    assert_eq!(networks, fit("b"));
}

#[test]
fn networks_are_fitted_to_kalah_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    assert!(play(2, &path).status.success());
    let networks = folder.path().join("networks");
    let options = format!("fit network --out '{}'", networks.display());
    let output = lab_after("", &options, &path);
    assert!(
        stderr(&output).contains("expected a game of kalah, got 'connect4 5 4 4'"),
        "{output:?}"
    );
    assert!(!networks.exists());
}
