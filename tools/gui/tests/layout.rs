//! Nothing on the page is cut off or overlaps, in any language and at any size.

mod support;

use serde_json::json;
use support::{Browser, SIZES, Server};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_cut_off_in_any_language() {
    let server = Server::start(&[]);
    let Some(browser) = Browser::start().await else { return };
    let page = browser.open("about:blank").await;
    page.media(&[("prefers-reduced-motion", "reduce")]).await;
    page.go(&format!("{}#c4:", server.url())).await;
    let mut wrong = Vec::new();
    for language in ["en", "ca", "es", "pt", "ro"] {
        page.eval(&format!("localStorage.setItem('ratlla-language', '{language}')")).await;
        for (fragment, dialogs) in [
            (
                "#c4:444344335235",
                &["", "new", "help", "share", "settings", "player-p2", "resign"][..],
            ),
            ("#boom:636444244736", &["", "new", "help"]),
            ("#wali:b2-c2-b4-b3", &["", "new", "help"]),
            ("#kalah:3625", &["", "new", "help"]),
            ("#c4:1212121", &[""]),
        ] {
            page.go(&format!("{}{fragment}", server.url())).await;
            for dialog in dialogs {
                page.eval("document.querySelector('dialog[open]')?.close()").await;
                if !dialog.is_empty() {
                    page.eval(&format!("document.getElementById('{dialog}').click()")).await;
                    page.wait("document.querySelector('dialog[open]')").await;
                    page.eval("document.querySelectorAll('dialog[open] details').forEach((one) => (one.open = true))").await;
                    // The longest of the three, and bold.
                    page.eval("document.querySelector('dialog[open] [name=against][value=watch]')?.click()").await;
                }
                for (width, height) in SIZES {
                    page.size(width, height, width.min(height) < 500).await;
                    let found = page.eval(include_str!("data/layout.js")).await;
                    if found != json!([]) {
                        let place = format!("{fragment} {dialog} {language} {width}x{height}");
                        wrong.push(format!("{place}: {found}"));
                    }
                }
            }
        }
    }
    assert_eq!(page.console_errors(), [""; 0]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
