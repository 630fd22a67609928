//! The page does nothing while nothing happens, and otherwise changes the document at most once a frame.

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Browser, Page, Server};

/// How long nothing happens.
const REST: Duration = Duration::from_secs(4);
/// The share of a processor that an idle browser may use, in percent, and how often it may fail to: a
/// browser has work of its own now and then.
const MOST: u32 = 1;
const TRIES: u32 = 5;

/// What a page at rest must not do: lay out, compute styles, run scripts.
async fn work(page: &Page) -> Vec<Value> {
    let all = page.call("Performance.getMetrics", json!({})).await;
    let find = |name: &str| {
        let metrics = all["metrics"].as_array().unwrap();
        metrics.iter().find(|metric| metric["name"] == name).unwrap()["value"].clone()
    };
    ["LayoutCount", "RecalcStyleCount", "ScriptDuration"].map(find).to_vec()
}

async fn assert_idle(browser: &Browser, page: &Page, what: &str) {
    page.call("Performance.enable", json!({})).await;
    page.wait("document.getAnimations().length === 0").await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (before, used) = (work(page).await, browser.processor_time());
        tokio::time::sleep(REST).await;
        let used = browser.processor_time() - used;
        assert_eq!(work(page).await, before, "{what}");
        if used * 100 < REST * MOST {
            return;
        }
        seen.push(used);
    }
    panic!("{what}: {seen:?} of processor time in {REST:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_page_uses_no_processor_time() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&server.url()).await;
    assert_idle(&browser, &page, "the start screen").await;
    for game in ["c4:4433", "boom:636444244736", "wali:b2-c2", "kalah:36", "c4:1212121"] {
        page.go(&format!("{}#{game}", server.url())).await;
        assert_idle(&browser, &page, game).await;
    }
    // The solver has finished.
    page.go(&format!("{}#c4:44444437632223", server.url())).await;
    page.key("a").await;
    page.wait("document.getElementById('search-info').textContent.includes('solved')").await;
    page.wait("document.querySelectorAll('#graph .dot.proved').length > 0").await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_idle(&browser, &page, "a solved position").await;
    assert_eq!(page.console_errors(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_changes_each_part_of_the_page_at_most_once_a_frame() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    for game in ["c4-8x8x4:4545", "boom:44", "wali:b2-c2", "kalah-6x6:36"] {
        let page = browser.open(&format!("{}#{game}", server.url())).await;
        page.key("a").await;
        page.wait("document.querySelectorAll('#board [data-score]').length > 2").await;
        // The time of the document's timeline is that of the frame.
        let counted = page
            .eval(
                "new Promise((done) => {
                   const parts = ['#board', '#evaluation-bar', '#evaluation', '#search-info', '#lines', '#graph', '#moves', '#status', '#actions'];
                   const changes = parts.map((part) => {
                     const frames = new Map();
                     const count = () => frames.set(document.timeline.currentTime, (frames.get(document.timeline.currentTime) ?? 0) + 1);
                     new MutationObserver(count).observe(document.querySelector(part), { subtree: true, childList: true, attributes: true, characterData: true });
                     return { part, frames };
                   });
                   setTimeout(() => done(changes.map(({ part, frames }) => ({ part, frames: frames.size, most: Math.max(0, ...frames.values()) }))), 2500);
                 })",
            )
            .await;
        let parts = counted.as_array().unwrap();
        assert!(parts.iter().any(|part| part["frames"].as_u64() > Some(0)), "{game}: {counted}");
        for part in parts {
            assert!(part["most"].as_u64() <= Some(1), "{game}: {part}");
        }
        assert_eq!(page.console_errors(), [""; 0]);
        page.close().await;
    }
}
