//! Plots of a match as SVG: ratings with error bars, and scores over time.

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::full_palette as colours;

use super::{ReportData, elo_text};
use crate::stats::elo::EloEstimate;
use crate::text::printable;

/// The height of one engine in the rating plot.
const RATING_HEIGHT: u32 = 28;
const MARGINS: u32 = 110;
const SCORES_HEIGHT: u32 = 420;
/// More points than this do not show.
const MAX_POINTS: usize = 1000;

/// The colours of lines, in turn.
pub const PALETTE: [RGBColor; 8] = [
    colours::BLUE_700,
    colours::RED_700,
    colours::GREEN_700,
    colours::ORANGE_800,
    colours::PURPLE_700,
    colours::TEAL_700,
    colours::BROWN_700,
    colours::GREY_700,
];

/// A part of an SVG picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Ratings above scores.
pub fn svg(data: &ReportData) -> anyhow::Result<String> {
    const WIDTH: u32 = 900;
    let height = ratings_height(data);
    picture((WIDTH, height + SCORES_HEIGHT), |area| {
        let (upper, lower) = area.split_vertically(height);
        draw_ratings(&upper, data)?;
        draw_scores(&lower, data)
    })
}

/// The ratings alone.
pub fn ratings(data: &ReportData, width: u32) -> anyhow::Result<String> {
    picture((width, ratings_height(data)), |area| draw_ratings(area, data))
}

/// The scores alone.
pub fn scores(data: &ReportData, width: u32) -> anyhow::Result<String> {
    picture((width, SCORES_HEIGHT), |area| draw_scores(area, data))
}

fn ratings_height(data: &ReportData) -> u32 {
    MARGINS + RATING_HEIGHT * rated(data).len() as u32
}

/// A point of the rating plot.
struct Rated {
    engine: usize,
    elo: f64,
    error: Option<f64>,
}

/// What the rating plot shows, from the worst to the best: the ratings in the rating list or, if two
/// engines have none, the difference in the table of statistics. Nothing that is infinite.
fn rated(data: &ReportData) -> Vec<Rated> {
    if let [result] = &data.standings.head_to_head[..] {
        let elo = result.elo().filter(|estimate| estimate.elo.is_finite());
        let row =
            |it: EloEstimate| Rated { engine: result.engines[0], elo: it.elo, error: it.error };
        return elo.map(row).into_iter().collect();
    }
    let ranking = data.standings.ranking().into_iter().rev();
    ranking
        .map(|(engine, rating)| Rated { engine, elo: rating.elo, error: Some(rating.error) })
        .collect()
}

/// The caption of the rating plot.
fn rating_caption(data: &ReportData) -> String {
    match &data.standings.head_to_head[..] {
        [result] => {
            let elo = result.elo().map(|it| elo_text(it.elo, it.error));
            format!("Elo difference: {}", elo.as_deref().unwrap_or("no game pairs"))
        }
        _ => "Elo, 95 % error bars".to_owned(),
    }
}

/// Draws a picture of this size on white.
pub fn picture(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> anyhow::Result<String> {
    let failed = |error: String| anyhow!("cannot draw the plot: {error}");
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(|error| failed(error.to_string()))?;
        draw(&root).map_err(|error| failed(error.to_string()))?;
        root.present().map_err(|error| failed(error.to_string()))?;
    }
    Ok(text)
}

