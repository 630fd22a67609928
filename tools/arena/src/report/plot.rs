//! The picture of a match: ratings with error bars, and how the scores came about.

use std::path::Path;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colours;

use crate::record::GameRecord;
use crate::settings::Settings;
use crate::tally::Tally;

const WIDTH: u32 = 900;
const SCORES_HEIGHT: u32 = 420;
/// Each engine adds a line to the ratings.
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

/// Draws the games, which are in order, to an SVG file.
pub fn draw(path: &Path, settings: &Settings, games: &[GameRecord]) -> anyhow::Result<()> {
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
    settings: &Settings,
    games: &[GameRecord],
) -> Result<(), Box<dyn std::error::Error>> {
    let ratings = Tally::new(settings, games).ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo));
    let reach = ratings.iter().map(|rating| rating.elo.abs() + rating.error).fold(10.0, f64::max);
    let rows = ratings.len() as i32;
    let names: Vec<String> =
        order.iter().map(|&engine| settings.engines[engine].name.clone()).collect();
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}: Elo, 95 % error bars", settings.game), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(150)
        .build_cartesian_2d(-reach * 1.08..reach * 1.08, (0..rows).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(ratings.len())
        .y_label_formatter(&|row| match row {
            SegmentValue::CenterOf(row) => usize::try_from(*row)
                .ok()
                .and_then(|row| names.get(row))
                .cloned()
                .unwrap_or_default(),
            _ => String::new(),
        })
        .draw()?;
    for (row, &engine) in (0..).zip(&order) {
        let (rating, colour) = (ratings[engine], PALETTE[engine % PALETTE.len()]);
        let at = |elo: f64| (elo, SegmentValue::CenterOf(row));
        let bar = [at(rating.elo - rating.error), at(rating.elo + rating.error)];
        chart.draw_series([PathElement::new(bar.to_vec(), colour.stroke_width(2))])?;
        chart.draw_series([Circle::new(at(rating.elo), 5, colour.filled())])?;
    }
    Ok(())
}

fn draw_scores(
    area: &Area<'_>,
    settings: &Settings,
    games: &[GameRecord],
) -> Result<(), Box<dyn std::error::Error>> {
    let last = games.len().max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption("Score after so many games, in per cent", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart.configure_mesh().x_desc("games of the match").draw()?;
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

/// The share of the points of one engine after each of its games.
fn score_line(settings: &Settings, games: &[GameRecord], engine: usize) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    let (mut half_points, mut own_games) = (0, 0);
    for (played, game) in (1u32..).zip(games) {
        let players = settings.fixture(game.number).players;
        if let Some(side) = players.iter().position(|&player| player == engine) {
            own_games += 1;
            half_points += game.result.half_points()[side];
            line.push((f64::from(played), 50.0 * half_points as f64 / f64::from(own_games)));
        }
    }
    line
}
