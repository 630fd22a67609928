//! The tables of a match, in Markdown, which is easy on the eye as it is.

use std::collections::HashSet;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::elo_text;
use crate::record::{Blame, GameRecord};
use crate::settings::Settings;
use crate::stats::Pentanomial;
use crate::tally::{Score, SprtState, Tally};

/// All that is to be told about the games, which are in order.
pub fn tables(settings: &Settings, games: &[GameRecord]) -> String {
    let tally = Tally::new(settings, games);
    let mut parts = vec![headline(settings, &tally, games.len() as u64)];
    if settings.engines.len() > 2 {
        parts.push(rating_list(settings, &tally).to_string());
    }
    parts.push(encounters(settings, &tally).to_string());
    parts.extend(tally.sprt.as_ref().map(test));
    parts.extend(losses(settings, &tally).map(|table| table.to_string()));
    parts.extend(faults(games));
    parts.join("\n\n") + "\n"
}

fn headline(settings: &Settings, tally: &Tally, played: u64) -> String {
    let Settings { game, seed, .. } = settings;
    let mut text = format!("{game}, seed {seed}: {} games", tally.games());
    let total = settings.total_games();
    if played < total && tally.sprt.as_ref().and_then(SprtState::decided_after).is_none() {
        text += &format!(" of {total}");
    }
    if played > tally.games() {
        text +=
            &format!(" ({} more, played after the decision, do not count)", played - tally.games());
    }
    text
}

fn rating_list(settings: &Settings, tally: &Tally) -> Table {
    let mut table =
        new_table(&["rank", "engine", "Elo", "games", "score", "won", "drawn", "lost"], 1);
    let ratings = tally.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    for (rank, &engine) in order.iter().enumerate() {
        let score = &tally.scores[engine];
        table.add_row([
            (rank + 1).to_string(),
            settings.engines[engine].name.clone(),
            elo_text(ratings[engine].elo, Some(ratings[engine].error)),
            score.games().to_string(),
            share(score),
            score.won.to_string(),
            score.drawn.to_string(),
            score.lost.to_string(),
        ]);
    }
    table
}

fn encounters(settings: &Settings, tally: &Tally) -> Table {
    let head = [
        "engine", "against", "won", "drawn", "lost", "as p1", "as p2", "score", "Elo", "LOS",
        "pairs",
    ];
    let mut table = new_table(&head, 0);
    for pairing in &tally.pairings {
        let [one, other] = pairing.players.map(|player| settings.engines[player].name.clone());
        let strength = pairing.strength();
        table.add_row([
            one,
            other,
            pairing.score.won.to_string(),
            pairing.score.drawn.to_string(),
            pairing.score.lost.to_string(),
            score_text(&pairing.by_side[0]),
            score_text(&pairing.by_side[1]),
            share(&pairing.score),
            strength.map_or_else(String::new, |found| elo_text(found.elo, found.error)),
            strength
                .map_or_else(String::new, |found| format!("{:.1} %", 100.0 * found.superiority)),
            pairs_text(&pairing.pairs),
        ]);
    }
    table
}

fn test(state: &SprtState) -> String {
    let SprtState { sprt, ratio, exact_value, .. } = state;
    let (lower, upper) = sprt.bounds();
    let model = format!("{:?}", sprt.model).to_lowercase();
    format!(
        "SPRT elo0 {} elo1 {} alpha {} beta {} ({model}): LLR {ratio:.2} ({lower:.2}, {upper:.2}), {exact_value}",
        sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
    )
}

fn losses(settings: &Settings, tally: &Tally) -> Option<Table> {
    let mut table = new_table(&["engine", "lost", "by"], 0);
    let losers = tally.losses.iter().enumerate().filter(|(_, losses)| !losses.reasons.is_empty());
    for (engine, losses) in losers {
        let reason = |(reason, count): (&String, &u64)| match losses.worst_overshoot {
            Some(worst) if reason == "time forfeit" => {
                format!("{reason} {count} (worst: {worst} ms late)")
            }
            _ => format!("{reason} {count}"),
        };
        let reasons: Vec<String> = losses.reasons.iter().map(reason).collect();
        table.add_row([
            settings.engines[engine].name.clone(),
            tally.scores[engine].lost.to_string(),
            reasons.join(", "),
        ]);
    }
    (table.row_count() > 0).then_some(table)
}

/// What happened at the first fault of each kind by each engine, if there was any.
fn faults(games: &[GameRecord]) -> Option<String> {
    let mut told = HashSet::new();
    let faults = games.iter().filter_map(|game| Some((game.number, game.fault.as_ref()?)));
    let first = faults.filter(|(_, fault)| told.insert((&fault.engine, fault.kind)));
    let lines: Vec<String> = first
        .map(|(number, Blame { engine, kind, story, .. })| {
            format!("{engine}, first {kind}, in game {number}: {story}")
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A table whose columns are numbers but for the one with names and the one after it.
fn new_table(head: &[&str], name_column: usize) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(head);
    for (index, column) in table.column_iter_mut().enumerate() {
        let is_text = index == name_column || head[index] == "against" || head[index] == "by";
        column.set_cell_alignment(if is_text { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

fn share(score: &Score) -> String {
    score.share().map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share))
}

fn score_text(score: &Score) -> String {
    format!("+{} ={} -{}", score.won, score.drawn, score.lost)
}

fn pairs_text(pairs: &Pentanomial) -> String {
    pairs.map(|count| count.to_string()).join(" ")
}
