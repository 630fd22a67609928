//! The boards, each in a box of its own in a real browser, without the page around them.

mod support;

use serde_json::{Value, json};
use support::boards::{assert_no_errors, count, number, open, show, states};
use support::{Page, SIZES};

/// Two rows of Kalah, Wali, BOOM and Connect Four from the smallest to the largest.
const GAMES: [&str; 9] = [
    "connect4 6 7 4",
    "connect4 4 4 4",
    "connect4 25 25 4",
    "connect4 4 25 4",
    "boom",
    "wali",
    "wali 8 4 16",
    "kalah 6 4",
    "kalah 12 12",
];

/// The last two positions of a game.
fn last_two(game: &str, setup: &str, moves: &str) -> (Value, Value) {
    let mut all = states(game, setup, moves);
    let last = all.pop().unwrap();
    (all.pop().unwrap(), last)
}

/// Shows how the last move led from one position to the next.
async fn show_move(page: &Page, previous: &Value, state: &Value) {
    page.eval(&format!(
        "show({state}, {{ previous: {previous}, move: {} }})",
        state["last"]["move"]
    ))
    .await;
}

async fn label(page: &Page, place: &str) -> String {
    page.eval(&format!("label('{place}')")).await.as_str().unwrap().to_owned()
}

async fn reduce_motion(page: &Page, value: &str) {
    let features = json!({ "features": [{ "name": "prefers-reduced-motion", "value": value }] });
    page.call("Emulation.setEmulatedMedia", features).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_fill_their_box_at_every_size() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (width, height) in SIZES {
        page.size(width, height, width.min(height) < 500).await;
        for game in GAMES {
            show(&page, &states(game, "startpos", "")[0]).await;
            let (frame, stage) =
                (page.eval("box('.frame')").await, page.eval("box('.stage')").await);
            for (start, size, limit) in [("left", "width", width), ("top", "height", height)] {
                let (start, size) = (number(&frame[start]), number(&frame[size]));
                assert!(start >= -0.5, "{game} {width}x{height}: {frame}");
                assert!(start + size <= f64::from(limit) + 0.5, "{game} {width}x{height}: {frame}");
            }
            let filled =
                ["width", "height"].map(|size| number(&frame[size]) / number(&stage[size]));
            assert!(filled[0].max(filled[1]) > 0.99, "{game} {width}x{height}: {frame} in {stage}");
            let share = number(&stage["width"]) * number(&stage["height"]);
            assert!(share > 0.6 * f64::from(width * height), "{game} {width}x{height}: {stage}");
            let scrolls = "document.scrollingElement.scrollWidth > innerWidth || document.scrollingElement.scrollHeight > innerHeight";
            assert_eq!(page.eval(scrolls).await, false, "{game} {width}x{height}");
        }
    }
    // What is clicked is where it is seen, also after a change of the size.
    show(&page, states("connect4 6 7 4", "startpos", "4 4 4").last().unwrap()).await;
    page.size(700, 500, false).await;
    page.wait(
        "Math.abs(box('.piece[data-at=\"3,3\"]').x - box('[data-place=\"column 3\"]').x) < 1",
    )
    .await;
    page.wait(
        "Math.abs(box('.piece[data-at=\"3,3\"]').y - box('[data-place=\"cell 3 3\"]').y) < 1",
    )
    .await;
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn places_say_what_is_there() {
    let Some((_server, _browser, page)) = open().await else { return };
    let state = states("connect4 6 7 4", "startpos", "4 4 4 5 1 1 1 1 1 1").pop().unwrap();
    for playable in [true, false] {
        page.eval(&format!("show({state}, {{ playable: {playable} }})")).await;
        assert_eq!(label(&page, "column 3").await, "Column 4, 3 pieces, top Red");
        assert_eq!(label(&page, "column 4").await, "Column 5, 1 piece, Yellow");
        assert_eq!(label(&page, "column 6").await, "Column 7, empty");
        assert_eq!(label(&page, "column 0").await, "Column 1, full, top Yellow");
        assert_eq!(label(&page, "cell 4 3").await, "Column 4, row 2: Yellow");
        assert_eq!(label(&page, "cell 0 6").await, "Column 7, row 6: empty");
        assert_eq!(count(&page, "[data-move]").await, if playable { 6 } else { 0 });
        assert_eq!(count(&page, "[aria-disabled]").await, if playable { 1 } else { 7 });
    }
    let boom = states("boom", "startpos", "6 3 6 4 4 4 2 4 4 7 3 6").pop().unwrap();
    show(&page, &boom).await;
    assert_eq!(label(&page, "cell 4 5").await, "Column 6, row 3: Red, bomb");
    assert_eq!(count(&page, "[data-victim]").await, 1);
    assert_eq!(count(&page, ".pip:not(.used)").await, 1);
    show(&page, &states("kalah 6 4", "startpos", "3").pop().unwrap()).await;
    assert_eq!(label(&page, "p1 2").await, "Red, house 3, 0 seeds");
    assert_eq!(label(&page, "p1 6").await, "Red, store, 1 seed");
    show(&page, &states("wali", "startpos", "b2 c2").pop().unwrap()).await;
    assert_eq!(label(&page, "b2").await, "b2: Red");
    assert_eq!(label(&page, "a1").await, "a1: empty");
    // One grid, whose rows hold all the cells, and one tab stop.
    assert_eq!(count(&page, "[role=grid] > [role=row] > [role=gridcell]").await, 30);
    assert_eq!(count(&page, "[role=grid][aria-label]").await, 1);
    assert_eq!(count(&page, "[data-board] [tabindex='0']").await, 1);
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_focus_stays_where_it_was() {
    let Some((_server, _browser, page)) = open().await else { return };
    let focused = "document.activeElement.dataset.place";
    let game = states("connect4 6 7 4", "startpos", "4 4");
    show(&page, &game[0]).await;
    page.eval("view.focus()").await;
    assert_eq!(page.eval(focused).await, "column 0");
    for key in ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"] {
        page.key(key).await;
    }
    assert_eq!(page.eval(focused).await, "column 3");
    // The piece in the hand, and where it would land.
    page.wait("document.querySelectorAll('.hand use, .landing use').length === 2").await;
    page.key("Enter").await;
    assert_eq!(page.eval("played").await, json!(["4"]));
    show_move(&page, &game[0], &game[1]).await;
    assert_eq!(page.eval(focused).await, "column 3");
    assert_eq!(page.eval("document.activeElement.tabIndex").await, 0, "it is the tab stop");
    page.key("ArrowUp").await;
    assert_eq!(page.eval(focused).await, "column 3");
    page.key("ArrowDown").await;
    assert_eq!(page.eval(focused).await, "cell 0 3");
    show_move(&page, &game[1], &game[2]).await;
    assert_eq!(page.eval(focused).await, "cell 0 3");
    page.key("End").await;
    page.key("Enter").await;
    assert_eq!(page.eval("played").await, json!(["4", "7"]), "a cell plays its column");
    page.eval(&format!("show({}, {{ playable: false }})", game[2])).await;
    page.key("Enter").await;
    assert_eq!(page.eval("played.length").await, 2);
    assert_eq!(count(&page, "[data-board] [tabindex='0']").await, 1);
    // Wali, with a capture.
    let wali = &states("wali", "cells ....../.1..../1.11../.1..../2...22 p1 move", "")[0];
    show(&page, wali).await;
    for (place, target) in [("a3", "target"), ("b3", "capture")] {
        page.eval(&format!("document.querySelector('[data-place={place}]').focus()")).await;
        page.key("Enter").await;
        page.wait(&format!("document.querySelector('.target.{target}')")).await;
    }
    assert_eq!(label(&page, "e1").await, "Capture e1");
    assert_eq!(page.text(".phases .now").await, "Capture");
    page.key("Escape").await;
    page.wait("!document.querySelector('.selected')").await;
    page.click("[data-cell=a3]").await;
    page.click("[data-cell=b3]").await;
    page.click("[data-cell=e1]").await;
    page.wait("played.at(-1) === 'a3b3xe1'").await;
    assert_no_errors(&page);
}

/// Moves of every game: a drop, a win, an explosion, sowing, a capture, the end.
fn animated_moves() -> Vec<(Value, Value)> {
    let captures = "cells ....../.1..../1.11../.1..../2...22 p1 move";
    vec![
        last_two("connect4 6 7 4", "startpos", "4"),
        last_two("connect4 6 7 4", "startpos", "1 2 1 2 1 2 1"),
        last_two("boom", "startpos", "6 3 6 4 4 4 2 4 4 7 3 6 boom"),
        last_two("wali", "startpos", "c3"),
        last_two("wali", captures, "a3b3xe1"),
        last_two("kalah 6 4", "startpos", "3"),
        last_two("kalah 6 4", "startpos", "3 6 2 5 1"),
        last_two("kalah 3 2", "startpos", "2 3 1 3 2 2 2 3"),
    ]
}

/// What is on the board.
const CONTENT: &str = "[...document.querySelectorAll('.pieces, .seeds, .counts, .marks')].map((node) => node.outerHTML).join('')";

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_animated_unless_motion_is_reduced() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (previous, state) in animated_moves() {
        let name = state["game"].clone();
        reduce_motion(&page, "no-preference").await;
        show(&page, &previous).await;
        show_move(&page, &previous, &state).await;
        assert!(page.eval("animations").await.as_u64() > Some(0), "{name}");
        page.wait("document.getAnimations().length === 0").await;
        assert_eq!(page.eval("document.querySelector('.effects').childElementCount").await, 0);
        let moved = page.eval(CONTENT).await;
        reduce_motion(&page, "reduce").await;
        show(&page, &previous).await;
        show_move(&page, &previous, &state).await;
        assert_eq!(page.eval("animations").await, 0, "{name}");
        assert_eq!(page.eval(CONTENT).await, moved, "{name}");
    }
    assert_no_errors(&page);
}

