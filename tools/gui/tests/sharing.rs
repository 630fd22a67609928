//! Links, texts and pictures of games, and the import of games, in a real browser.

mod support;

use std::path::Path;

use serde_json::json;
use support::{Page, open, open_for_two, open_with};

/// Pastes a text and imports it.
async fn import(page: &Page, text: &str) {
    page.click("#share").await;
    page.write("#import-text", text).await;
    page.click("#import").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_shared_and_imported() {
    let Some((server, browser, page)) = open_for_two("#game=connect4+6+7+4&moves=4+4").await else {
        return;
    };
    page.click("#board [data-move='3']").await;
    page.wait_ply(3).await;
    let link = page.eval("document.getElementById('share-link').value").await;
    assert_eq!(link, format!("{}#c4:443", server.url()));
    let text = page.eval("document.getElementById('share-text').value").await;
    assert_eq!(text, "newgame connect4 6 7 4\nposition startpos moves 4 4 3");
    let other = browser.open(link.as_str().unwrap()).await;
    other.wait_text("#move-count", "3 of 3").await;
    page.call("Page.bringToFront", json!({})).await;
    for (text, count) in [
        ("44433", "5 of 5"),
        ("1, 2, 3", "3 of 3"),
        (link.as_str().unwrap(), "3 of 3"),
        ("https://example.org/somewhere/#c4:4444", "4 of 4"),
        ("https://example.org/?pos=444", "3 of 3"),
        ("pos=44", "2 of 2"),
        ("newgame connect4 4 12 4\nposition startpos moves 12 12", "2 of 2"),
        ("newgame kalah 6 4\nposition startpos moves 3 6 2", "3 of 3"),
    ] {
        import(&page, text).await;
        page.wait_text("#move-count", count).await;
        page.wait("!document.getElementById('share-dialog').open").await;
    }
    for (text, reason) in [
        ("7 7 9", "move 1 (7) is not possible"),
        ("newgame chess", "unknown game “chess”"),
        ("4; quit", "“4;” is not a move or command"),
        ("", "there is nothing to import"),
        ("  \n", "there is nothing to import"),
    ] {
        import(&page, text).await;
        page.wait(&format!(
            "document.getElementById('import-error').textContent.includes('{reason}')"
        ))
        .await;
        assert_eq!(page.text("#move-count").await, "3 of 3", "the game is kept");
        page.key("Escape").await;
    }
    // A linked game is paused, though it is the engine's turn.
    page.choose("[data-player=p2-player]", "0").await;
    page.go(&format!("{}#game=connect4+6+7+4&moves=4", server.url())).await;
    page.wait("document.getElementById('status').textContent.includes('Continue')").await;
    page.click("#pause").await;
    page.wait_ply(2).await;
    page.choose("[data-player=p2-player]", "person").await;
    // An invalid link opens the tab's last game.
    page.go(&format!("{}#game=chess&moves=e4", server.url())).await;
    page.wait_text("#move-count", "2 of 2").await;
    page.assert_no_errors();
}

/// Each of them is what the page itself would share.
#[tokio::test(flavor = "multi_thread")]
async fn the_links_in_the_manual_open() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gui.md");
    let text = std::fs::read_to_string(manual).unwrap();
    let table = text.split("| link | game |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let examples = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let links: Vec<&str> =
        examples.filter(|text| text.starts_with('#') && !text.contains('…')).collect();
    assert!(links.len() > 5, "{links:?}");
    let Some((server, _browser, page)) = open("#c4:").await else { return };
    for link in links {
        page.go(&format!("{}{link}", server.url())).await;
        let shared = page.eval("document.getElementById('share-link').value").await;
        assert_eq!(shared, format!("{}{link}", server.url()));
        assert_eq!(page.text("#messages").await, "", "{link}");
    }
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn links_begin_with_the_address_to_share() {
    let share = ["--share", "https://example.org/board/"];
    let Some((server, _browser, page)) = open_with(&share, "#c4:443").await else { return };
    page.click("#share").await;
    page.wait(
        "document.getElementById('share-link').value === 'https://example.org/board/#c4:443'",
    )
    .await;
    // The page's own address stays.
    assert_eq!(page.eval("location.href").await, format!("{}#c4:443", server.url()));
    page.assert_no_errors();
}

#[tokio::test]
async fn any_text_is_a_game_or_an_error() {
    let Some((_server, _browser, page)) = open("#game=connect4+6+7").await else { return };
    let games = page.eval(include_str!("data/import.js")).await;
    assert!(games.as_u64().is_some_and(|count| count > 5000), "{games}");
    page.assert_no_errors();
}

/// What the page knows without its views and its engine.
#[tokio::test(flavor = "multi_thread")]
async fn the_logic_of_the_page_holds() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    assert_eq!(page.eval(include_str!("data/logic.js")).await, json!([]));
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_all_games_read_back() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    for (game, moves, link) in [
        ("connect4 6 7 4", "4 4 4", "#c4:444"),
        ("connect4 8 12 4", "10 11 12", "#c4-8x12x4:abc"),
        ("connect4 25 25 5", "25", "#c4-25x25x5:p"),
        ("boom", "4 3 boom", "#boom:43z"),
        ("wali 5 6 12", "b2 c2 a1b1xc4 pass", "#wali:b2-c2-a1b1xc4-pass"),
        ("kalah 6 4", "3 6", "#kalah:36"),
        ("kalah 6 4 empty", "3", "#kalah-6x4xempty:3"),
        ("nim 7", "1 2", "#game=nim+7&moves=1+2"),
    ] {
        let found = page
            .eval(&format!(
                "import('./game-record.js').then(({{ GameRecord }}) => {{
                   const link = new GameRecord({}, '', {}).fragment();
                   const again = GameRecord.fromFragment(link);
                   return [link, again.game, again.moves.join(' ')]; }})",
                json!(game),
                json!(moves.split(' ').collect::<Vec<_>>())
            ))
            .await;
        assert_eq!(found, json!([link, game, moves]));
    }
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_picture_is_copied() {
    let Some((server, browser, page)) = open("#boom:636444244736").await else { return };
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": format!("http://{}", server.address) });
    browser.call(None, "Browser.grantPermissions", permissions).await;
    page.click("#share").await;
    page.click("#copy-picture").await;
    page.wait_text("#messages", "Copied.").await;
    let size = page.eval("navigator.clipboard.read().then(([item]) => item.getType('image/png')).then((blob) => createImageBitmap(blob)).then(({ width }) => width)").await;
    assert_eq!(size, 1200);
    page.assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_import_gives_an_example_of_the_game_on_the_board() {
    let Some((server, _browser, page)) = open("#c4:").await else { return };
    for (fragment, example) in
        [("#c4:", "4 4 3"), ("#wali:", "b2 c2 b4"), ("#kalah:", "3 6 2"), ("#boom:", "4 4 3")]
    {
        page.go(&format!("{}{fragment}", server.url())).await;
        page.click("#share").await;
        page.wait_text("#import-help", &format!("for example {example}.")).await;
        // It can be imported as it is.
        page.write("#import-text", example).await;
        page.click("#import").await;
        page.wait_ply(3).await;
    }
    page.assert_no_errors();
}

/// All buttons of the dialog are there when it opens: none comes later and moves another from under
/// the pointer.
#[tokio::test(flavor = "multi_thread")]
async fn the_share_dialog_opens_complete() {
    let Some((_server, _browser, page)) = open("#c4:").await else { return };
    let buttons = "document.querySelectorAll('#share-dialog button').length";
    let opened = page.eval(&format!("(document.getElementById('share').click(), {buttons})")).await;
    page.wait("document.getAnimations().length === 0").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(page.eval(buttons).await, opened);
    assert_eq!(page.eval("document.querySelectorAll('[data-picture]').length").await, json!(3));
    page.assert_no_errors();
}
