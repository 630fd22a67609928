//! Presents a tuning run: a table of values, a plot, and how to test the result.

use plotters::prelude::*;
use ratlla_client::words;
use ratlla_common::table::Align::{Left, Right};

use super::record::{Iteration, TuneSettings};
use crate::report::Sheet;
use crate::report::plot::{self, PALETTE, thinned};
use crate::settings::{EngineSpec, OpeningSource, SearchLimits};
use crate::text::printable;

/// Longer names are cut.
const MAX_NAME: usize = 60;

/// The values so far and what to do with them.
pub fn text(settings: &TuneSettings, iterations: &[Iteration]) -> String {
    let games: u64 = iterations.iter().map(|iteration| iteration.wdl().games()).sum();
    let forfeits: u64 = iterations.iter().map(|iteration| iteration.forfeits).sum();
    let total = settings.games.games;
    let mut headline = format!(
        "{}, seed {}: {games} of {total} games in {} iterations",
        printable(&settings.games.game, MAX_NAME),
        settings.games.seed,
        iterations.len()
    );
    if forfeits > 0 {
        headline += &format!("; {forfeits} games were forfeits");
    }
    let mut parts = vec![headline + "\n", values(settings, iterations).markdown()];
    if games == total && is_unchanged(settings, iterations) {
        let hint = "Nothing to test: the values to set are those at the start. More games, or a \
                    larger r_end or c_end, move them further.\n";
        parts.push(hint.to_owned());
    } else if games == total {
        parts.push(format!("Test the result:\n\n{}\n", verification(settings, iterations)));
    }
    parts.join("\n")
}

/// The present values: those at the start if nothing was played yet.
fn current(settings: &TuneSettings, iterations: &[Iteration]) -> Vec<f64> {
    let start = || settings.parameters.iter().map(|parameter| parameter.start).collect();
    iterations.last().map_or_else(start, |iteration| iteration.values.clone())
}

/// Whether the values to set are those at the start.
fn is_unchanged(settings: &TuneSettings, iterations: &[Iteration]) -> bool {
    let values = settings.parameters.iter().zip(current(settings, iterations));
    values.into_iter().all(|(one, value)| one.rounded(value) == one.rounded(one.start))
}

fn values(settings: &TuneSettings, iterations: &[Iteration]) -> Sheet {
    let mut sheet = Sheet::new(
        "Values",
        &[
            ("parameter", Left),
            ("start", Right),
            ("now", Right),
            ("to set", Right),
            ("range", Right),
        ],
    );
    for (parameter, value) in settings.parameters.iter().zip(current(settings, iterations)) {
        sheet.row([
            printable(&parameter.name, MAX_NAME),
            parameter.text(parameter.rounded(parameter.start)),
            format!("{value:.4}"),
            parameter.text(parameter.rounded(value)),
            format!("{}..{}", parameter.min, parameter.max),
        ]);
    }
    sheet
}

/// An SPRT of the tuned values against those at the start, as a command for a shell.
fn verification(settings: &TuneSettings, iterations: &[Iteration]) -> String {
    let games = &settings.games;
    let tuned = current(settings, iterations);
    let start: Vec<f64> = settings.parameters.iter().map(|parameter| parameter.start).collect();
    let rounded = |values: &[f64]| -> Vec<(String, String)> {
        let both = settings.parameters.iter().zip(values);
        both.map(|(one, &value)| (one.name.clone(), one.text(one.rounded(value)))).collect()
    };
    let mut words: Vec<String> =
        ["ratlla-arena", "match", "--game", &games.game].map(str::to_owned).to_vec();
    words.extend(["--sprt", "elo0=0", "elo1=5", "--games", "40000"].map(str::to_owned));
    // Other openings than those it was tuned on.
    words.extend(["--seed".to_owned(), games.seed.wrapping_add(1).to_string()]);
    match &games.openings {
        OpeningSource::Random { plies, .. } => {
            words.extend(["--plies".to_owned(), plies.to_string()]);
        }
        OpeningSource::List(_) => words.extend(["--openings", "FILE"].map(str::to_owned)),
    }
    let versions = [("tuned", rounded(&tuned)), ("start", rounded(&start))];
    let engines = versions.map(|(name, values)| engine_words(name, &games.engines[0], &values));
    let [tuned, start] = engines.map(|words| format!(" \\\n    --engine {}", shell(&words)));
    shell(&words) + &tuned + &start
}

