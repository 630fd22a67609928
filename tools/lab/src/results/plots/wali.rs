//! How long wins take in the endgames of Wali.

use plotters::prelude::*;

use super::super::record::Record;
use super::chart::Chart;
use super::theme::{AFTER, Theme};
use super::{Area, Drawn};

/// Won positions by the length of the win, one line for each class in which neither side is more
/// than one stone ahead.
pub fn win_lengths(area: &Area<'_>, theme: &Theme, record: &Record) -> Drawn {
    let classes = record.classes.iter().filter(|class| {
        class.game == "wali"
            && class.own >= 3
            && class.enemy >= 3
            && class.own.abs_diff(class.enemy) <= 1
    });
    let series: Vec<(String, Vec<(f64, f64)>)> = classes
        .map(|class| {
            let points = class.histogram.iter().map(|&(plies, count)| (plies as f64, count as f64));
            (format!("{} against {}", class.own, class.enemy), points.collect())
        })
        .collect();
    let points = || series.iter().flat_map(|(_, points)| points);
    let longest = points().map(|&(plies, _)| plies).fold(10.0, f64::max);
    let most = points().map(|&(_, count)| count).fold(10.0, f64::max);
    let mut chart = Chart {
        title: "Wali: positions won in so many plies",
        x_title: "plies to the win, both sides playing best",
        x: 0.0..longest + 1.0,
        x_labels: 11,
        y: 1.0..most * 2.0,
        right: 16,
    }
    .draw(area, theme)?;
    for ((name, points), &colour) in series.iter().zip(theme.series.iter().cycle()) {
        let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2));
        chart
            .draw_series(line)?
            .label(name.clone())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3)));
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    if !series.is_empty() {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(theme.background)
            .border_style(theme.faint)
            .label_font(theme.style(14, false, theme.muted, AFTER))
            .draw()?;
    }
    Ok(())
}
