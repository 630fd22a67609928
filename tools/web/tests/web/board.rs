//! The board with its engine in the page. What does not depend on the engine is tested with the server
//! (tools/gui/tests); here is everything that asks one.

use std::sync::Arc;

use serde_json::json;

use super::built::built;
use super::site_server::SiteServer;
use super::support::idle::assert_idle;
use super::support::{Browser, Page};

/// A page of the static edition with this fragment.
async fn open(fragment: &str) -> Option<(SiteServer, Arc<Browser>, Page)> {
    let server = SiteServer::start(&built()?.site)?;
    let browser = Browser::start().await?;
    let page = browser.open(&format!("{}{fragment}", server.url)).await;
    Some((server, browser, page))
}

async fn wait_text(page: &Page, selector: &str, text: &str) {
    let node = format!("document.querySelector({})", json!(selector));
    page.wait(&format!("{node}.textContent.includes({})", json!(text))).await;
}

/// Clicks where it is, however the panel moves meanwhile.
async fn press(page: &Page, selector: &str) {
    let node = format!("document.querySelector({})", json!(selector));
    page.wait(&format!("{node} && !{node}.disabled")).await;
    page.eval(&format!("{node}.click()")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_is_started_played_and_resumed() {
    let Some((server, _browser, page)) = open("").await else { return };
    for game in ["boom", "wali", "kalah", "connect4"] {
        page.wait("document.getElementById('new-game').open").await;
        press(&page, &format!("#new-game [name=game][value={game}]")).await;
        press(&page, "#new-game [name=level][value='1']").await;
        page.key("Enter").await;
        page.wait("!document.getElementById('new-game').open").await;
        // One's own moves, until the computer has made some.
        let turn = "document.querySelector('#board :is([data-move], [data-cell])')";
        let answered = "document.querySelectorAll('#moves .move.p2').length > 0";
        while page.eval(answered).await != json!(true) {
            let ply = page.ply().await;
            press(&page, "#board :is([data-move], [data-cell])").await;
            page.wait(&format!("document.getElementById('board').dataset.ply > {ply} && {turn}"))
                .await;
        }
        press(&page, "#hint").await;
        page.wait("document.querySelector('[data-hint], .hint')").await;
        let ply = page.ply().await;
        page.reload().await;
        page.wait_ply(ply).await;
        assert_eq!(page.console_errors(), [""; 0], "{game}");
        if game != "connect4" {
            press(&page, "#new").await;
        }
    }
    // A link of the server's edition, and what cannot be imported.
    page.go(&format!("{}#c4:4443", server.url)).await;
    page.wait_ply(4).await;
    for (text, result) in [("https://example.org/#kalah:36", "Kalah"), ("9 9 9", "not possible")] {
        press(&page, "#share").await;
        page.write("#import-text", text).await;
        press(&page, "#import").await;
        page.wait(&format!("document.body.innerText.includes('{result}')")).await;
    }
    assert_eq!(page.console_errors(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_analysis_explains_and_reviews() {
    let Some((_server, browser, page)) = open("#c4:121211").await else { return };
    press(&page, "#analysis-on").await;
    wait_text(&page, "#evaluation", "(proved)").await;
    wait_text(&page, "#search-info", "solved").await;
    page.wait("document.querySelectorAll('#lines li').length === 3").await;
    press(&page, "#why").await;
    page.wait("document.querySelectorAll('#reasons li').length > 1").await;
    press(&page, "#review-game").await;
    wait_text(&page, "[data-mistake='1']", "4 was better").await;
    press(&page, "[data-mistake='1'] button:last-of-type").await;
    wait_text(&page, "[data-mistake='1'] p", "Turns a win into a loss").await;
    press(&page, "#lines button").await;
    page.wait("document.querySelectorAll('#moves .variation, #moves [data-ply=\"7\"]').length > 0")
        .await;
    // Once everything is found, the page rests: engines in it wait without working.
    press(&page, "#moves [data-ply='6']").await;
    page.wait_ply(6).await;
    assert_idle(&page, || browser.processor_time_of_pages(), "a solved position").await;
    assert_eq!(page.console_errors(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn computers_play_each_other_and_are_paused() {
    let Some((_server, _browser, page)) = open("#kalah-3x2:").await else { return };
    for side in ["p1", "p2"] {
        page.choose(&format!("[data-player={side}-player]"), "0").await;
        page.choose(&format!("[data-player={side}-seconds]"), "0.1").await;
    }
    page.wait("Number(document.getElementById('board').dataset.ply) >= 2").await;
    page.wait("document.getElementById('status').dataset.result !== 'none'").await;
    press(&page, "#undo").await;
    page.wait("document.getElementById('status').dataset.result === 'none'").await;
    press(&page, "#pause").await;
    page.wait("document.getElementById('status').dataset.result !== 'none'").await;
    assert_eq!(page.console_errors(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_is_found_and_solved() {
    let Some((_server, _browser, page)) = open("").await else { return };
    page.eval("localStorage.setItem('ratlla-puzzles', JSON.stringify([{ fragment: '#c4:1343651251526534', time: 1 }]))").await;
    press(&page, "#start-puzzle").await;
    wait_text(&page, "#puzzle-text", "Red to move and win in 2 moves.").await;
    press(&page, "[data-puzzle=show]").await;
    page.wait("document.querySelector('#board [data-hint]')").await;
    let hint = page.eval("document.querySelector('#board [data-hint]').dataset.hint").await;
    press(&page, &format!("#board [data-move={hint}]")).await;
    page.wait("/Right|Solved/.test(document.getElementById('puzzle-text').textContent)").await;
    assert_eq!(page.console_errors(), [""; 0]);
}
