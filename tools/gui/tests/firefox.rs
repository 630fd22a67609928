//! The page in Firefox: from the start screen to the end of a game, and the analysis.

mod support;

use serde_json::json;
use support::Server;
use support::firefox::Firefox;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_to_its_end_and_analyzed_in_firefox() {
    let Some(mut page) = Firefox::start().await else { return };
    let server = Server::start(&[]);
    page.go(&server.url()).await;
    assert_eq!(page.eval("document.getElementById('new-game').open").await, json!(true));
    page.click("#new-game .choice:has([value=connect4])").await;
    page.click("#new-game .choice:has([value=computer])").await;
    page.click("#new-game .choice:has([name=level][value='1'])").await;
    page.click("#start").await;
    page.wait("!document.getElementById('new-game').open").await;
    // A person's turn, or the end.
    let ready = "document.querySelector('#board [data-move]') || document.getElementById('status').dataset.result !== 'none'";
    let over = "document.getElementById('status').dataset.result !== 'none'";
    for turn in 0.. {
        assert!(turn <= 21, "the board has 42 cells");
        page.wait(ready).await;
        if page.eval(over).await == json!(true) {
            break;
        }
        let ply = page.eval("Number(document.getElementById('board').dataset.ply)").await;
        page.click("#board [data-move]").await;
        page.wait(&format!("Number(document.getElementById('board').dataset.ply) > {ply}")).await;
    }
    let pieces = "document.querySelectorAll('#board .piece').length";
    page.wait(&format!(
        "{pieces} >= 7 && {pieces} === Number(document.getElementById('board').dataset.ply)"
    ))
    .await;
    page.click("#undo").await;
    page.wait("document.querySelector('#board [data-move]')").await;
    page.click(".switch").await;
    page.wait("document.querySelectorAll('#board [data-score]').length === document.querySelectorAll('#board [data-move]').length").await;
    page.wait("document.getElementById('evaluation').textContent.includes('proved')").await;
    assert_eq!(page.errors, [""; 0]);
}
