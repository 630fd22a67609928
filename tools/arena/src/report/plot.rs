//! A plot of a match: ratings with error bars, and scores over time.

use std::path::Path;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colours;

use crate::record::GameRecord;
use crate::settings::MatchSettings;
use crate::standings::Standings;

const WIDTH: u32 = 900;
const SCORES_HEIGHT: u32 = 420;
/// The height of one engine in the rating plot.
const RATING_HEIGHT: u32 = 28;
const MARGINS: u32 = 110;

const PALETTE: [RGBColor; 8] = [
    colours::BLUE_700,
    colours::RED_700,
    colours::GREEN_700,
    colours::ORANGE_800,
    colours::PURPLE_700,
    colours::TEAL_700,
    colours::BROWN_700,
    colours::GREY_700,
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Plots `games`, which must be in order, to an SVG file.
pub fn draw(path: &Path, settings: &MatchSettings, games: &[GameRecord]) -> anyhow::Result<()> {
    let ratings_height = MARGINS + RATING_HEIGHT * settings.engines.len() as u32;
    let root = SVGBackend::new(path, (WIDTH, ratings_height + SCORES_HEIGHT)).into_drawing_area();
    let failed = |error: String| anyhow!("cannot draw {}: {error}", path.display());
    let (upper, lower) = root.split_vertically(ratings_height);
    root.fill(&WHITE).map_err(|error| failed(error.to_string()))?;
    draw_ratings(&upper, settings, games).map_err(|error| failed(error.to_string()))?;
    draw_scores(&lower, settings, games).map_err(|error| failed(error.to_string()))?;
    root.present().map_err(|error| failed(error.to_string()))
}

fn draw_ratings(
    area: &Area<'_>,
    settings: &MatchSettings,
    games: &[GameRecord],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut ranking = Standings::new(settings, games.iter()).ranking();
    ranking.reverse();
    let bounds = ranking.iter().map(|(_, rating)| rating.elo.abs() + rating.error);
    let reach = bounds.fold(10.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}: Elo, 95 % error bars", settings.game), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(150)
        .build_cartesian_2d(
            -reach * 1.08..reach * 1.08,
            (0..ranking.len() as i32).into_segmented(),
        )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(ranking.len())
        .y_label_formatter(&|row| match row {
            SegmentValue::CenterOf(row) => usize::try_from(*row)
                .ok()
                .and_then(|row| ranking.get(row))
                .map_or_else(String::new, |&(engine, _)| settings.engines[engine].name.clone()),
            _ => String::new(),
        })
        .draw()?;
    for (row, &(engine, rating)) in (0..).zip(&ranking) {
        let colour = PALETTE[engine % PALETTE.len()];
        let at = |elo: f64| (elo, SegmentValue::CenterOf(row));
        let bar = [at(rating.elo - rating.error), at(rating.elo + rating.error)];
        chart.draw_series([PathElement::new(bar.to_vec(), colour.stroke_width(2))])?;
        chart.draw_series([Circle::new(at(rating.elo), 5, colour.filled())])?;
    }
    Ok(())
}

fn draw_scores(
    area: &Area<'_>,
    settings: &MatchSettings,
    games: &[GameRecord],
) -> Result<(), Box<dyn std::error::Error>> {
    let last = games.len().max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption("Score over time, in %", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart.configure_mesh().x_desc("games").draw()?;
    for (engine, spec) in settings.engines.iter().enumerate() {
        let colour = PALETTE[engine % PALETTE.len()];
        let line = score_line(settings, games, engine);
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(spec.name.clone())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The score of one engine after each of its games.
fn score_line(settings: &MatchSettings, games: &[GameRecord], engine: usize) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    let (mut half_points, mut own_games) = (0, 0);
    for (played, game) in (1u32..).zip(games) {
        let engines = settings.pairing(game.number).engines;
        if let Some(side) = engines.iter().position(|&player| player == engine) {
            own_games += 1;
            half_points += game.result.half_points()[side];
            line.push((f64::from(played), 50.0 * half_points as f64 / f64::from(own_games)));
        }
    }
    line
}