fn engine_words(name: &str, spec: &EngineSpec, values: &[(String, String)]) -> Vec<String> {
    let mut words = vec![format!("name={name}"), format!("cmd={}", shell(&spec.command))];
    words.extend(spec.dir.iter().map(|dir| format!("dir={}", dir.display())));
    words.push(format!("proto={}", spec.proto));
    let SearchLimits { movetime, depth, nodes, time, inc, moves } = spec.limits;
    let mut limit = |key: &str, value: Option<u64>| {
        words.extend(value.map(|value| format!("{key}={value}")));
    };
    limit("movetime", movetime);
    limit("depth", depth.map(u64::from));
    limit("nodes", nodes);
    match (time, moves) {
        (Some(time), Some(moves)) => {
            let seconds = |ms: u64| ms as f64 / 1000.0;
            let inc = seconds(inc.unwrap_or(0));
            words.push(format!("tc={moves}/{}+{inc}", seconds(time)));
        }
        _ => {
            limit("time", time);
            limit("inc", inc);
        }
    }
    let others = spec.options.iter().map(|(name, value)| (name.clone(), value.clone()));
    let others = others.filter(|(name, _)| values.iter().all(|(tuned, _)| tuned != name));
    let options = others.chain(values.iter().cloned());
    words.extend(options.map(|(name, value)| format!("option.{name}={value}")));
    words
}

/// Words as a shell reads them.
fn shell(words: &[String]) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+=:,./%".contains(letter);
    let quoted = words.iter().map(|word| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.clone(),
        false => words::quote(word),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A plot of each value over the games, below each other, as SVG.
pub fn svg(settings: &TuneSettings, iterations: &[Iteration]) -> anyhow::Result<String> {
    const WIDTH: u32 = 900;
    const HEIGHT: u32 = 200;
    let count = settings.parameters.len();
    plot::picture((WIDTH, HEIGHT * count as u32), |area| {
        let panels = area.split_evenly((count, 1));
        for (index, (parameter, panel)) in settings.parameters.iter().zip(&panels).enumerate() {
            let played = iterations.iter().scan(0u64, |games, iteration| {
                *games += iteration.wdl().games();
                Some((*games as f64, iteration.values[index]))
            });
            let line = thinned([(0.0, parameter.start)].into_iter().chain(played).collect());
            let values = || line.iter().map(|&(_, value)| value);
            let (least, most) = (
                values().fold(f64::INFINITY, f64::min),
                values().fold(f64::NEG_INFINITY, f64::max),
            );
            // At least as much as the numbers can show.
            let room = ((most - least) * 0.1).max(parameter.c_end / 2.0).max(most.abs() * 1e-6);
            let colour = PALETTE[index % PALETTE.len()];
            let mut chart = ChartBuilder::on(panel)
                .caption(printable(&parameter.name, MAX_NAME), ("sans-serif", 18))
                .margin(10)
                .margin_right(24)
                .x_label_area_size(42)
                .y_label_area_size(70)
                .build_cartesian_2d(0.0..settings.games.games as f64, least - room..most + room)?;
            let mut mesh = chart.configure_mesh();
            mesh.label_style(("sans-serif", 13)).y_labels(5).max_light_lines(1);
            mesh.x_label_formatter(&|games| format!("{games:.0}"));
            if index + 1 == count {
                mesh.x_desc("games");
            }
            mesh.draw()?;
            let ends = [(0.0, parameter.start), (settings.games.games as f64, parameter.start)];
            chart.draw_series(LineSeries::new(ends, BLACK.mix(0.35)))?;
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        }
        Ok(())
    })
}
