//! The page looks as it did: screenshots, reduced, are compared with those in `screens`. After a change of the
//! page that is meant to be seen, look at the new ones and keep them:
//!
//! ```sh
//! cargo test -p ratlla-gui --test screens -- --ignored
//! ```

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use support::picture::Picture;
use support::{Browser, SIZES, Server};

/// How much smaller the pictures are, in each direction.
const FACTOR: usize = 5;
/// From which difference on colours are different, and the share of such pixels that is not seen. Fonts are
/// drawn a little differently by every version of a browser.
const TOLERANCE: u8 = 40;
const MOST: f64 = 0.004;

/// The screens: their names, and the fragments of their games. Without one, the start screen.
const SCREENS: [(&str, &str); 6] = [
    ("start", ""),
    ("connect4", "#c4:444344335235"),
    ("won", "#c4:12345671234561"),
    ("boom", "#boom:636444244736"),
    ("wali", "#wali:b2-c2-b4-b3-c3-e2-d4"),
    ("kalah", "#kalah:3625"),
];

/// Screenshots of all screens at all sizes, by name. Light and dark take turns.
async fn screenshots(server: &Server, browser: &Arc<Browser>) -> Vec<(String, Picture)> {
    let mut all = Vec::new();
    for (row, (width, height)) in SIZES.into_iter().enumerate() {
        for (column, (name, fragment)) in SCREENS.into_iter().enumerate() {
            let scheme = ["light", "dark"][(row + column) % 2];
            // A tab remembers its game.
            let page = browser.open("about:blank").await;
            page.size(width, height, width.min(height) < 500).await;
            page.media(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")])
                .await;
            page.go(&format!("{}{fragment}", server.url())).await;
            page.leave().await;
            // The sides of moves are asked for last.
            page.wait("[...document.querySelectorAll('#moves [data-ply]')].every(({ className, dataset }) => dataset.ply === '0' || /p[12]/.test(className))").await;
            page.eval("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))).then(() => 0)").await;
            let picture = Picture::read(&page.screenshot().await).reduced(FACTOR);
            all.push((format!("{name}-{width}x{height}.png"), picture));
            assert_eq!(page.console_errors(), [""; 0]);
            page.close().await;
        }
    }
    all
}

fn references() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens")
}

#[tokio::test(flavor = "multi_thread")]
async fn screens_look_as_they_did() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for (name, picture) in screenshots(&server, &browser).await {
        let reference = std::fs::read(references().join(&name)).expect("a picture to compare with");
        let different = picture.different(&Picture::read(&reference), TOLERANCE);
        let share = different as f64 / picture.pixels.len() as f64;
        if share > MOST {
            let file = folder.join(&name);
            std::fs::write(&file, picture.quantized()).unwrap();
            wrong.push(format!(
                "{} differs in {:.1} % of its pixels",
                file.display(),
                100.0 * share
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes files of the repository"]
async fn keep_screens() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    std::fs::create_dir_all(references()).unwrap();
    for (name, picture) in screenshots(&server, &browser).await {
        std::fs::write(references().join(name), picture.quantized()).unwrap();
    }
}
