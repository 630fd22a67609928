//! The result tables of a match.

use std::collections::HashSet;

use ratlla_common::table::Align::{Left, Right};

use super::{ReportData, Sheet, elo_text, los_text, percent, ratio};
use crate::record::{ForfeitRecord, GameRecord};
use crate::repeats;
use crate::settings::MatchSettings;
use crate::standings::SprtState;

/// The full report on `games`, which must be in order, as Markdown.
pub fn tables(settings: &MatchSettings, games: &[GameRecord]) -> String {
    ReportData::new(settings, games).tables()
}

impl ReportData {
    /// The full report as Markdown.
    pub fn tables(&self) -> String {
        let mut parts = vec![self.headline() + "\n"];
        parts.extend(self.sheets().iter().map(Sheet::markdown));
        parts.extend(self.sprt_line().map(|line| line + "\n"));
        parts.extend(self.losses().map(|sheet| sheet.markdown()));
        let forfeits: String = self.first_forfeits().into_iter().map(|line| line + "\n").collect();
        parts.extend((!forfeits.is_empty()).then_some(forfeits));
        parts.extend(self.repeats_note().map(|note| note + "\n"));
        parts.join("\n")
    }

    /// Ratings, if there are more than two engines, then results and statistics of each pairing.
    pub fn sheets(&self) -> Vec<Sheet> {
        let ratings = (self.settings.engines.len() > 2).then(|| self.rating_list());
        ratings.into_iter().chain([self.results(), self.statistics()]).collect()
    }

    /// What was played.
    pub fn headline(&self) -> String {
        let (standings, played) = (&self.standings, self.games.len() as u64);
        let MatchSettings { game, seed, .. } = &self.settings;
        let counted = standings.games();
        let mut text = format!("{game}, seed {seed}: {counted} games");
        let total = self.settings.total_games();
        if played < total && standings.sprt.as_ref().and_then(SprtState::decided_after).is_none() {
            text += &format!(" of {total}");
        }
        match standings.forfeits() {
            0 => {}
            1 => text += ", 1 of them a forfeit",
            forfeits => text += &format!(", {forfeits} of them forfeits"),
        }
        if standings.repeated > 0 {
            text += &format!(", {} distinct", counted - standings.repeated);
        }
        if played > counted {
            let ignored = played - counted;
            text += &format!(" ({ignored} more, finished after the decision, are ignored)");
        }
        text
    }

    fn rating_list(&self) -> Sheet {
        let mut sheet = Sheet::new(
            "Ratings",
            &[
                ("rank", Right),
                ("engine", Left),
                ("Elo", Right),
                ("games", Right),
                ("score", Right),
                ("won", Right),
                ("drawn", Right),
                ("lost", Right),
                ("forfeited", Right),
            ],
        );
        for (rank, (engine, rating)) in (1..).zip(self.standings.ranking()) {
            let wdl = &self.standings.wdl[engine];
            sheet.row([
                rank.to_string(),
                self.name(engine).to_owned(),
                elo_text(rating.elo, Some(rating.error)),
                wdl.games().to_string(),
                percent(wdl.score()),
                wdl.wins.to_string(),
                wdl.draws.to_string(),
                wdl.losses.to_string(),
                self.standings.losses[engine].forfeits.to_string(),
            ]);
        }
        sheet
    }

    fn results(&self) -> Sheet {
        let mut sheet = Sheet::new(
            "Results",
            &[
                ("engine", Left),
                ("against", Left),
                ("won", Right),
                ("drawn", Right),
                ("lost", Right),
                ("as p1", Right),
                ("as p2", Right),
                ("score", Right),
                ("forfeits", Right),
            ],
        );
        for result in &self.standings.head_to_head {
            let [one, other] = result.engines.map(|engine| self.name(engine).to_owned());
            sheet.row([
                one,
                other,
                result.wdl.wins.to_string(),
                result.wdl.draws.to_string(),
                result.wdl.losses.to_string(),
                result.by_side[0].to_string(),
                result.by_side[1].to_string(),
                percent(result.wdl.score()),
                result.forfeits.to_string(),
            ]);
        }
        sheet
    }

    fn statistics(&self) -> Sheet {
        let mut sheet = Sheet::new(
            "Statistics",
            &[
                ("engine", Left),
                ("against", Left),
                ("Elo", Right),
                ("nElo", Right),
                ("LOS", Right),
                ("draw ratio", Right),
                ("pair ratio", Right),
                ("pairs", Right),
            ],
        );
        for result in &self.standings.head_to_head {
            let [one, other] = result.engines.map(|engine| self.name(engine).to_owned());
            let pairs = result.pairs.map(|count| count.to_string()).join(" ");
            let Some(elo) = result.elo() else {
                let none = String::new;
                sheet.row([one, other, none(), none(), none(), none(), none(), pairs]);
                continue;
            };
            let normalized = elo.normalized.map(|(value, error)| elo_text(value, Some(error)));
            sheet.row([
                one,
                other,
                elo_text(elo.elo, elo.error),
                normalized.unwrap_or_default(),
                los_text(elo.los),
                percent(Some(elo.draw_ratio)),
                ratio(elo.pair_ratio),
                pairs,
            ]);
        }
        sheet
    }

    /// The state of the SPRT.
    pub fn sprt_line(&self) -> Option<String> {
        let SprtState { sprt, llr, decision, .. } = self.standings.sprt.as_ref()?;
        let (lower, upper) = sprt.bounds();
        Some(format!(
            "SPRT elo0 {} elo1 {} alpha {} beta {} ({}): LLR {llr:.2} ({lower:.2}, {upper:.2}), \
             {decision}",
            sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model
        ))
    }

    /// What repeated games mean for the statistics, if there are any.
    pub fn repeats_note(&self) -> Option<String> {
        repeats::note(self.standings.games(), self.standings.repeated)
    }

    /// Why engines lost, if any did.
    pub fn losses(&self) -> Option<Sheet> {
        let columns = [("engine", Left), ("lost", Right), ("by", Left)];
        let mut sheet = Sheet::new("Losses", &columns);
        let losers = self.standings.losses.iter().enumerate();
        for (engine, losses) in losers.filter(|(_, losses)| !losses.counts.is_empty()) {
            let reason = |(reason, count): (&String, &u64)| match losses.worst_overshoot {
                Some(worst) if reason == "time forfeit" => {
                    format!("{reason} {count} (worst: {worst} ms late)")
                }
                _ => format!("{reason} {count}"),
            };
            let reasons: Vec<String> = losses.counts.iter().map(reason).collect();
            let lost = self.standings.wdl[engine].losses.to_string();
            sheet.row([self.name(engine).to_owned(), lost, reasons.join(", ")]);
        }
        (!sheet.is_empty()).then_some(sheet)
    }

    /// The details of each engine's first forfeit of each kind.
    pub fn first_forfeits(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let forfeits =
            self.games.iter().filter_map(|game| Some((game.number, game.forfeit.as_ref()?)));
        let first = forfeits.filter(|(_, forfeit)| seen.insert((&forfeit.engine, forfeit.kind)));
        first
            .map(|(number, ForfeitRecord { engine, kind, detail, .. })| {
                format!("{engine}, first {kind}, in game {number}: {detail}")
            })
            .collect()
    }
}
