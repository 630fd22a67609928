//! The page for everybody: languages, and an accessibility audit of every screen.

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::picture::Picture;
use support::{Page, axe, open};

const LANGUAGES: [&str; 5] = ["en", "ca", "es", "pt", "ro"];

#[tokio::test(flavor = "multi_thread")]
async fn all_languages_have_the_same_strings_and_placeholders() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
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
    page.assert_no_errors();
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
    let Some((_server, _browser, page)) = open("#c4:44").await else { return };
    for (code, status, mistakes) in [
        ("ro", "Mută Roșu", ["0 greșeli", "1 greșeală", "2 greșeli", "20 de greșeli"]),
        ("ca", "Juga Vermell", ["0 errors", "1 error", "2 errors", "20 errors"]),
        ("es", "Juega Rojo", ["0 errores", "1 error", "2 errores", "20 errores"]),
        ("pt", "Joga Vermelho", ["0 erros", "1 erro", "2 erros", "20 erros"]),
        ("en", "Red to move", ["0 mistakes", "1 mistake", "2 mistakes", "20 mistakes"]),
    ] {
        page.choose("#language", code).await;
        page.wait(&format!("document.documentElement.lang === '{code}'")).await;
        page.ready().await;
        page.wait(&format!("document.getElementById('status').textContent === '{status}'")).await;
        assert_eq!(page.ply().await, 2, "the game is still there");
        let counted = page.eval("import('./i18n.js').then(({ t }) => [0, 1, 2, 20].map((n) => t('review.mistakes', { n })))").await;
        assert_eq!(counted, json!(mistakes), "{code}");
        let untranslated = page.eval("[...document.querySelectorAll('[data-t]')].filter((node) => !node.textContent || node.textContent === node.dataset.t).length").await;
        assert_eq!(untranslated, 0);
    }
    page.assert_no_errors();
}

/// Each kind of reason that the protocol lists has its own sentence, and so does each result that a move can
/// give away.
#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_reason_has_a_sentence() {
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol.md");
    let text = std::fs::read_to_string(protocol).unwrap();
    let table = text.split("| kind | games | meaning |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|line| line.split('|').nth(1).unwrap());
    let kinds: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(kinds.len() > 20 && kinds.contains(&"judged"), "{kinds:?}");
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    page.eval("localStorage.setItem('ratlla-language', 'ca')").await;
    page.reload().await;
    assert_eq!(page.eval("document.documentElement.lang").await, "ca");
    let sentences = page
        .eval(&format!(
            "import('./explanation.js').then(({{ reasonText }}) => {}.flatMap((kind) => {{
               const scores = {{ win: {{ kind: 'win', value: 3 }}, draw: {{ kind: 'draw', value: 0 }}, loss: {{ kind: 'loss', value: 2 }} }};
               const results = kind === 'spoils' ? [['win', 'draw'], ['win', 'loss'], ['draw', 'loss']] : [['win', 'win'], ['win', 'draw'], ['win', 'loss']];
               const cells = kind === 'leaves' ? [['a1'], ['p1-3']] : [[], ['b2', 'c2']];
               return results.flatMap(([best, own]) => cells.map((some) =>
                 [kind, some.length, reasonText({{ kind, cells: some, score: scores[own], sentence: 'English' }}, {{ move: '4', score: scores[best] }})]));
             }}))",
            json!(kinds)
        ))
        .await;
    for sentence in sentences.as_array().unwrap() {
        let (kind, text) = (sentence[0].as_str().unwrap(), sentence[2].as_str().unwrap());
        // Most reasons that name cells always have some.
        let is_possible = sentence[1] != 0 || ["allows", "bomb", "fork"].contains(&kind);
        let is_own = !text.contains("English") && !text.contains("explain.");
        assert!((is_own || !is_possible) && !text.contains(['{', '}']), "{sentence}");
        let has_gap = [": .", "() ", " .", "  "].iter().any(|gap| text.contains(gap));
        assert!(!has_gap, "{sentence}");
    }
    page.assert_no_errors();
}

/// Turns the analysis on, unless the tab remembers that it is.
const ANALYZE: &str = "document.getElementById('analysis-on').checked || document.getElementById('analysis-on').click()";

