//! The report as one self-contained page: tables, plots, cross table, and a board on which every
//! game can be replayed.
//!
//! The page never contains text of the record as markup. Everything goes into one JSON element, and the
//! script shows it as text; a content security policy allows that script alone, and no network.

mod games;

use data_encoding::BASE64;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::escape::json_in_html;
use super::replay::Layout;
use super::{ReportData, Sheet, plot};
use games::GameData;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(
    include_str!("dom.js"),
    include_str!("board.js"),
    include_str!("replay.js"),
    include_str!("page.js")
);
/// The width of each plot.
const PLOT_WIDTH: u32 = 600;

/// What the script reads.
#[derive(Serialize)]
struct PageData<'a> {
    game: &'a str,
    headline: String,
    engines: Vec<&'a str>,
    /// Engines from the best to the worst.
    ranking: Vec<usize>,
    /// Two engines, and the wins, draws and losses of the first.
    cross: Vec<[u64; 5]>,
    tables: Vec<Sheet>,
    notes: Vec<String>,
    layout: Layout,
    /// The usual start position.
    start: Vec<u32>,
    games: Vec<GameData>,
}

/// The page.
pub fn html(data: &ReportData) -> anyhow::Result<String> {
    let json = serde_json::to_string(&page_data(data)?)?;
    let hash = BASE64.encode(&Sha256::digest(SCRIPT));
    let parts = |name: &str| match name {
        "hash" => Ok(hash.clone()),
        "style" => Ok(STYLE.to_owned()),
        "script" => Ok(SCRIPT.to_owned()),
        "ratings" => plot::ratings(data, PLOT_WIDTH),
        "scores" => plot::scores(data, PLOT_WIDTH),
        "data" => Ok(json_in_html(&json)),
        other => anyhow::bail!("unknown part '{other}' of the page"),
    };
    filled(TEMPLATE, parts)
}

/// The template with each `{{name}}` replaced. What replaces it is not looked at again.
fn filled(template: &str, part: impl Fn(&str) -> anyhow::Result<String>) -> anyhow::Result<String> {
    let mut pieces = template.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        page += &part(name)?;
        page += rest;
    }
    Ok(page)
}

fn page_data(data: &ReportData) -> anyhow::Result<PageData<'_>> {
    let (layout, start, games) = games::replayed(data)?;
    let cross = data.standings.head_to_head.iter().map(|result| {
        let [one, other] = result.engines.map(|engine| engine as u64);
        [one, other, result.wdl.wins, result.wdl.draws, result.wdl.losses]
    });
    Ok(PageData {
        game: &data.settings.game,
        headline: data.headline(),
        engines: data.settings.engines.iter().map(|engine| engine.name.as_str()).collect(),
        ranking: data.standings.ranking().into_iter().map(|(engine, _)| engine).collect(),
        cross: cross.collect(),
        tables: data.sheets().into_iter().chain(data.losses()).collect(),
        notes: data
            .sprt_line()
            .into_iter()
            .chain(data.repeats_note())
            .chain(data.first_forfeits())
            .collect(),
        layout,
        start,
        games,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn no_text_of_the_record_becomes_markup() {
        let page = html(&example()).unwrap();
        assert!(!page.contains("<b>e0"), "a name became markup");
        assert!(page.contains("\\u003cb>e0"));
        assert!(page.contains("&lt;b&gt;e0"), "the plots have the name too");
    }

    #[test]
    fn what_fills_the_template_is_not_filled_again() {
        let part = |name: &str| Ok(format!("<{name} {{{{b}}}}>"));
        assert_eq!(filled("x{{a}}y{{b}}", part).unwrap(), "x<a {{b}}>y<b {{b}}>");
    }

    #[test]
    fn the_page_asks_for_nothing_else() {
        let page = html(&example()).unwrap();
        for word in ["http-equiv=\"refresh", "@import", "src=", "fetch("] {
            assert!(!page.contains(word), "{word}");
        }
        // Nor is the name of the SVG namespace an address that is loaded.
        let links = page.matches("http").count();
        let names =
            page.matches("http://www.w3.org/2000/svg").count() + page.matches("http-equiv").count();
        assert_eq!(links, names);
    }
}