/// A click during an animation would be lost, so no place offers a move.
#[tokio::test(flavor = "multi_thread")]
async fn no_move_is_offered_while_one_is_animated() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (previous, state) in animated_moves() {
        show(&page, &previous).await;
        assert!(count(&page, "[data-move], [data-cell]").await > 0);
        let offered = page
            .eval(&format!(
                "(async () => {{ const shown = show({state}, {{ previous: {previous}, move: 'any' }});
                   const offered = document.querySelectorAll('[data-move], [data-cell]').length;
                   await shown; return offered; }})()"
            ))
            .await;
        assert_eq!(offered, 0, "{state}");
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_replaces_an_animation() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (previous, state) in animated_moves() {
        show(&page, &previous).await;
        let before = page.eval(CONTENT).await;
        // Undone while it is being animated.
        let race = format!(
            "Promise.all([show({state}, {{ previous: {previous}, move: 'any' }}), new Promise((done) => setTimeout(done, 60)).then(() => show({previous}))])"
        );
        page.eval(&race).await;
        page.wait("document.getAnimations().length === 0").await;
        assert_eq!(page.eval(CONTENT).await, before);
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_move_and_the_line_are_marked_without_an_animation() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (game, moves, mark) in [
        ("connect4 6 7 4", "4 4 3", "5,2"),
        ("boom", "4 5", "6,4"),
        ("wali", "c3", "c3"),
        ("kalah 6 4", "3", "3"),
    ] {
        let all = states(game, "startpos", moves);
        show(&page, all.last().unwrap()).await;
        let marks =
            "[...document.querySelectorAll('[data-last]')].map((node) => node.dataset.last)";
        assert_eq!(page.eval(marks).await, json!([mark]), "{game}");
        show(&page, &all[0]).await;
        assert_eq!(count(&page, "[data-last]").await, 0, "{game}");
    }
    let exploded = states("boom", "startpos", "1 3 7 2 5 4 5 1 6 7 1 6 7 2 boom").pop().unwrap();
    show(&page, &exploded).await;
    let cell = exploded["last"]["from"].as_array().unwrap();
    assert_eq!(count(&page, &format!("[data-last='{},{}']", cell[0], cell[1])).await, 1);
    let won = states("connect4 6 7 4", "startpos", "1 2 1 2 1 2 1").pop().unwrap();
    show(&page, &won).await;
    let line = page.eval("document.querySelector('[data-winning]').dataset.winning").await;
    assert_eq!(line, "2,0 5,0");
    assert_eq!(count(&page, ".piece[opacity]").await, 3, "the others are dimmed");
    // One piece that completes two lines.
    let two = states("connect4 6 7 4", "startpos", "1 7 2 7 3 7 5 1 6 2 7 3 4").pop().unwrap();
    show(&page, &two).await;
    let cells = two["ending"]["cells"].as_array().unwrap().len();
    assert_eq!(count(&page, ".piece:not([opacity])").await, cells as u64);
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_move_stays_marked_after_a_link_a_reload_and_undo() {
    let Some((server, _browser, page)) = open().await else { return };
    let marked = |cell: &str| {
        format!(
            "[...document.querySelectorAll('#board [data-last]')].map((node) => node.dataset.last).join(' ') === '{cell}'"
        )
    };
    page.go(&format!("{}#game=connect4+6+7+4&moves=4+4+3", server.url())).await;
    page.wait(&marked("5,2")).await;
    page.reload().await;
    page.wait(&marked("5,2")).await;
    page.click("#undo").await;
    page.wait("document.querySelectorAll('.piece').length < 3").await;
    page.wait("document.querySelectorAll('#board [data-last]').length === 1").await;
    page.wait("document.querySelector('.piece[data-at=\"' + document.querySelector('[data-last]').dataset.last + '\"]')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_touch_only_what_has_changed() {
    let Some((_server, _browser, page)) = open().await else { return };
    for (game, moves) in
        [("connect4 25 25 4", "4 4 3"), ("boom", "4 5"), ("wali", "c3"), ("kalah 6 4", "3")]
    {
        let state = states(game, "startpos", moves).pop().unwrap();
        show(&page, &state).await;
        let counted = page
            .eval(&format!(
                "(async () => {{
                   const legal = {}.map(({{ move }}) => move);
                   const scores = (first) => new Map(legal.map((move, at) => [move, {{ kind: 'cp', value: at ? 100 : first }}]));
                   const best = new Set([legal[1]]);
                   await annotate({{ moveScores: scores(0), best }});
                   let changes = 0;
                   let drawings = 0;
                   const observer = new MutationObserver((records) => {{ changes += records.length; drawings += 1; }});
                   observer.observe(document.querySelector('[data-board]'), {{ subtree: true, childList: true, attributes: true, characterData: true }});
                   for (let at = 0; at < 50; at += 1) view.annotate({{ playable: true, moveScores: scores(0), best: new Set(best), pv: [], line: [], hint: null }});
                   await annotate({{ moveScores: scores(0), best }});
                   const same = changes;
                   for (let at = 0; at < 50; at += 1) view.annotate({{ playable: true, moveScores: scores(10 * at), best, pv: [], line: [], hint: null }});
                   await annotate({{ moveScores: scores(700), best }});
                   return {{ same, changes, drawings }};
                 }})()",
                state["moves"]
            ))
            .await;
        assert_eq!(counted["same"], 0, "{game}: {counted}");
        assert!(counted["changes"].as_u64() > Some(0), "{game}: {counted}");
        assert!(counted["changes"].as_u64() < Some(12), "{game}: {counted}");
        assert_eq!(counted["drawings"], 1, "{game}: {counted}");
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn kalah_turns_ones_own_houses_to_the_bottom() {
    let Some((_server, _browser, page)) = open().await else { return };
    page.size(1280, 720, false).await;
    let state = states("kalah 6 4", "startpos", "").pop().unwrap();
    for (side, lower) in [("null", "p1"), ("'p2'", "p2"), ("'p1'", "p1")] {
        page.eval(&format!("show({state}, {{ side: {side} }})")).await;
        let y = "(side) => box(`[data-place='${side} 0']`).y";
        let seen = page.eval(&format!("({y})('p1') > ({y})('p2') ? 'p1' : 'p2'")).await;
        assert_eq!(seen, lower, "{side}");
        let right = page
            .eval(&format!(
                "box(\"[data-place='{lower} 5']\").x > box(\"[data-place='{lower} 0']\").x"
            ))
            .await;
        assert_eq!(right, true, "sown to the right");
    }
    assert_no_errors(&page);
}
