//! Presents the results of a match: tables, plots, and the games as PGN, CSV or a page.
//!
//! Everything starts from [`ReportData`], in which all texts are safe to print.

mod csv;
mod data;
mod escape;
mod html;
mod pgn;
pub mod plot;
mod replay;
mod sheet;
mod tables;

use std::path::Path;

use anyhow::{Context as _, ensure};

use ratlla::platform::files::replace_or_send;

pub use csv::csv;
pub use data::ReportData;
pub use html::html;
pub use pgn::pgn;
pub use sheet::Sheet;
pub use tables::tables;

/// Writes a report to a file, but not over the record it was made from.
pub fn write(path: &Path, record: &Path, text: &str) -> anyhow::Result<()> {
    let place = |path: &Path| path.canonicalize().ok();
    let is_record = place(path).is_some_and(|path| Some(path) == place(record));
    ensure!(!is_record, "{} is the record itself: choose another file", path.display());
    replace_or_send(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// An Elo difference with its error.
pub fn elo_text(elo: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{} ± {error:.1}", signed(elo)),
        None if elo.is_infinite() => (if elo > 0.0 { "+∞" } else { "-∞" }).to_owned(),
        None => signed(elo),
    }
}

fn signed(elo: f64) -> String {
    // No sign before zero.
    if elo.abs() < 0.05 { "0.0".to_owned() } else { format!("{elo:+.1}") }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share))
}

/// A likelihood of superiority, which is never certain.
fn los_text(los: f64) -> String {
    const ROUNDED: f64 = 0.001;
    if los > 1.0 - ROUNDED {
        "> 99.9 %".to_owned()
    } else if los < ROUNDED {
        "< 0.1 %".to_owned()
    } else {
        percent(Some(los))
    }
}

/// Pairs won for each pair lost.
fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => String::new(),
        Some(ratio) if ratio.is_infinite() => "∞".to_owned(),
        Some(ratio) => format!("{ratio:.2}"),
    }
}

/// A score as people read it, for the side that moved: `cp 34` is `+0.34`, `win 5` and `mate 5` are
/// `#5`, `loss 4` is `#-4`. Others are left as the engine wrote them.
fn score_text(score: &str) -> String {
    let (kind, number) = score.split_once(' ').unwrap_or((score, ""));
    match (kind, number.parse::<i64>()) {
        ("cp", Ok(points)) => format!("{:+.2}", points as f64 / 100.0),
        ("win" | "mate", Ok(distance)) => format!("#{distance}"),
        ("loss", Ok(distance)) => format!("#-{distance}"),
        ("margin", Ok(margin)) => format!("margin {margin:+}"),
        _ => score.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::forfeit::ForfeitKind;
    use crate::record::{ForfeitRecord, GameRecord, GameResult};
    use crate::settings::{SearchLimits, TournamentFormat};

    /// A match of two games between engines with hostile names; the second one ends by a forfeit.
    pub fn example() -> ReportData {
        let mut settings = crate::settings::tests::settings(2, TournamentFormat::RoundRobin);
        settings.engines[0].name = "<b>e0</b> \"|\"".into();
        settings.engines[1].name = "=e1".into();
        settings.engines[0].limits = SearchLimits {
            time: Some(60_000),
            inc: Some(600),
            moves: Some(40),
            ..Default::default()
        };
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let won = GameRecord {
            p1: settings.engines[0].name.clone(),
            p2: "=e1".into(),
            opening: words("1 2"),
            moves: words("1 2 1 2 1"),
            times: vec![105, 2, 105, 2, 105],
            scores: vec![Some("cp 12".into()), Some("loss 4".into()), None, None, None],
            depths: vec![Some(3), Some(9), None, None, None],
            nodes: vec![Some(7); 5],
            clocks: vec![Some(59_900), None, Some(59_800), None, Some(59_700)],
            result: GameResult::P1Win,
            reason: "line".into(),
            ..GameRecord::default()
        };
        let forfeit = ForfeitRecord {
            engine: "=e1".into(),
            kind: ForfeitKind::Crash,
            detail: "died: {} \u{1b}[31m".into(),
            overshoot: None,
        };
        let lost = GameRecord {
            number: 1,
            p1: "=e1".into(),
            p2: won.p1.clone(),
            opening: words("1 2"),
            result: GameResult::P2Win,
            reason: "crash".into(),
            forfeit: Some(forfeit),
            ..GameRecord::default()
        };
        ReportData::new(&settings, &[won, lost])
    }

    #[test]
    fn tables_show_forfeits_and_no_control_characters() {
        let text = example().tables();
        assert!(text.contains("2 games of 4, 1 of them a forfeit"), "{text}");
        assert!(text.contains("<b>e0</b> \"\\|\""), "{text}");
        assert!(text.contains("first crash, in game 1: died: {} \\u001b[31m"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn superiority_is_never_certain() {
        let texts = [0.0, 0.0009, 0.001, 0.5, 0.75, 0.999, 0.9991, 1.0].map(los_text);
        let expected =
            ["< 0.1 %", "< 0.1 %", "0.1 %", "50.0 %", "75.0 %", "99.9 %", "> 99.9 %", "> 99.9 %"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn scores_read_like_scores() {
        let texts = ["cp -34", "win 5", "loss 4", "mate -3", "margin 4", "draw", "cp x"];
        let expected = ["-0.34", "#5", "#-4", "#-3", "margin +4", "draw", "cp x"];
        assert_eq!(texts.map(score_text), expected);
    }
}
