//! The page in a real browser.

mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;
use support::engine::engine;
use support::{Browser, Page, Server, open, open_for_two, open_with};

/// Clicks these elements in turn, each of which makes a move.
async fn play(page: &Page, selectors: &[&str]) {
    for selector in selectors {
        let ply = page.ply().await;
        page.click(selector).await;
        page.wait_ply(ply + 1).await;
    }
}

fn columns(moves: &str) -> Vec<String> {
    moves.split(' ').map(|column| format!("#board [data-move='{column}']")).collect()
}

async fn play_columns(page: &Page, moves: &str) {
    let selectors = columns(moves);
    play(page, &selectors.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

async fn wait_result(page: &Page, result: &str) {
    page.wait(&format!("document.getElementById('status').dataset.result === '{result}'")).await;
}

async fn wait_count(page: &Page, count: &str) {
    page.wait(&format!("document.getElementById('move-count').textContent === '{count}'")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connect_four_is_won_and_undone() {
    let Some((_server, _browser, page)) = open_for_two("#game=connect4+6+7+4").await else {
        return;
    };
    play_columns(&page, "1 2 1 2 1 2 1").await;
    wait_result(&page, "p1win").await;
    assert_eq!(page.text("#status").await, "Red wins!");
    page.wait("document.querySelectorAll('#board [data-winning]').length === 1").await;
    assert_eq!(page.eval("document.querySelectorAll('#board .piece').length").await, 7);
    assert_eq!(page.eval("document.querySelectorAll('#board [data-move]').length").await, 0);
    page.click("#undo").await;
    page.wait_ply(6).await;
    wait_result(&page, "none").await;
    page.click("#undo").await;
    page.wait_ply(5).await;
    page.click("#redo").await;
    page.wait_ply(6).await;
    page.click("#redo").await;
    page.wait_ply(7).await;
    wait_result(&page, "p1win").await;
    // A move from an earlier position starts a variation; the game is still there.
    page.click("#moves [data-ply='4']").await;
    page.wait_ply(4).await;
    play_columns(&page, "7").await;
    wait_count(&page, "5 of 5").await;
    page.wait("document.querySelectorAll('#moves .variation').length === 1").await;
    page.click("#moves [data-ply='7']").await;
    page.wait_ply(7).await;
    wait_result(&page, "p1win").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn boom_is_won_with_and_without_bombs() {
    let Some((server, _browser, page)) = open_for_two("#game=boom").await else { return };
    play_columns(&page, "1 7 6 1 1 7 6 1").await;
    wait_result(&page, "p1win").await;
    // Player 1 has a bomb, whose explosion completes a line.
    let before = "game=boom&moves=6+3+6+4+4+4+2+4+4+7+3+6";
    page.go(&format!("{}#{before}", server.url())).await;
    page.wait("document.querySelectorAll('#board [data-victim]').length > 0").await;
    // The pieces in the row of the bomb are crossed out.
    let cells = engine("newgame boom\nposition moves 6 3 6 4 4 4 2 4 4 7 3 6\nd\n");
    let row = cells.iter().find(|line| line.contains('4') && !line.contains("5 6 7")).unwrap();
    let victims = row.matches(['2', '5']).count();
    let marked = page.eval("document.querySelectorAll('[data-victim]').length").await;
    assert_eq!(marked, victims);
    play(&page, &["#actions [data-move=boom]"]).await;
    wait_result(&page, "p1win").await;
    page.wait("document.querySelectorAll('#board [data-victim]').length === 0").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn wali_is_played_by_clicking_cells() {
    let Some((server, _browser, page)) = open_for_two("#game=wali").await else { return };
    play(&page, &["[data-cell=a1]", "[data-cell=b1]"]).await;
    assert_eq!(page.eval("document.querySelectorAll('[data-stone]').length").await, 2);
    // A stone must not be dropped next to one's own.
    assert_eq!(page.eval("document.querySelector('[data-cell=a2]')").await, json!(null));
    let last = "game=wali&setup=cells+....../.1..../1.11../.1..../2.....+p1+move";
    page.go(&format!("{}#{last}", server.url())).await;
    page.click("[data-cell=a3]").await;
    page.click("[data-cell=b3]").await;
    page.wait("document.querySelectorAll('.target.capture').length === 1").await;
    play(&page, &["[data-cell=a1]"]).await;
    wait_result(&page, "p1win").await;
    page.wait("document.querySelector('#moves .current').textContent === 'a3b3xa1'").await;
    page.click("#undo").await;
    page.wait_ply(0).await;
    page.wait("document.querySelectorAll('[data-stone]').length === 6").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn kalah_is_won() {
    let Some((_server, _browser, page)) = open_for_two("#game=kalah+3+2").await else { return };
    play_columns(&page, "2 3 1 3 2 2 2 3").await;
    wait_result(&page, "p1win").await;
    let stores = "['p1 4', 'p2 4'].map((pit) => Number(document.querySelector(`[data-count='${pit}']`).textContent))";
    page.wait(&format!("{stores}[0] + {stores}[1] === 12")).await;
    let stores = page.eval(stores).await;
    assert!(stores[0].as_u64() > stores[1].as_u64(), "{stores}");
    page.click("#undo").await;
    page.wait_ply(7).await;
    wait_result(&page, "none").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_the_engine() {
    let Some((_server, _browser, page)) = open("#game=connect4+6+7+4").await else { return };
    page.choose("[data-player=p2-seconds]", "0.1").await;
    page.choose("[data-player=p2-strategy]", "random").await;
    play_columns(&page, "4").await;
    page.wait_ply(2).await;
    page.click("#board [data-move='3']").await;
    page.wait_ply(4).await;
    // Undo goes back to the person's last turn.
    page.click("#undo").await;
    page.wait_ply(2).await;
    page.click("#redo").await;
    page.wait_ply(4).await;
    page.click("#hint").await;
    page.wait("document.querySelector('[data-hint]')").await;
    // Now the engine plays the first side, whose turn it is.
    page.click("#swap").await;
    page.wait_ply(5).await;
    page.click("#resign").await;
    page.click("#confirm-yes").await;
    wait_result(&page, "p1win").await;
    assert_eq!(page.text("#status").await, "Red wins: Yellow resigned");
    assert!(
        page.eval("document.getElementById('share-text').value")
            .await
            .to_string()
            .contains("p2 resigned")
    );
    page.click("#undo").await;
    wait_result(&page, "none").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_play_each_other_and_are_paused() {
    let Some((_server, _browser, page)) = open("#game=connect4+5+6+4").await else { return };
    for side in ["p1", "p2"] {
        page.choose(&format!("[data-player={side}-player]"), "0").await;
        page.choose(&format!("[data-player={side}-seconds]"), "0.1").await;
    }
    page.wait("Number(document.getElementById('board').dataset.ply) >= 3").await;
    page.click("#pause").await;
    page.wait("document.getElementById('pause').title.includes('Continue')").await;
    let ply = page.ply().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(page.ply().await, ply, "no moves while paused");
    page.click("#pause").await;
    page.wait("document.getElementById('status').dataset.result !== 'none'").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scores_are_those_of_the_solver() {
    let moves = "4 4 4 4 4 4 3 2 6 5 5 5 5 5 3 2 3 3 3 2 2 6 7 6 2 3 5 2 6";
    for (game, moves, unproved) in
        [("connect4 6 7 4", moves, "cp"), ("connect4 6 7 4", "", "cp"), ("kalah 3 2", "2 3", "cp")]
    {
        let fragment = format!("game={}&moves={}", game.replace(' ', "+"), moves.replace(' ', "+"));
        let Some((_server, _browser, page)) = open(&format!("#{fragment}")).await else { return };
        page.choose("[data-player=p2-player]", "person").await;
        page.click(".switch").await;
        let lines = engine(&format!("newgame {game}\nposition startpos moves {moves}\nanalyze\n"));
        let expected: BTreeMap<String, String> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("analysis "))
            .map(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                assert_ne!(words[1], unproved);
                let label = match words[1..] {
                    ["margin", "0"] | ["draw"] => "0".to_owned(),
                    ["margin", number] if number.starts_with('-') => number.replace('-', "−"),
                    ["margin", number] => format!("+{number}"),
                    // People count the winner's moves.
                    ["win", plies] => format!("+{}", plies.parse::<u32>().unwrap().div_ceil(2)),
                    ["loss", plies] => format!("−{}", plies.parse::<u32>().unwrap().div_ceil(2)),
                    _ => panic!("{line}"),
                };
                (words[0].to_owned(), label)
            })
            .collect();
        assert!(!expected.is_empty());
        let shown = "[...document.querySelectorAll('#board [data-score]')].map((node) => \
            [node.dataset.score, [...node.childNodes].filter((part) => part.nodeName !== 'title').map((part) => part.textContent).join(' ').trim()])";
        let expected = json!(json!(expected).to_string());
        page.wait(&format!("JSON.stringify(Object.fromEntries({shown}.sort())) === {expected}"))
            .await;
        page.wait("document.getElementById('evaluation').textContent.includes('proved')").await;
        page.assert_no_errors();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_analysis_updates_and_its_graph_navigates() {
    let Some((_server, _browser, page)) = open("#game=connect4+8+8+4&moves=4+5+4+5").await else {
        return;
    };
    page.key("a").await;
    page.wait(
        "/depth \\d+ · .* positions · .*\\/s/.test(document.getElementById('search-info').textContent)",
    )
    .await;
    page.wait("document.querySelectorAll('.ghost').length > 1").await;
    page.wait("document.querySelectorAll('#board [data-score]').length === 8").await;
    page.wait("document.querySelectorAll('#graph .dot').length === 5").await;
    page.click("#graph [data-point='2']").await;
    page.wait_ply(2).await;
    page.wait("document.querySelectorAll('#board [data-score]').length === 8").await;
    page.click(".switch").await;
    page.wait("document.querySelectorAll('#board [data-score]').length === 0").await;
    page.assert_no_errors();
}

/// An analysis redraws many times a second, even while a mouse button is down.
#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_not_lost_if_the_page_is_redrawn_meanwhile() {
    let Some((server, _browser, page)) = open_for_two("#game=connect4+6+7+4&moves=4+5+4+5").await
    else {
        return;
    };
    let drawn = "document.querySelector('#graph .cursor').dataset.old === undefined";
    page.key("a").await;
    page.wait("document.querySelector('#graph .cursor')").await;
    let point = page.press("#graph [data-point='2']").await;
    page.eval("document.querySelector('#graph .cursor').dataset.old = ''").await;
    page.key("ArrowLeft").await;
    page.wait_ply(3).await;
    page.wait(drawn).await;
    point.release(&page).await;
    page.wait_ply(2).await;

    let bomb_to_fire = "game=boom&moves=6+3+6+4+4+4+2+4+4+7+3+6";
    page.go(&format!("{}#{bomb_to_fire}", server.url())).await;
    page.key("a").await;
    page.wait("!document.querySelector('#actions [data-score=boom]')").await;
    let bomb = page.press("#actions [data-move=boom]").await;
    page.key("a").await;
    page.wait("document.querySelector('#actions [data-score=boom]')").await;
    bomb.release(&page).await;
    page.wait_ply(13).await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_and_its_size_are_chosen_in_the_dialog() {
    let Some((_server, _browser, page)) = open_for_two("#game=boom").await else { return };
    page.key("n").await;
    page.wait("document.getElementById('new-game').open").await;
    page.click(".choice:has([value=connect4])").await;
    page.click(".choice:has([value=friend])").await;
    page.click(".custom summary").await;
    page.write("[name=rows]", "9").await;
    page.write("[name=columns]", "11").await;
    page.write("[name=line]", "12").await;
    page.click("#start").await;
    page.wait("/^the line must be/.test(document.getElementById('new-error').textContent)").await;
    page.write("[name=line]", "5").await;
    page.click("#start").await;
    page.wait("document.querySelectorAll('#board [data-move]').length === 11").await;
    page.wait("!document.getElementById('new-game').open").await;
    assert_eq!(page.text("#game-title").await, "Connect Four9 × 11, line of 5");
    // Two digits are one move.
    page.key("1").await;
    page.key("1").await;
    page.wait_ply(1).await;
    page.wait("document.querySelector('#moves .current').textContent === '11'").await;
    page.key("2").await;
    page.wait_ply(2).await;
    page.key("u").await;
    page.wait_ply(1).await;
    // Arrows select a column, Enter plays it.
    page.wait("document.querySelector('#board [data-move=\"5\"]')").await;
    page.eval("document.querySelector('#board [data-move=\"5\"]').focus()").await;
    page.key("ArrowRight").await;
    page.key("Enter").await;
    page.wait_ply(2).await;
    page.wait("document.querySelector('#moves .current').textContent === '6'").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_smaller_board_opens_while_a_larger_one_is_analyzed() {
    let Some((_server, _browser, page)) = open_for_two("#game=wali+8+4+16").await else { return };
    assert_eq!(page.text("#game-title").await, "Wali8 × 4, 16 stones");
    page.click(".switch").await;
    page.wait("document.querySelectorAll('#board [data-score]').length > 5").await;
    page.click("#new").await;
    page.wait("document.getElementById('new-game').open").await;
    for (name, number) in [("rows", "2"), ("columns", "3"), ("stones", "3")] {
        page.write(&format!("[name={name}]"), number).await;
    }
    page.click("#start").await;
    page.wait("document.getElementById('game-title').textContent === 'Wali2 × 3, 3 stones'").await;
    page.wait("document.querySelectorAll('#board [data-score]').length > 2").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_survives_engine_crashes() {
    let Some((server, _browser, page)) = open("#game=connect4+6+7+4").await else { return };
    page.choose("[data-player=p2-seconds]", "3").await;
    page.choose("[data-player=p2-level]", "9").await;
    play_columns(&page, "4").await;
    page.wait("document.querySelector('.player.thinking')").await;
    assert!(server.kill_engines() >= 2);
    page.wait("document.getElementById('messages').textContent.includes('engine has stopped')")
        .await;
    page.wait_ply(2).await;
    // The next command restarts an idle engine, too.
    assert!(server.kill_engines() >= 1);
    play_columns(&page, "1").await;
    page.wait_ply(4).await;
    page.click(".switch").await;
    page.wait("document.querySelectorAll('#board [data-score]').length > 5").await;
    assert!(server.kill_engines() >= 1);
    page.click("#undo").await;
    page.wait_ply(2).await;
    page.wait("document.querySelectorAll('#board [data-score]').length > 5").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_survives_a_restart_of_the_server() {
    let Some((server, _browser, page)) = open("#game=connect4+6+7+4").await else { return };
    page.choose("[data-player=p2-seconds]", "0.1").await;
    play_columns(&page, "4").await;
    page.wait_ply(2).await;
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let token = server.token.clone();
    drop(server);
    page.wait("document.getElementById('messages').textContent.includes('No connection')").await;
    let _server = Server::start(&["--port", &port, "--token", &token]);
    page.wait("!document.getElementById('messages').textContent.includes('No connection')").await;
    page.click("#board [data-move='4']").await;
    page.wait_ply(4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_a_tab_ends_its_engines_only() {
    let Some((server, browser, page)) = open("#game=connect4+8+8+4&moves=1+2").await else {
        return;
    };
    page.click(".switch").await;
    page.wait("document.querySelectorAll('#board [data-score]').length === 8").await;
    let second = browser.open(&format!("{}#c4:", server.url())).await;
    second.choose("[data-player=p2-player]", "person").await;
    play_columns(&second, "7").await;
    assert_eq!(page.text("#move-count").await, "2 of 2", "a second tab has its own game");
    let both = server.engines().len();
    page.close().await;
    let begin = Instant::now();
    while server.engines().len() >= both - 1 {
        assert!(begin.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    play_columns(&second, "7").await;
    // A reloaded tab restores its game.
    second.reload().await;
    wait_count(&second, "2 of 2").await;
    second.assert_no_errors();
    second.close().await;
    while !server.engines().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Browsers keep pages that were left, to show them again at once.
#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_page_ends_its_engines_and_back_brings_the_game_back() {
    let Some((server, _browser, page)) = open_for_two("#c4:").await else { return };
    play_columns(&page, "4 4 3").await;
    page.eval("window.isOld = true").await;
    page.call("Page.navigate", json!({ "url": "about:blank" })).await;
    let begin = Instant::now();
    while !server.engines().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    page.eval("history.back()").await;
    page.wait("location.protocol === 'http:' && !window.isOld").await;
    page.ready().await;
    wait_count(&page, "3 of 3").await;
    play_columns(&page, "3").await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_gets_no_engine_says_so_and_tries_again() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let other = browser.open("about:blank").await;
    other.call("Page.navigate", json!({ "url": format!("{}style.css", server.url()) })).await;
    other.wait("location.pathname.endsWith('style.css')").await;
    // Two engines with all threads that the server has to give.
    other
        .eval(
            "new Promise((resolve) => {
               const socket = (window.greedy = new WebSocket(new URL('engines', location.href).href.replace('http', 'ws')));
               const send = (message) => socket.send(JSON.stringify(message));
               socket.onopen = () => {
                 for (const process of [1, 2]) send({ start: { process, engine: 0 } });
                 for (const process of [1, 2]) send({ send: { process, line: 'setoption name Threads value 64' } });
                 send({ send: { process: 2, line: 'isready' } });
               };
               socket.onmessage = ({ data }) => JSON.parse(data).line?.line === 'readyok' && resolve();
             })",
        )
        .await;
    let page = browser.open("about:blank").await;
    page.call("Page.navigate", json!({ "url": format!("{}#c4:443", server.url()) })).await;
    page.wait("document.getElementById('messages').textContent.includes('too many engines')").await;
    page.click("#messages .act").await;
    page.wait("document.getElementById('messages').textContent.includes('too many engines')").await;
    other.eval("window.greedy.close()").await;
    // The engine may end after its tab.
    page.wait("(document.querySelector('#messages .act')?.click(), document.documentElement.dataset.ready === '')").await;
    wait_count(&page, "3 of 3").await;
    assert_eq!(page.text("#messages").await, "");
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_fits_a_phone_and_is_played_by_touch() {
    let Some((server, browser, first)) = open("#game=boom").await else { return };
    first.close().await;
    let page = browser.open("about:blank").await;
    page.size(360, 740, true).await;
    for (game, place) in [
        ("connect4+6+7+4", "#board [data-move='4']"),
        ("connect4+25+25+4", "#board [data-move='25']"),
        ("boom", "#board [data-move='7']"),
        ("wali", "[data-cell=c3]"),
        ("kalah+12+12", "#board [data-move='12']"),
    ] {
        page.go(&format!("{}#game={game}", server.url())).await;
        page.choose("[data-player=p2-player]", "person").await;
        let width = page.eval("document.scrollingElement.scrollWidth").await;
        assert_eq!(width, 360, "{game}");
        page.tap(place).await;
        page.wait_ply(1).await;
    }
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn light_and_dark() {
    let Some((server, browser, first)) = open("#game=boom").await else { return };
    first.close().await;
    let page = browser.open("about:blank").await;
    let color = "getComputedStyle(document.body).backgroundColor";
    page.scheme("light").await;
    page.go(&server.url()).await;
    let light = page.eval(color).await;
    page.scheme("dark").await;
    page.wait(&format!("{color} !== {light}")).await;
    page.key("Escape").await;
    page.click("#settings").await;
    page.click(".choice:has([value=light])").await;
    page.wait(&format!("{color} === {light}")).await;
    // The choice is made before the first paint.
    page.go(&format!("{}#c4:", server.url())).await;
    assert_eq!(page.eval(color).await, light);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_view_is_shown_as_text() {
    let Some(python) = ratlla_workspace::python() else { return };
    let nim = format!("{python} {}/tests/data/nim.py", env!("CARGO_MANIFEST_DIR"));
    let Some((_server, _browser, page)) = open_with(&["--engine", &nim], "#game=nim+5").await
    else {
        return;
    };
    assert!(page.text("#board .drawing").await.contains("| | | | |"));
    page.choose("[data-player=p2-seconds]", "0.1").await;
    play_columns(&page, "1").await;
    page.wait_ply(2).await;
    // The engine has left three sticks, so it takes the last one.
    page.click("#board [data-move='2']").await;
    wait_result(&page, "p2win").await;
    page.key("n").await;
    page.wait("document.querySelector('.choice.game').textContent === 'nim'").await;
    page.write("[name=sticks]", "4").await;
    page.click("#start").await;
    page.wait_ply(0).await;
    play_columns(&page, "1").await;
    page.wait_ply(2).await;
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opponent_of_the_command_line_plays() {
    let other = format!("Twin={} --serve-as-engine", env!("CARGO_BIN_EXE_ratlla-gui"));
    let Some((_server, _browser, page)) =
        open_with(&["--opponent", &other], "#game=connect4+6+7+4").await
    else {
        return;
    };
    page.choose("[data-player=p2-player]", "1").await;
    page.choose("[data-player=p2-strategy]", "greedy").await;
    page.wait("document.querySelector('[data-player=p2-player]').textContent.includes('Twin')")
        .await;
    page.wait("document.getElementById('player-p2').textContent.includes('greedy')").await;
    play_columns(&page, "4").await;
    page.wait_ply(2).await;
    page.assert_no_errors();
}
