//! Takes the screenshots for the documents:
//!
//! ```sh
//! cargo test --release -p ratlla-gui --test pictures -- --ignored
//! ```

mod support;

use std::path::Path;
use std::sync::Arc;

use support::{Browser, Server};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes files of the repository"]
async fn pictures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let (wide, phone) = ((1280, 800), (390, 844));
    for (name, (width, height), scheme, game) in [
        ("connect4", wide, "light", "game=connect4+6+7+4&moves=4+4+4+3+4+4+3+3+5+2+3+5"),
        ("boom", wide, "dark", "game=boom&moves=4+5+5+5+5+1+5+4+1+4+4+4+5+3+5"),
        (
            "wali",
            wide,
            "light",
            "game=wali&moves=b2+c2+b4+b3+c3+e2+d4+c4+d2+d3+e3+e4+c1+d1+a1+b1+a3+a2+a5+a4+c5+b5+e5+d5",
        ),
        ("kalah", wide, "dark", "game=kalah+6+4&moves=3+6+2+5"),
        ("phone", phone, "light", "game=connect4+6+7+4&moves=4+4+4+3+4+4+3+3+5+2+3+5"),
    ] {
        let page = browser.open("about:blank").await;
        page.size(width, height, width == phone.0).await;
        page.scheme(scheme).await;
        // A linked game is paused.
        page.go(&format!("{}#{game}", server.url())).await;
        page.key("a").await;
        page.wait("document.querySelectorAll('[data-score]').length > 1").await;
        tokio::time::sleep(std::time::Duration::from_secs(4)).await;
        page.leave().await;
        let file = folder.join(format!("{name}.png"));
        page.picture(&file).await;
        let size = std::fs::metadata(&file).unwrap().len();
        assert!(size < 160_000, "{name} has {size} bytes");
        assert_eq!(page.console_errors(), [""; 0]);
    }
    animation(&server, &browser, &folder.join("game.gif")).await;
}

/// A game of BOOM as the page's own button saves it.
async fn animation(server: &Server, browser: &Arc<Browser>, file: &Path) {
    let page = browser.open(&format!("{}#boom:636444244736z", server.url())).await;
    let data = page
        .eval(
            "(async () => {
               const states = [];
               const [{ animation }, { GameRecord }, { Rules }, { openConnection }] = await Promise.all(
                 ['./export.js', './game-record.js', './rules.js', './connection.js'].map((name) => import(name)));
               const record = GameRecord.fromFragment(location.hash);
               const rules = new Rules(openConnection(), () => {});
               for (let ply = 0; ply <= record.moves.length; ply += 1) states.push(await rules.stateAt(record, ply));
               const bytes = new Uint8Array(await (await animation(record, states)).arrayBuffer());
               return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
             })()",
        )
        .await;
    let bytes = data_encoding::BASE64.decode(data.as_str().unwrap().as_bytes()).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.len() < 600_000, "{} bytes", bytes.len());
    std::fs::write(file, bytes).unwrap();
}
