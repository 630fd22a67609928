//! The page around the board, in a real browser: what must hold whatever the game, and every defect that
//! it once had.

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Browser, Page, SIZES, Server, open, open_for_two};

async fn play(page: &Page, column: u64) {
    let ply = page.ply().await;
    page.click(&format!("#board [data-move='{column}']")).await;
    page.wait_ply(ply + 1).await;
}

async fn is_open(page: &Page, dialog: &str) -> bool {
    page.eval(&format!("document.getElementById('{dialog}').open")).await == json!(true)
}

/// Counts the changes of the document in `root` during some time.
async fn changes(page: &Page, root: &str, milliseconds: u64) -> u64 {
    let count = page
        .eval(&format!(
            "new Promise((done) => {{ let count = 0;
               const observer = new MutationObserver((list) => {{ count += list.length; }});
               observer.observe(document.querySelector('{root}'), {{ subtree: true, childList: true, attributes: true, characterData: true }});
               setTimeout(() => {{ observer.disconnect(); done(count); }}, {milliseconds}); }})"
        ))
        .await;
    count.as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_fills_the_window_at_every_size() {
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
    for (width, height) in SIZES {
        let page = browser.open("about:blank").await;
        page.size(width, height, width.min(height) < 500).await;
        for game in ["c4:443", "boom:44", "wali:b2", "kalah:3", "c4-25x25x4:dc"] {
            page.go(&format!("{}#{game}", server.url())).await;
            let text = format!("{game} at {width}x{height}");
            let overflow =
                "[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]";
            assert_eq!(page.eval(overflow).await, json!([width, height]), "{text}: no scrolling");
            let frame = page.eval("(() => { const { left, top, right, bottom, width, height } = document.querySelector('#board .frame').getBoundingClientRect(); return { left, top, right, bottom, width, height }; })()").await;
            let number = |key: &str| frame[key].as_f64().unwrap();
            assert!(number("left") >= 0.0 && number("top") >= 0.0, "{text}: {frame}");
            assert!(
                number("right") <= f64::from(width) && number("bottom") <= f64::from(height),
                "{text}: {frame}"
            );
            // Either direction is used up: the height, or the width beside the panel.
            let portrait = height > width;
            let room = if portrait { 0.93 * f64::from(width) } else { 0.78 * f64::from(height) };
            let beside = page.eval("innerWidth - document.querySelector('.panel').getBoundingClientRect().width - 70").await;
            let used = if portrait { number("width") } else { number("height") };
            let wide = !portrait && number("width") >= 0.95 * beside.as_f64().unwrap();
            let high = portrait && number("height") >= 0.4 * f64::from(height);
            assert!(used >= room || wide || high, "{text}: {frame}");
        }
        page.assert_no_errors();
        page.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_board_is_zoomed_and_panned_on_a_phone() {
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
    let page = browser.open("about:blank").await;
    page.size(390, 844, true).await;
    page.go(&format!("{}#c4-25x25x4:", server.url())).await;
    page.choose("[data-player=p2-player]", "person").await;
    let width = "document.querySelector('#board .frame').getBoundingClientRect().width";
    let whole = page.eval(width).await.as_f64().unwrap();
    page.tap("#zoom-in").await;
    page.tap("#zoom-in").await;
    page.wait(&format!("{width} > {}", whole * 2.0)).await;
    page.eval("document.getElementById('board').scrollLeft = 9999").await;
    page.wait("document.getElementById('board').scrollLeft > 300").await;
    page.tap("#board [data-move='25']").await;
    page.wait_ply(1).await;
    page.tap("#zoom-out").await;
    page.tap("#zoom-out").await;
    page.wait(&format!("Math.abs({width} - {whole}) < 1")).await;
    // A board with places large enough has no such buttons.
    page.go(&format!("{}#c4:", server.url())).await;
    page.wait("document.getElementById('zoom').hidden").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn enter_starts_what_is_chosen() {
    let Some((_server, _browser, page)) = open("").await else { return };
    assert!(is_open(&page, "new-game").await, "the first visit begins with the start screen");
    assert_eq!(page.eval("document.querySelectorAll('#new-game .choice.game').length").await, 4);
    page.click(".choice:has([value=kalah])").await;
    page.click(".choice:has([value=friend])").await;
    page.key("Enter").await;
    page.wait("!document.getElementById('new-game').open").await;
    page.wait_text("#game-title", "Kalah").await;
    page.wait_text("#player-p2", "Person").await;
    // The computer starts.
    page.key("n").await;
    page.click(".choice:has([value=connect4])").await;
    page.click(".choice:has([value=computer])").await;
    page.click(".choice:has([name=level][value='1'])").await;
    page.click(".choice:has([value=them])").await;
    page.key("Enter").await;
    page.wait_text("#player-p1 small :first-child", "Beginner").await;
    page.wait_text("#player-p1 small :last-child", "Elo 600").await;
    page.wait_ply(1).await;
    // The choice is remembered, and Escape changes nothing.
    page.key("n").await;
    page.wait("document.querySelector('#new-game [value=them]').checked").await;
    page.key("Escape").await;
    page.wait("!document.getElementById('new-game').open").await;
    assert_eq!(page.ply().await, 1);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn experts_set_strategy_depth_threads_and_hash() {
    let Some((_server, _browser, page)) = open("").await else { return };
    page.click("#new-game details:not(.custom) summary").await;
    page.choose("[data-player=start-threads]", "2").await;
    page.choose("[data-player=start-hash]", "16").await;
    page.choose("[data-player=start-strategy]", "minimax").await;
    page.choose("[data-player=start-depth]", "2").await;
    page.click("#start").await;
    page.wait_text("#player-p2", "minimax").await;
    play(&page, 4).await;
    page.wait_ply(2).await;
    assert_eq!(page.eval("document.querySelector('[data-player=p2-depth]').value").await, "2");
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_and_keys_are_explained() {
    let Some((_server, _browser, page)) = open("#wali:").await else { return };
    page.click("#help").await;
    assert_eq!(page.eval("document.querySelectorAll('#how-dialog .how li svg').length").await, 4);
    page.click("#how-dialog .choice:has([value=boom])").await;
    page.wait_text("#how-dialog .how", "BOOM").await;
    page.key("Escape").await;
    page.key("?").await;
    assert!(is_open(&page, "keys-dialog").await);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_is_told_after_the_piece_has_landed() {
    let Some((_server, _browser, page)) = open_for_two("#c4:121212").await else { return };
    page.eval(
        "(() => {
           const [status, board] = ['status', 'board'].map((id) => document.getElementById(id));
           const { animate } = Element.prototype;
           window.seen = [];
           Element.prototype.animate = function (...all) { if (board.contains(this)) window.seen.push('animation'); return animate.apply(this, all); };
           new MutationObserver(() => {
             const moving = board.getAnimations({ subtree: true }).some((one) => one.playState === 'running');
             window.seen.push(`${status.dataset.result}${moving ? ' while moving' : ''}`);
           }).observe(status, { attributes: true, attributeFilter: ['data-result'] });
         })()",
    )
    .await;
    play(&page, 1).await;
    page.wait("document.getElementById('status').dataset.result === 'p1win'").await;
    let seen = page.eval("[window.seen[0], window.seen.find((one) => one !== 'animation')]").await;
    assert_eq!(
        seen,
        json!(["animation", "p1win"]),
        "the piece falls first, and then nothing moves"
    );
    page.wait_text("#announcer", "Red plays column 1. Red wins!").await;
    // What to do next; nothing goes on moving.
    page.wait("document.querySelector('[data-ending=rematch]')").await;
    page.wait("document.getAnimations().length === 0").await;
    page.click("[data-ending=rematch]").await;
    page.wait_ply(0).await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn resigning_asks_first() {
    let Some((_server, _browser, page)) = open_for_two("#c4:44").await else { return };
    page.click("#resign").await;
    assert!(is_open(&page, "confirm-dialog").await);
    page.key("Enter").await;
    page.wait("!document.getElementById('confirm-dialog').open").await;
    assert_eq!(page.eval("document.getElementById('status').dataset.result").await, "none");
    page.click("#resign").await;
    page.click("#confirm-yes").await;
    page.wait_text("#status", "Yellow wins: Red resigned").await;
    page.click("#undo").await;
    page.wait_text("#status", "Red to move").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn ones_own_move_in_a_linked_game_starts_the_engine() {
    let Some((_server, _browser, page)) = open("#c4:44").await else { return };
    play(&page, 4).await;
    page.wait_ply(4).await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_move_is_marked_after_undo_reload_and_link() {
    let Some((server, _browser, page)) = open_for_two("#c4:443").await else { return };
    let marked = "document.querySelectorAll('#board [data-last]').length > 0";
    page.wait(marked).await;
    page.click("#undo").await;
    page.wait_ply(2).await;
    page.wait(marked).await;
    page.reload().await;
    page.wait_ply(2).await;
    page.wait(marked).await;
    page.go(&format!("{}#c4:1234", server.url())).await;
    page.wait(marked).await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_column_is_called_full_while_the_engine_thinks() {
    // No book and no solver shorten the computer's time on this board.
    let Some((_server, _browser, page)) = open("#c4-9x9x4:").await else { return };
    page.choose("[data-player=p2-level]", "10").await;
    page.choose("[data-player=p2-seconds]", "10").await;
    play(&page, 4).await;
    page.wait("document.querySelector('.player.thinking')").await;
    let labels = page
        .eval("[...document.querySelectorAll('#board [aria-label]')].map((node) => node.getAttribute('aria-label')).join()")
        .await;
    assert!(!labels.as_str().unwrap().to_lowercase().contains("full"), "{labels}");
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leaks_while_the_analysis_is_off() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    page.choose("[data-player=p2-seconds]", "0.1").await;
    play(&page, 1).await;
    page.wait_ply(2).await;
    page.wait("document.querySelector('#board [data-move]')").await;
    assert_eq!(page.eval("document.querySelectorAll('[data-score]').length").await, 0);
    for hidden in ["#evaluation", "#graph", "#lines", "#search-info"] {
        let seen =
            page.eval(&format!("document.querySelector('{hidden}').checkVisibility()")).await;
        assert_eq!(seen, json!(false), "{hidden}");
    }
    let bar =
        page.eval("getComputedStyle(document.getElementById('evaluation-bar')).visibility").await;
    assert_eq!(bar, "hidden");
    assert_eq!(
        page.eval("document.querySelector('#moves').textContent.includes('+')").await,
        json!(false)
    );
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bomb_button_shifts_nothing() {
    let Some((_server, _browser, page)) = open_for_two("#boom:63644424473").await else { return };
    let places = "['#board .frame', '.toolbar', '.scroller', '.status-card'].map((name) => document.querySelector(name).getBoundingClientRect().top)";
    let before = page.eval(places).await;
    play(&page, 6).await;
    page.wait("document.querySelector('#actions [data-move=boom]')").await;
    assert_eq!(page.eval(places).await, before);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_tab_loses_nothing() {
    let Some((server, browser, page)) = open_for_two("#c4:").await else { return };
    for column in [4, 4, 3] {
        play(&page, column).await;
    }
    page.close().await;
    let page = browser.open(&server.url()).await;
    assert!(is_open(&page, "new-game").await);
    page.wait_text(".recent", "3 of 3").await;
    page.click("[data-recent]").await;
    page.wait_ply(3).await;
    page.wait_text("#player-p2", "Person").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_game_and_an_import_are_undone_with_their_variations() {
    let Some((_server, _browser, page)) = open_for_two("#c4:4433").await else { return };
    page.key("ArrowLeft").await;
    page.wait_ply(3).await;
    play(&page, 7).await;
    page.wait("document.querySelectorAll('#moves .variation').length === 1").await;
    page.key("n").await;
    page.click("#start").await;
    page.wait_ply(0).await;
    page.click(".message .act").await;
    page.wait_ply(4).await;
    page.wait("document.querySelectorAll('#moves .variation').length === 1").await;
    page.click("#share").await;
    page.write("#import-text", "1 2").await;
    page.click("#import").await;
    page.wait_ply(2).await;
    page.click(".message .act").await;
    page.wait_ply(4).await;
    page.wait("document.querySelectorAll('#moves .variation').length === 1").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn announcements_are_few_and_idle_means_idle() {
    let Some((_server, _browser, page)) = open_for_two("#c4-8x8x4:4545").await else { return };
    page.key("a").await;
    page.wait("document.querySelectorAll('#board [data-score]').length === 8").await;
    assert_eq!(
        changes(&page, "#announcer", 1500).await,
        0,
        "the live region rests during analysis"
    );
    assert_eq!(changes(&page, "#messages", 300).await, 0);
    // At most a frame's worth of changes, sixty times a second.
    assert!(changes(&page, "body", 1000).await < 1500);
    page.key("a").await;
    let mut counts = Vec::new();
    while counts.last() != Some(&0) {
        assert!(counts.len() < 10, "something changes while nothing happens: {counts:?}");
        counts.push(changes(&page, "body", 1000).await);
    }
    play(&page, 1).await;
    page.wait_text("#announcer", "Red plays column 1").await;
    page.assert_no_errors();
}

/// Values make the move list longer; the current move stays in it, and on a laptop some of the list is seen.
#[tokio::test(flavor = "multi_thread")]
async fn the_current_move_stays_in_sight() {
    let Some((_server, _browser, page)) = open_for_two("#c4:444344335235").await else { return };
    page.size(1280, 720, false).await;
    page.key("a").await;
    page.wait("document.querySelectorAll('#moves small:not(:empty)').length === 12").await;
    let inside =
        "((inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1)";
    let boxes = "...['#moves .current', '#moves', '.scroller'].map((name) => document.querySelector(name).getBoundingClientRect())";
    page.wait(&format!(
        "((move, list, scroller) => {inside}(move, list) && {inside}(move, scroller))({boxes})"
    ))
    .await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_reasons_and_the_review_are_in_words() {
    let Some((_server, _browser, page)) = open_for_two("#c4:121211").await else { return };
    page.key("a").await;
    page.wait_text("#evaluation", "(proved)").await;
    page.wait_text("#evaluation", "in").await;
    page.wait("document.querySelectorAll('#lines li').length === 3").await;
    page.click("#why").await;
    page.wait("document.querySelectorAll('#reasons li').length > 1").await;
    page.click("#review-game").await;
    page.wait("document.querySelector('[data-mistake=\"1\"]')").await;
    page.wait_text("[data-mistake=\"1\"]", "4 was better (win in 21 moves)").await;
    page.click("[data-mistake='1'] button:last-of-type").await;
    page.wait_text("[data-mistake=\"1\"] p", "Turns a win into a loss").await;
    page.wait("document.querySelector('#moves [data-ply=\"1\"] .mark').textContent === '?'").await;
    // Moves have the numbers of the move list.
    let labels = page.eval("[...document.querySelectorAll('[data-mistake]')].map((item) => [item.dataset.mistake, item.querySelector('.move').textContent])").await;
    assert_eq!(labels, json!([["1", "1. 1?"], ["4", "2… 2?!"]]));
    // At the start the value is that of the side to move.
    page.wait("document.querySelector('#moves [data-ply=\"0\"]').title === 'win in 21 moves'")
        .await;
    page.click("[data-mistake='1'] .move").await;
    page.wait_ply(0).await;
    // The first move of the best line is played as a variation.
    page.wait("document.querySelector('#lines [data-line^=\"4\"] button')").await;
    page.click("#lines [data-line^='4'] button").await;
    page.wait_ply(1).await;
    page.wait("document.querySelectorAll('#moves .variation').length === 1").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_engine_in_the_analysis_is_reported() {
    // This engine rejects every option.
    let Some(python) = ratlla_workspace::python() else { return };
    let nim = format!("{python} {}/tests/data/nim.py", env!("CARGO_MANIFEST_DIR"));
    let server = Server::start(&["--engine", &nim]);
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&format!("{}#game=nim+5", server.url())).await;
    page.eval(
        "window.failures = 0; addEventListener('unhandledrejection', () => (window.failures += 1))",
    )
    .await;
    page.key("a").await;
    page.wait("document.documentElement.hasAttribute('data-analysis')").await;
    page.wait_text("#messages", "this engine has no options").await;
    page.click("#hint").await;
    page.wait("document.querySelectorAll('#messages .message').length === 1").await;
    assert_eq!(page.eval("window.failures").await, 0);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_takes_back_moves_that_do_not_win() {
    let Some((_server, _browser, page)) = open("").await else { return };
    // A win that was missed in a game reviewed before.
    page.eval("localStorage.setItem('ratlla-puzzles', JSON.stringify([{ fragment: '#c4:1343651251526534', time: 1 }]))").await;
    page.click("#start-puzzle").await;
    page.wait("document.querySelector('[data-puzzle=show]')").await;
    page.wait_text("#puzzle-text", "Red to move and win in 2 moves.").await;
    page.wait_text("#puzzle", "From your game of").await;
    let ply = page.ply().await;
    page.click("[data-puzzle=show]").await;
    page.wait("document.querySelector('#board [data-hint]')").await;
    let hint = page.eval("document.querySelector('#board [data-hint]').dataset.hint").await;
    let wrong = page
        .eval(&format!("[...document.querySelectorAll('#board [data-move]')].map((node) => node.dataset.move).find((move) => move !== {hint})"))
        .await;
    page.click(&format!("#board [data-move={wrong}]")).await;
    page.wait_text("#puzzle-text", "does not win").await;
    page.wait_ply(ply).await;
    page.click(&format!("#board [data-move={hint}]")).await;
    page.wait("/Right|Solved/.test(document.getElementById('puzzle-text').textContent)").await;
    // The next one comes from the solver, which may have to look for it.
    page.click("[data-puzzle=next]").await;
    let found = "!document.getElementById('puzzle').textContent.includes('From your game') && document.querySelector('[data-puzzle=show]')";
    for _ in 0..600 {
        if page.eval(&format!("Boolean({found})")).await == json!(true) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    page.wait(found).await;
    page.wait_text("#puzzle-text", "to move and win in").await;
    page.assert_no_errors();
}

/// Numbers on the board are moves to the end, leads, or estimates, and never look like another of these.
#[tokio::test(flavor = "multi_thread")]
async fn scores_are_told_as_players_count() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    for (game, kind, value, short, long) in [
        ("connect4 6 7 4", "win", 7, "+4", "win in 4 moves"),
        ("connect4 6 7 4", "loss", 2, "−1", "loss in 1 move"),
        ("connect4 6 7 4", "cp", -40, "−0.4", "estimate −0.4"),
        ("boom", "win", 7, "+7", "win within 7 moves"),
        ("kalah 6 4", "margin", 8, "+8", "wins by 8"),
        ("kalah 6 4", "cp", 340, "+3.4", "estimate +3.4"),
        // More than half of the seeds are in a store.
        ("kalah 6 4", "cp", 7020, "+20.2", "estimate +20.2"),
        ("kalah 6 4", "cp", -7020, "−20.2", "estimate −20.2"),
        ("kalah 12 12", "cp", 7020, "+70.2", "estimate +70.2"),
        ("kalah 6 4", "win", 22, ">0", "won"),
        ("kalah 6 4", "loss", 21, "<0", "lost"),
    ] {
        let score = json!({ "kind": kind, "value": value });
        let labels = page
            .eval(&format!(
                "import('./score.js').then(({{ longLabel, scoreIn, shortLabel }}) => [shortLabel, longLabel].map((label) => label(scoreIn({}, {score}))))",
                json!(game)
            ))
            .await;
        assert_eq!(labels, json!([short, long]), "{game} {score}");
    }
    page.assert_no_errors();
}

/// On a phone, what is asked for is in sight, and nothing covers the board.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_shows_first_what_is_asked_for() {
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
    let page = browser.open("about:blank").await;
    page.size(390, 844, true).await;
    page.go(&format!("{}#c4:4433", server.url())).await;
    page.tap("#analysis-on").await;
    page.wait("document.querySelectorAll('#lines li').length === 3").await;
    let bottom = page
        .eval("document.querySelector('#lines li:last-child').getBoundingClientRect().bottom")
        .await;
    assert!(bottom.as_f64() <= Some(844.0), "{bottom}");
    let boxes = "['#zoom', '#board .frame svg'].map((name) => document.querySelector(name).getBoundingClientRect())";
    for (width, height, phone) in [(390, 844, true), (844, 390, true), (1280, 800, false)] {
        page.size(width, height, phone).await;
        page.go(&format!("{}#c4-25x25x4:dcd", server.url())).await;
        page.wait("!document.getElementById('zoom').hidden").await;
        page.wait(&format!("(([zoom, board]) => zoom.bottom <= board.top + 1 || zoom.left >= board.right - 1)({boxes})")).await;
    }
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn targets_are_large_enough_for_fingers() {
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
    let page = browser.open("about:blank").await;
    page.size(390, 844, true).await;
    page.go(&format!("{}#c4:443", server.url())).await;
    let small = page
        .eval(
            "[...document.querySelectorAll('.title-bar button, .toolbar button, .players button, .switch, #actions button')] \
             .map((node) => [node.id, node.getBoundingClientRect()]).filter(([, box]) => box.width < 44 || box.height < 44).map(([id]) => id)",
        )
        .await;
    assert_eq!(small, Value::Array(Vec::new()));
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_https_the_page_connects_with_wss() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    let urls = page
        .eval(
            "import('./connection.js').then(({ openConnection }) => {
               const urls = [];
               window.WebSocket = class extends EventTarget { constructor(url) { super(); urls.push(String(url)); } };
               for (const value of ['https://board.test/token/', 'http://board.test/token/']) {
                 Object.defineProperty(document, 'baseURI', { value, configurable: true });
                 openConnection();
               }
               return urls;
             })",
        )
        .await;
    assert_eq!(urls, json!(["wss://board.test/token/engines", "ws://board.test/token/engines"]));
}

/// Rows and columns up to 9 are possible, but not 9 of each.
#[tokio::test(flavor = "multi_thread")]
async fn a_size_that_does_not_exist_is_refused_at_once() {
    let Some((_server, _browser, page)) = open("#wali:").await else { return };
    page.key("n").await;
    page.click(".custom summary").await;
    page.wait_text(".parameters", "At most 32 cells").await;
    page.write("[name=rows]", "9").await;
    page.key("Tab").await;
    page.wait_text("#new-error", "at most 32 cells (9 rows of 6 are 54)").await;
    page.write("[name=columns]", "3").await;
    page.key("Tab").await;
    page.wait("document.getElementById('new-error').textContent === ''").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_must_pass_is_told_so() {
    // The only stone of Red is shut in.
    let position = "#game=wali+5+6+12&setup=cells+....../....../....../2...../12....+p1+move";
    let Some((_server, _browser, page)) = open_for_two(position).await else { return };
    page.wait_text("#status", "Red to move: no stone can move: pass").await;
    page.click("#actions [data-move=pass]").await;
    page.wait_ply(1).await;
    page.wait_text("#status", "Yellow to move: move a stone").await;
    page.assert_no_errors();
}

/// The number beside the board is never cut off, whatever its length.
#[tokio::test(flavor = "multi_thread")]
async fn the_value_of_the_position_is_shown_whole() {
    let Some((_server, _browser, page)) = open("#kalah:36").await else { return };
    page.key("a").await;
    page.wait("document.querySelector('#evaluation-bar b').textContent").await;
    let seen = page
        .eval(
            "(() => { const label = document.querySelector('#evaluation-bar b'); label.textContent = '+70.3';
               const { left, right, top, height } = label.getBoundingClientRect();
               const parents = []; for (let node = label.parentElement; node; node = node.parentElement) parents.push(node);
               const clips = parents.filter((node) => getComputedStyle(node).overflowX !== 'visible' && node !== document.body);
               const board = document.querySelector('#board .frame').getBoundingClientRect().left;
               return [label.scrollWidth <= label.clientWidth, clips.length, left >= 0, right <= board + 1, document.elementFromPoint(left + 2, top + height / 2) === label]; })()",
        )
        .await;
    assert_eq!(seen, json!([true, 0, true, true, true]));
    page.assert_no_errors();
}
