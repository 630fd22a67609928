//! The result tables of a match, as Markdown.

use std::collections::HashSet;

use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::elo_text;
use crate::record::{ForfeitRecord, GameRecord};
use crate::settings::MatchSettings;
use crate::standings::{SprtState, Standings};

/// The full report on `games`, which must be in order.
pub fn tables(settings: &MatchSettings, games: &[GameRecord]) -> String {
    let standings = Standings::new(settings, games.iter());
    let mut parts = vec![headline(settings, &standings, games.len() as u64)];
    if settings.engines.len() > 2 {
        parts.push(rating_list(settings, &standings).to_string());
    }
    parts.push(head_to_head(settings, &standings).to_string());
    parts.extend(standings.sprt.as_ref().map(sprt_line));
    parts.extend(losses(settings, &standings).map(|table| table.to_string()));
    parts.extend(first_forfeits(games));
    parts.join("\n")
}

fn headline(settings: &MatchSettings, standings: &Standings, played: u64) -> String {
    let MatchSettings { game, seed, .. } = settings;
    let mut text = format!("{game}, seed {seed}: {} games", standings.games());
    let total = settings.total_games();
    if played < total && standings.sprt.as_ref().and_then(SprtState::decided_after).is_none() {
        text += &format!(" of {total}");
    }
    if played > standings.games() {
        let ignored = played - standings.games();
        text += &format!(" ({ignored} more, finished after the decision, are ignored)");
    }
    text + "\n"
}

fn rating_list(settings: &MatchSettings, standings: &Standings) -> Table {
    let mut table = Table::new(&[
        ("rank", Right),
        ("engine", Left),
        ("Elo", Right),
        ("games", Right),
        ("score", Right),
        ("won", Right),
        ("drawn", Right),
        ("lost", Right),
    ]);
    for (rank, (engine, rating)) in (1..).zip(standings.ranking()) {
        let wdl = &standings.wdl[engine];
        table.row([
            rank.to_string(),
            settings.engines[engine].name.clone(),
            elo_text(rating.elo, Some(rating.error)),
            wdl.games().to_string(),
            percent(wdl.score()),
            wdl.wins.to_string(),
            wdl.draws.to_string(),
            wdl.losses.to_string(),
        ]);
    }
    table
}

fn head_to_head(settings: &MatchSettings, standings: &Standings) -> Table {
    let mut table = Table::new(&[
        ("engine", Left),
        ("against", Left),
        ("won", Right),
        ("drawn", Right),
        ("lost", Right),
        ("as p1", Right),
        ("as p2", Right),
        ("score", Right),
        ("Elo", Right),
        ("LOS", Right),
        ("pairs", Right),
    ]);
    for result in &standings.head_to_head {
        let [one, other] = result.engines.map(|engine| settings.engines[engine].name.clone());
        let elo = result.elo();
        table.row([
            one,
            other,
            result.wdl.wins.to_string(),
            result.wdl.draws.to_string(),
            result.wdl.losses.to_string(),
            result.by_side[0].to_string(),
            result.by_side[1].to_string(),
            percent(result.wdl.score()),
            elo.map_or_else(String::new, |elo| elo_text(elo.elo, elo.error)),
            percent(elo.map(|elo| elo.los)),
            result.pairs.map(|count| count.to_string()).join(" "),
        ]);
    }
    table
}

fn sprt_line(state: &SprtState) -> String {
    let SprtState { sprt, llr, decision, .. } = state;
    let (lower, upper) = sprt.bounds();
    let model = format!("{:?}", sprt.model).to_lowercase();
    format!(
        "SPRT elo0 {} elo1 {} alpha {} beta {} ({model}): LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}\n",
        sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
    )
}

fn losses(settings: &MatchSettings, standings: &Standings) -> Option<Table> {
    let mut table = Table::new(&[("engine", Left), ("lost", Right), ("by", Left)]);
    let losers = standings.losses.iter().enumerate();
    for (engine, losses) in losers.filter(|(_, losses)| !losses.counts.is_empty()) {
        let reason = |(reason, count): (&String, &u64)| match losses.worst_overshoot {
            Some(worst) if reason == "time forfeit" => {
                format!("{reason} {count} (worst: {worst} ms late)")
            }
            _ => format!("{reason} {count}"),
        };
        let reasons: Vec<String> = losses.counts.iter().map(reason).collect();
        table.row([
            settings.engines[engine].name.clone(),
            standings.wdl[engine].losses.to_string(),
            reasons.join(", "),
        ]);
    }
    (!table.is_empty()).then_some(table)
}

/// The details of each engine's first forfeit of each kind.
fn first_forfeits(games: &[GameRecord]) -> Option<String> {
    let mut seen = HashSet::new();
    let forfeits = games.iter().filter_map(|game| Some((game.number, game.forfeit.as_ref()?)));
    let first = forfeits.filter(|(_, forfeit)| seen.insert((&forfeit.engine, forfeit.kind)));
    let lines: String = first
        .map(|(number, ForfeitRecord { engine, kind, detail, .. })| {
            format!("{engine}, first {kind}, in game {number}: {detail}\n")
        })
        .collect();
    (!lines.is_empty()).then_some(lines)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share))
}
