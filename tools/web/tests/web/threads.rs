//! Threads on an isolated page in Chromium. tools/npm/test/threads.test.js has the same under Node.

use std::sync::Arc;

use serde_json::json;

use super::built::{Built, built};
use super::chromium::{wait_for_service_worker, with_engine};
use super::site_server::SiteServer;
use super::support::{Browser, Page};

/// A page on its second visit, on which engines can share memory.
async fn isolated_page(built: &Built) -> Option<(SiteServer, Arc<Browser>, Page)> {
    let server = SiteServer::start(&built.site)?;
    let browser = Browser::start().await?;
    let page = browser.open(&server.url).await;
    wait_for_service_worker(&page).await;
    page.go(&server.url).await;
    assert_eq!(page.eval("window.crossOriginIsolated").await, json!(true));
    page.eval("window.threads = 2").await;
    Some((server, browser, page))
}

/// Solves positions with this many threads, and returns the scores and the number of helpers.
async fn solve(page: &Page, threads: usize) -> serde_json::Value {
    let code = format!(
        "let helpers = 0;
         const {{ postMessage }} = Worker.prototype;
         Worker.prototype.postMessage = function (message, ...rest) {{
           if (message?.helper) helpers += 1;
           return postMessage.call(this, message, ...rest);
         }};
         const scores = [];
         for (const setup of ['newgame 5 6', 'newgame 6 6\\nposition moves 3 3', 'newgame kalah 6 3',
                              'newgame 6 7\\nposition moves 4 4 4 4']) {{
           for (const text of setup.split('\\n')) engine.send(text);
           engine.send('setoption name OwnBook value false');
           engine.send('setoption name Threads value {threads}');
           engine.send('go solve');
           await line(/^bestmove/);
           scores.push(replies.findLast((text) => text.includes(' score ')).match(/ score (\\S+ \\S+)/)[1]);
         }}
         engine.end();
         Worker.prototype.postMessage = postMessage;
         return [scores, helpers];"
    );
    with_engine(page, &code).await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_threads_of_a_page_find_the_scores_that_one_finds() {
    let Some(built) = built() else { return };
    let Some((_server, _browser, page)) = isolated_page(built).await else { return };
    let one = solve(&page, 1).await;
    let two = solve(&page, 2).await;
    assert_eq!(one[0], two[0]);
    assert_eq!(one[1], json!(0));
    let has_processors = page.eval("navigator.hardwareConcurrency > 1").await == json!(true);
    assert_eq!(two[1] == json!(1), built.threads.is_some() && has_processors, "{two}");
    assert_eq!(page.console_errors(), [""; 0]);
}

/// Stops, questions and the end of engines at odd times of searches on threads, and the page loaded
/// again in the middle of one.
#[tokio::test(flavor = "multi_thread")]
async fn searches_on_threads_of_a_page_stop_and_end_at_any_time() {
    let Some(built) = built() else { return };
    let Some((server, _browser, page)) = isolated_page(built).await else { return };
    for _ in 0..3 {
        let code = "
            const games = ['newgame 10 10', 'newgame 6 7', 'newgame wali', 'newgame kalah 6 4', 'newgame boom'];
            const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
            engine.send('setoption name Threads value 2');
            engine.send('setoption name OwnBook value false');
            for (let round = 0; round < 20; round += 1) {
              engine.send(games[round % 5]);
              engine.send('go infinite');
              if (round % 3 > 0) await pause(round * 7 % 50);
              engine.send('isready');
              await line(/^readyok$/);
              engine.send('stop');
              await line(/^bestmove /);
            }
            for (let round = 0; round < 6; round += 1) {
              const next = connection.start(0, { onLine: (text) => { lines.push(text); check(); }, onExit() {} }, { threads: 2 });
              next.send('setoption name Threads value 2');
              next.send('newgame 9 9');
              next.send('go infinite');
              if (round % 3 > 0) await line(/^info depth [3-9] /);
              next.end();
              lines.length = 0;
            }
            engine.send('go infinite');
            await line(/^info depth 3 /);
            return true;";
        assert_eq!(with_engine(&page, code).await, json!(true));
        page.go(&server.url).await;
        page.eval("window.threads = 2").await;
    }
    assert_eq!(page.console_errors(), [""; 0]);
}

/// A visit fetches one module, and the service worker keeps it: that with threads once it is used.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_that_is_used_is_kept() {
    const KEPT: &str = "(async () => {
        const [name] = await caches.keys();
        const requests = await (await caches.open(name)).keys();
        return requests.map(({ url }) => url.split('/').at(-1)).filter((name) => name.endsWith('.wasm')).sort();
    })()";
    let Some(built) = built() else { return };
    let Some(server) = SiteServer::start(&built.site) else { return };
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&server.url).await;
    wait_for_service_worker(&page).await;
    page.go(&server.url).await;
    solve(&page, 1).await;
    assert_eq!(page.eval(KEPT).await, json!(["ratlla.wasm"]));
    page.eval("window.threads = 2").await;
    solve(&page, 2).await;
    let both = json!(["ratlla-threads.wasm", "ratlla.wasm"]);
    let expected = if built.threads.is_some() { both } else { json!(["ratlla.wasm"]) };
    assert_eq!(page.eval(KEPT).await, expected);
}
