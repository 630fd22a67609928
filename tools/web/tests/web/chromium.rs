//! The static edition in a real browser.

use serde_json::json;

use super::built::built;
use super::site_server::SiteServer;
use super::support::{Browser, Page};

/// A connection of the page's own kind, a process, and a way to wait for its lines.
pub const ENGINE: &str = "
    const { openConnection } = await import(new URL('connection.js', document.baseURI));
    const connection = openConnection();
    await connection.ready();
    const [lines, replies] = [[], []];
    let check = () => {};
    const engine = connection.start(0, { onLine: (line) => { lines.push(line); replies.push(line); check(); }, onExit() {} }, { threads: window.threads });
    const line = (form) => new Promise((resolve) => {
      check = () => { const at = lines.findIndex((text) => form.test(text)); if (at >= 0) resolve(lines.splice(0, at + 1).at(-1)); };
      check();
    });";

/// What a piece of code returns that talks to an engine.
pub async fn with_engine(page: &Page, code: &str) -> serde_json::Value {
    page.eval(&format!("(async () => {{ {ENGINE} {code} }})()")).await
}

/// Stops an endless search that has answered before. Returns its best move.
async fn stop_endless_search(page: &Page) -> String {
    let code = "
        engine.send('newgame 10 10');
        engine.send('go infinite');
        await line(/^info depth 6 /);
        engine.send('isready');
        await line(/^readyok$/);
        // The page is not blocked meanwhile.
        for (let frame = 0; frame < 5; frame += 1) await new Promise((resolve) => setTimeout(resolve, 10));
        engine.send('stop');
        const best = await line(/^bestmove/);
        engine.end();
        return best;";
    with_engine(page, code).await.as_str().unwrap_or_default().to_owned()
}

/// Waits until the service worker has kept everything.
pub async fn wait_for_service_worker(page: &Page) {
    page.wait("navigator.serviceWorker.controller !== null").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_against_the_engine_of_the_page() {
    let Some(built) = built() else { return };
    let Some(server) = SiteServer::start(&built.site) else { return };
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&format!("{}#game=connect4+6+7+4", server.url)).await;
    for ply in [0, 2, 4] {
        page.wait_ply(ply).await;
        page.click("#board [data-move='1']").await;
    }
    page.wait_ply(6).await;
    assert_eq!(page.console_errors(), [""; 0]);
}

/// Searches are reached with and without shared memory: the page is isolated from its second visit on.
#[tokio::test(flavor = "multi_thread")]
async fn endless_searches_stop_and_the_page_works_without_a_server() {
    let Some(built) = built() else { return };
    let Some(server) = SiteServer::start(&built.site) else { return };
    let url = server.url.clone();
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&url).await;
    assert_eq!(page.eval("window.crossOriginIsolated").await, json!(false));
    assert!(stop_endless_search(&page).await.starts_with("bestmove "));
    wait_for_service_worker(&page).await;
    drop(server);
    page.go(&url).await;
    assert_eq!(page.eval("window.crossOriginIsolated").await, json!(true));
    assert!(stop_endless_search(&page).await.starts_with("bestmove "));
    let solved = with_engine(
        &page,
        "engine.send('position moves 4 4 4 4 4 1 3'); engine.send('go solve');
         await line(/^bestmove/); engine.end(); return true;",
    );
    assert_eq!(solved.await, json!(true));
    page.wait("document.querySelectorAll('#board [data-move]').length > 0").await;
    assert_eq!(page.console_errors(), [""; 0]);
}

/// What makes a page installable.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_can_be_installed() {
    let Some(built) = built() else { return };
    let Some(server) = SiteServer::start(&built.site) else { return };
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&server.url).await;
    wait_for_service_worker(&page).await;
    let manifest = page.call("Page.getAppManifest", json!({})).await;
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let problems = page.call("Page.getInstallabilityErrors", json!({})).await;
    assert_eq!(problems["installabilityErrors"], json!([]), "{problems}");
}

#[test]
fn the_download_is_small() {
    let Some(built) = built() else { return };
    let (_, compressed) =
        ratlla_web::sizes::of_first_visit(&built.site).expect("the site is there");
    assert!(compressed < 1_500_000, "{compressed} bytes");
}
