//! The page for everybody: languages, and an accessibility audit of every screen.

mod support;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use support::{Browser, Page, Server, axe};

const LANGUAGES: [&str; 5] = ["en", "ca", "es", "pt", "ro"];

async fn open(fragment: &str) -> (Server, Arc<Browser>, Page) {
    let server = Server::start(&[]);
    let browser = Arc::new(Browser::start().await);
    let page = browser.open(&format!("{}{fragment}", server.url())).await;
    (server, browser, page)
}

fn assert_no_errors(page: &Page) {
    assert_eq!(page.console_errors(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_languages_have_the_same_strings_and_placeholders() {
    let (_server, _browser, page) = open("#c4:").await;
    let tables = page
        .eval(&format!(
            "Promise.all({}.map((code) => import(`./strings/${{code}}.js`))).then((all) => all.map((one) => one.default))",
            json!(LANGUAGES)
        ))
        .await;
    let english = tables[0].as_object().unwrap();
    let placeholders = |text: &Value| {
        let mut found: Vec<String> = text
            .as_str()
            .unwrap()
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap().to_owned())
            .collect();
        found.sort();
        found
    };
    for (code, table) in LANGUAGES.iter().zip(tables.as_array().unwrap()) {
        let table = table.as_object().unwrap();
        for (key, text) in english {
            let Some(translated) = table.get(key) else { panic!("{code} has no {key}") };
            // One of something may be a word.
            let (mut expected, mut found) = (placeholders(text), placeholders(translated));
            expected.retain(|name| name != "n");
            found.retain(|name| name != "n");
            assert_eq!(found, expected, "{code}: {key}");
        }
        for key in table.keys() {
            let plain = key.strip_suffix(".few").unwrap_or(key);
            assert!(english.contains_key(plain), "{code}: {key} is not used");
        }
    }
    assert_no_errors(&page);
}

/// The text of scripts without comments, and with the expressions of templates left out.
fn code(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines
        .filter(|line| !line.starts_with("//") && !line.starts_with('*') && !line.starts_with("/*"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The string literals of a script.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '`']) {
        let quote = rest.as_bytes()[start] as char;
        let after = &rest[start + 1..];
        let Some(end) = after.find(quote) else { break };
        found.push(after[..end].to_owned());
        rest = &after[end + 1..];
    }
    found
}

/// Whether a literal reads like a sentence: two words of letters, the first one capitalised.
fn is_sentence(text: &str) -> bool {
    let mut words = text.split(' ');
    let is_word = |word: &str| {
        word.len() > 1
            && word.trim_end_matches(['.', ':', ',', '!']).chars().all(|c| c.is_ascii_lowercase())
    };
    let first = words.next().unwrap_or_default();
    let capitalised =
        first.chars().next().is_some_and(|c| c.is_ascii_uppercase()) && is_word(&first[1..]);
    capitalised && words.next().is_some_and(is_word)
}

#[test]
fn no_visible_string_is_hard_coded() {
    assert!(is_sentence("Red wins") && !is_sentence("M0 0") && !is_sentence("view.column"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut seen = 0;
    for folder in ["", "ui", "views"] {
        for entry in std::fs::read_dir(page.join(folder)).unwrap().flatten() {
            if entry.path().extension().is_none_or(|kind| kind != "js") {
                continue;
            }
            seen += 1;
            for literal in literals(&code(&std::fs::read_to_string(entry.path()).unwrap())) {
                assert!(!is_sentence(&literal), "{}: {literal:?}", entry.path().display());
            }
        }
    }
    assert!(seen > 40);
    let html = std::fs::read_to_string(page.join("index.html")).unwrap();
    let body = html.split("<body>").nth(1).unwrap();
    let texts = body
        .split('<')
        .skip(1)
        .filter_map(|part| part.split_once('>'))
        .map(|(tag, text)| (tag, text.trim()));
    for (tag, text) in texts {
        let allowed = text.is_empty() || tag.starts_with("h1") || tag.starts_with("noscript");
        assert!(allowed, "<{tag}> contains {text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_speaks_the_chosen_language() {
    let (_server, _browser, page) = open("#c4:44").await;
    for (code, status) in [
        ("ro", "Mută Roșu"),
        ("ca", "Juga Vermell"),
        ("es", "Juega Rojo"),
        ("pt", "Joga Vermelho"),
        ("en", "Red to move"),
    ] {
        page.choose("#language", code).await;
        page.wait(&format!("document.documentElement.lang === '{code}'")).await;
        page.ready().await;
        page.wait(&format!("document.getElementById('status').textContent === '{status}'")).await;
        assert_eq!(page.ply().await, 2, "the game is still there");
        let untranslated = page.eval("[...document.querySelectorAll('[data-t]')].filter((node) => !node.textContent || node.textContent === node.dataset.t).length").await;
        assert_eq!(untranslated, 0);
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_screen_violates_accessibility_rules() {
    let Some(script) = axe::script() else {
        eprintln!("npm is not installed: no audit");
        return;
    };
    let (server, browser, first) = open("#c4:").await;
    first.close().await;
    let audit = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => \
        `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any.map((check) => check.message).join()}`).join(' | ')}`))";
    for scheme in ["light", "dark"] {
        for (width, height) in [(1280, 720), (390, 844)] {
            let page = browser.open("about:blank").await;
            page.size(width, height, false).await;
            page.scheme(scheme).await;
            for (fragment, prepare) in [
                ("#c4:4433", "document.getElementById('analysis-on').click()"),
                ("#c4:1212121", ""),
                ("#boom:636444244736", ""),
                ("#wali:b2-c2", ""),
                ("#kalah:36", ""),
                ("#c4:", "document.getElementById('new').click()"),
                ("#c4:", "document.getElementById('help').click()"),
                ("#c4:", "document.getElementById('share').click()"),
                ("#c4:", "document.getElementById('settings').click()"),
                ("#c4:", "document.getElementById('player-p2').click()"),
                ("#c4:", "document.getElementById('resign').click()"),
            ] {
                page.go(&format!("{}{fragment}", server.url())).await;
                page.eval(&format!("{script};0")).await;
                page.eval(prepare).await;
                tokio::time::sleep(std::time::Duration::from_millis(700)).await;
                let found = page.eval(audit).await;
                assert_eq!(found, json!([]), "{fragment} {prepare} {scheme} {width}x{height}");
            }
            page.close().await;
        }
    }
}