fn draw_ratings(area: &Area<'_>, data: &ReportData) -> Drawn {
    let rated = rated(data);
    let bounds = rated.iter().map(|row| row.elo.abs() + row.error.unwrap_or(0.0));
    let reach = bounds.fold(10.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(rating_caption(data), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(150)
        .build_cartesian_2d(
            -reach * 1.08..reach * 1.08,
            (0..rated.len() as i32).into_segmented(),
        )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .max_light_lines(1)
        .x_label_formatter(&|elo| {
            if elo.abs() < 0.5 { "0".to_owned() } else { format!("{elo:+.0}") }
        })
        .label_style(("sans-serif", 14))
        .x_labels(7)
        .y_labels(rated.len())
        .y_label_formatter(&|row| match row {
            SegmentValue::CenterOf(row) => usize::try_from(*row)
                .ok()
                .and_then(|row| rated.get(row))
                .map_or_else(String::new, |row| short_name(data, row.engine)),
            _ => String::new(),
        })
        .draw()?;
    for (row, &Rated { engine, elo, error }) in (0..).zip(&rated) {
        let colour = PALETTE[engine % PALETTE.len()];
        let at = |elo: f64| (elo, SegmentValue::CenterOf(row));
        let error = error.unwrap_or(0.0);
        let bar = [at(elo - error), at(elo + error)];
        chart.draw_series([PathElement::new(bar.to_vec(), colour.stroke_width(2))])?;
        chart.draw_series([Circle::new(at(elo), 5, colour.filled())])?;
    }
    Ok(())
}

/// A name that fits beside a plot.
fn short_name(data: &ReportData, engine: usize) -> String {
    printable(data.name(engine), 18)
}

fn draw_scores(area: &Area<'_>, data: &ReportData) -> Drawn {
    let last = data.games.len().max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption("Score over time, in %", ("sans-serif", 20))
        .margin(12)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart
        .configure_mesh()
        .max_light_lines(1)
        .label_style(("sans-serif", 14))
        .x_labels(8)
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|score| format!("{score:.0}"))
        .x_desc("games")
        .draw()?;
    for engine in 0..data.settings.engines.len() {
        let colour = PALETTE[engine % PALETTE.len()];
        let line = score_line(data, engine);
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
            .label(short_name(data, engine))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The score of one engine over the games.
fn score_line(data: &ReportData, engine: usize) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    let (mut half_points, mut own_games) = (0, 0);
    for (played, game) in (1u32..).zip(&data.games) {
        let engines = data.settings.pairing(game.number).engines;
        if let Some(side) = engines.iter().position(|&player| player == engine) {
            own_games += 1;
            half_points += game.result.half_points()[side];
            line.push((f64::from(played), 50.0 * half_points as f64 / f64::from(own_games)));
        }
    }
    thinned(line)
}

/// Every n-th point and the last one, at most `MAX_POINTS` or so.
pub fn thinned<T: Copy>(points: Vec<T>) -> Vec<T> {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().enumerate().filter(|&(at, _)| at % step == 0 || at == last);
    kept.map(|(_, &point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, GameResult};
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;

    /// The report on a match of `engines` engines in which player 1, then player 2, then nobody wins.
    fn report(engines: usize, games: u64) -> ReportData {
        let mut settings = settings(engines, TournamentFormat::RoundRobin);
        settings.games = games;
        let results = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw];
        let game = |number: u64| {
            let result = results[number as usize % 3];
            GameRecord { number, result, ..GameRecord::default() }
        };
        let games: Vec<GameRecord> = (0..settings.total_games()).map(game).collect();
        ReportData::new(&settings, &games)
    }

    #[test]
    fn the_plot_shows_what_the_tables_say() {
        let two = report(2, 12);
        let elo = two.standings.head_to_head[0].elo().unwrap();
        let [row] = &rated(&two)[..] else { panic!("one difference") };
        assert_eq!((row.engine, row.elo, row.error), (0, elo.elo, elo.error));
        let text = elo_text(elo.elo, elo.error);
        assert!(two.tables().contains(&text) && svg(&two).unwrap().contains(&text), "{text}");

        let three = report(3, 12);
        let ranking = three.standings.ranking();
        let plotted: Vec<f64> = rated(&three).iter().rev().map(|row| row.elo).collect();
        assert_eq!(plotted, ranking.iter().map(|(_, rating)| rating.elo).collect::<Vec<_>>());
    }

    #[test]
    fn every_engine_has_a_colour_of_its_own() {
        let text = svg(&report(3, 12)).unwrap();
        let lines = text.split('<').filter(|element| element.starts_with("polyline"));
        let of_scores = lines.filter(|element| element.contains("stroke-width=\"2\""));
        let colour = |element: &str| element.split("stroke=\"").nth(1)?.get(..7).map(str::to_owned);
        let colours: std::collections::BTreeSet<_> = of_scores.filter_map(colour).collect();
        assert_eq!(colours.len(), 3, "{colours:?}");
    }

    #[test]
    fn a_score_is_the_mean_of_the_games_of_its_engine() {
        // Player 1 wins, player 2 wins, a draw; the sides are swapped in the second game of a pair.
        let two = report(2, 4);
        let first = [(1.0, 100.0), (2.0, 100.0), (3.0, 250.0 / 3.0), (4.0, 62.5)];
        let line = score_line(&two, 0);
        assert_eq!(line.len(), 4);
        for ((x, y), (at, score)) in line.iter().zip(first) {
            assert!(*x == at && (y - score).abs() < 1e-9, "{line:?}");
        }
        for ((_, one), (_, other)) in line.iter().zip(score_line(&two, 1)) {
            assert!((one + other - 100.0).abs() < 1e-9);
        }
        // Only its own games count: engine 2 enters with the third game of a round robin of three.
        let third = score_line(&report(3, 2), 2);
        assert_eq!(third.iter().map(|&(x, _)| x).collect::<Vec<_>>(), [3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn a_long_line_is_thinned_but_keeps_its_ends() {
        for length in [0, 1, 2, MAX_POINTS - 1, MAX_POINTS, MAX_POINTS + 1, 10 * MAX_POINTS + 3] {
            let points: Vec<usize> = (0..length).collect();
            let kept = thinned(points.clone());
            assert!(kept.len() <= MAX_POINTS + 1, "{length}: {}", kept.len());
            assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
            assert!(length > MAX_POINTS || kept == points, "{length}");
        }
    }

    /// The numbers after these attributes.
    fn numbers(element: &str, keys: &[&str]) -> Vec<f64> {
        let value = |key: &&str| {
            let (_, rest) = element.split_once(&format!(" {key}=\"")).unwrap();
            rest.split_once('"').unwrap().0.to_owned()
        };
        let text = keys.iter().map(value).collect::<Vec<_>>().join(" ");
        text.split([' ', ',']).filter_map(|number| number.parse().ok()).collect()
    }

    #[test]
    fn every_rating_is_drawn_between_its_bounds_in_the_colour_of_its_engine() {
        let all = report(10, 12);
        let plot = svg(&all).unwrap();
        let circles: Vec<&str> = plot.lines().filter(|line| line.starts_with("<circle")).collect();
        assert_eq!(circles.len(), 10);
        for circle in circles {
            let [x, y] = numbers(circle, &["cx", "cy"])[..] else { panic!("{circle}") };
            let bars = plot.lines().filter(|line| line.starts_with("<polyline"));
            let has_bar = bars.map(|line| numbers(line, &["points"])).any(|points| {
                matches!(points[..], [left, top, right, bottom] if top == y && bottom == y && left < x && x < right)
            });
            assert!(has_bar, "{circle}");
        }
        // With more engines than colours they begin again.
        for RGBColor(red, green, blue) in PALETTE {
            let colour = format!("#{red:02X}{green:02X}{blue:02X}");
            let lines = plot.lines().filter(|line| line.contains(&colour)).count();
            assert!(lines >= 2, "{colour}: {lines}");
        }
        // The scores are below the ratings.
        let size = numbers(plot.lines().next().unwrap(), &["height"]);
        assert_eq!(size, [f64::from(ratings_height(&all) + SCORES_HEIGHT)]);
    }

    #[test]
    fn an_infinite_difference_is_written_not_drawn() {
        let two = report(2, 2);
        assert!(rated(&two).is_empty());
        let plot = svg(&two).unwrap();
        assert!(plot.contains("+∞") && !plot.contains("NaN"), "{plot}");
    }
}