/// Presses a button as soon as it is enabled, wherever it is: the panel grows as lines come in.
async fn press(page: &Page, button: &str) {
    let button = format!("document.querySelector({})", json!(button));
    page.wait(&format!("{button} && !{button}.disabled")).await;
    page.eval(&format!("{button}.click()")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reasons_are_told_in_the_chosen_language() {
    let Some((server, _browser, page)) = open("#c4:").await else { return };
    for (language, allows, spoils) in [
        ("en", "Lets the opponent win at once", "Turns a win into a loss"),
        ("ca", "Deixa que el rival guanyi de seguida amb la línia", "Converteix una victòria"),
        ("es", "Deja que el rival gane enseguida con la línea", "Convierte una victoria"),
        ("pt", "Deixa o adversário ganhar logo com a linha", "Transforma uma vitória"),
        ("ro", "Lasă adversarul să câștige imediat cu linia", "Transformă o victorie"),
    ] {
        page.eval(&format!("localStorage.setItem('ratlla-language', '{language}')")).await;
        // Yellow must stop a column of three.
        page.go(&format!("{}#c4:41424", server.url())).await;
        page.eval(ANALYZE).await;
        press(&page, "#why").await;
        page.wait(&format!(
            "document.getElementById('reasons').textContent.includes({})",
            json!(allows)
        ))
        .await;
        page.go(&format!("{}#c4:11", server.url())).await;
        page.eval(ANALYZE).await;
        press(&page, "#review-game").await;
        press(&page, "[data-mistake='1'] button:last-of-type").await;
        page.wait(&format!(
            "document.querySelector('[data-mistake=\"1\"] p').textContent.includes({})",
            json!(spoils)
        ))
        .await;
    }
    page.assert_no_errors();
}

/// In the system's own few colours the audit finds nothing, and pieces can be told from holes and from each
/// other.
#[tokio::test(flavor = "multi_thread")]
async fn forced_colours_leave_everything_visible() {
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
    let script = axe::script();
    for scheme in ["light", "dark"] {
        let page = browser.open("about:blank").await;
        page.size(1280, 720, false).await;
        page.media(&[("forced-colors", "active"), ("prefers-color-scheme", scheme)]).await;
        for (fragment, places) in [
            ("#c4:444", ["cell 5 3", "cell 4 3", "cell 0 0"]),
            ("#boom:4555", ["cell 6 3", "cell 6 4", "cell 0 0"]),
            ("#wali:b2-c2", ["b2", "c2", "e4"]),
        ] {
            page.go(&format!("{}{fragment}", server.url())).await;
            page.leave().await;
            let picture = Picture::read(&page.screenshot().await);
            let mut cells = Vec::new();
            for place in places {
                let found = page.eval(&format!("(() => {{ const {{ left, top, width }} = document.querySelector('[data-place=\"{place}\"]').getBoundingClientRect(); return [left, top, width].map(Math.round); }})()")).await;
                let [left, top, width] = [0, 1, 2].map(|at| found[at].as_u64().unwrap() as usize);
                cells.push(picture.part(left, top, width, width));
            }
            for (one, two) in [(0, 1), (0, 2), (1, 2)] {
                let share = cells[one].different(&cells[two], 100) as f64;
                let share = share / cells[one].pixels.len() as f64;
                assert!(share > 0.03, "{fragment} {scheme}: {one} and {two} differ in {share}");
            }
            if let Some(script) = &script {
                page.eval(&format!("{script};0")).await;
                assert_eq!(page.eval(AUDIT).await, json!([]), "{fragment} {scheme}");
            }
        }
        page.assert_no_errors();
        page.close().await;
    }
}

/// The violations that axe-core finds.
const AUDIT: &str = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => \
    `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any.map((check) => check.message).join()}`).join(' | ')}`))";

#[tokio::test(flavor = "multi_thread")]
async fn no_screen_violates_accessibility_rules() {
    let Some(script) = axe::script() else { return };
    let Some((server, browser, first)) = open("#c4:").await else { return };
    first.close().await;
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
                if prepare.contains("analysis") {
                    page.wait("document.querySelectorAll('#board [data-score]').length > 5").await;
                }
                // Colours that change are not those to be judged.
                page.wait("document.getAnimations().length === 0").await;
                let found = page.eval(AUDIT).await;
                assert_eq!(found, json!([]), "{fragment} {prepare} {scheme} {width}x{height}");
            }
            page.close().await;
        }
    }
}
