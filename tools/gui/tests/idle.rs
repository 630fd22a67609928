//! The page does nothing while nothing happens, and otherwise changes the document at most once a frame.

mod support;

use std::time::Duration;

use support::idle::{activity, assert_idle};
use support::{Browser, Server};

/// The processor time of all that belongs to the page: the server with its engines, and what runs pages. What
/// the browser does besides is not the page's doing.
fn processor_time(server: &Server, browser: &Browser) -> Duration {
    server.processor_time() + browser.processor_time_of_pages()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_page_uses_no_processor_time() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let used = || processor_time(&server, &browser);
    let page = browser.open(&server.url()).await;
    assert_idle(&page, used, "the start screen").await;
    for game in ["c4:4433", "boom:636444244736", "wali:b2-c2", "kalah:36", "c4:1212121"] {
        page.go(&format!("{}#{game}", server.url())).await;
        assert_idle(&page, used, game).await;
    }
    // The solver has finished.
    page.go(&format!("{}#c4:44444437632223", server.url())).await;
    page.key("a").await;
    page.wait("document.getElementById('search-info').textContent.includes('solved')").await;
    page.wait("document.querySelectorAll('#graph .dot.proved').length > 0").await;
    assert_idle(&page, used, "a solved position").await;
    assert_eq!(page.console_errors(), [""; 0]);
}

/// The test above would notice what keeps a page busy.
#[tokio::test(flavor = "multi_thread")]
async fn a_busy_page_is_not_idle() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let used = || processor_time(&server, &browser);
    let page = browser.open(&format!("{}#c4:4433", server.url())).await;
    assert_idle(&page, used, "a position").await;
    for (start, end) in [
        ("setInterval(() => {}, 1000)", "clearInterval(busy)"),
        (
            "document.body.animate({ opacity: [1, 0.9] }, { duration: 1000, iterations: Infinity })",
            "busy.cancel()",
        ),
    ] {
        page.eval(&format!("window.busy = {start}; 0")).await;
        assert!(activity(&page, used).await.is_some(), "{start}");
        page.eval(&format!("{end}; 0")).await;
    }
    // An engine that searches, even for somebody else.
    let other = browser.open(&format!("{}#c4-9x9x4:4545", server.url())).await;
    other.key("a").await;
    other.wait("document.querySelectorAll('#board [data-score]').length > 2").await;
    let seen = activity(&page, used).await;
    assert!(seen.as_deref().is_some_and(|seen| seen.contains("processor time")), "{seen:?}");
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
