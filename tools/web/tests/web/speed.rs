//! The speed of the solver in Chromium, beside that of the native engine. Not a test: it prints figures.
//!
//! ```sh
//! cargo build --release
//! RATLLA=target/release/ratlla cargo test -p ratlla-web -- --ignored --nocapture speed
//! ```

use serde_json::json;
use std::process::Command;

use super::built::built;
use super::chromium::with_engine;
use super::client::engine::Engine;
use super::site_server::SiteServer;
use super::support::Browser;

/// Sets, and how many of their positions are solved.
const SETS: [(&str, usize); 3] = [("Test_L2_R2", 150), ("Test_L1_R2", 150), ("Test_L1_R3", 6)];

fn positions() -> Vec<String> {
    let folder = ratlla_web::root().join("tests/data/connect4");
    let lines = |(name, count): (&str, usize)| {
        let text = std::fs::read_to_string(folder.join(name)).expect("a public set");
        let moves = text.lines().map(|line| line.split(' ').next().unwrap_or_default());
        let spaced =
            moves.map(|moves| moves.chars().map(String::from).collect::<Vec<_>>().join(" "));
        spaced.take(count).collect::<Vec<String>>()
    };
    SETS.into_iter().flat_map(lines).collect()
}

/// The number after a word of an `info` line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&next| next != word).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Nodes and milliseconds of the native engine.
fn native(program: &str) -> (u64, u64) {
    let mut engine = Engine::from_command(Command::new(program));
    engine.send("setoption name OwnBook value false");
    let mut sums = (0, 0);
    for moves in positions() {
        engine.send_all(&[&format!("position moves {moves}"), "go solve"]);
        let mut last = String::new();
        loop {
            let line = engine.read_line();
            if line.starts_with("bestmove") {
                break;
            }
            last = line;
        }
        sums = (sums.0 + number(&last, "nodes"), sums.1 + number(&last, "time"));
    }
    sums
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints figures"]
async fn speed() {
    let Some(built) = built() else { return };
    let Some(server) = SiteServer::start(&built.site) else { return };
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open(&server.url).await;
    // In the background, as evaluating may not take long.
    let code = format!(
        "engine.send('setoption name OwnBook value false');
         window.sums = null;
         (async () => {{
           const sums = [0, 0];
           for (const moves of {}) {{
             engine.send(`position moves ${{moves}}`);
             engine.send('go solve');
             await line(/^bestmove/);
             const words = replies.at(-2).split(' ');
             ['nodes', 'time'].forEach((word, at) => sums[at] += Number(words[words.indexOf(word) + 1]));
           }}
           engine.end();
           window.sums = sums;
         }})();
         return true;",
        json!(positions())
    );
    with_engine(&page, &code).await;
    while page.eval("window.sums").await.is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    let sums = page.eval("window.sums").await;
    let (nodes, time) = (sums[0].as_u64().expect("nodes"), sums[1].as_u64().expect("time"));
    let program = std::env::var("RATLLA").expect("RATLLA is the native engine");
    let (native_nodes, native_time) = native(&program);
    assert_eq!(nodes, native_nodes, "both visit the same nodes");
    let nanoseconds = |time: u64| time as f64 * 1e6 / nodes as f64;
    println!(
        "{nodes} nodes: Chromium {:.0} ns, native {:.0} ns a node, {:.2} of native speed",
        nanoseconds(time),
        nanoseconds(native_time),
        native_time as f64 / time as f64
    );
}
