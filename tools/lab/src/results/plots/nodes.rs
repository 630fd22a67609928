//! How the work of the solver grows with the board.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::super::record::Record;
use super::super::tables::line_length;
use super::theme::{AFTER, Theme};
use super::{Area, Drawn};

/// Nodes of Connect Four by columns, one line for each number of rows.
pub fn connect4(area: &Area<'_>, theme: &Theme, record: &Record) -> Drawn {
    let mut series: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for row in record.of("connect4").filter(|row| line_length(row) == 4) {
        if let [rows, columns, ..] = row.numbers()[..] {
            // A logarithmic axis has no zero.
            let point = (columns as f64, row.value_nodes().max(1) as f64);
            series.entry(rows).or_default().push(point);
        }
    }
    let points = || series.values().flatten();
    let most_columns = points().map(|&(columns, _)| columns).fold(5.0, f64::max);
    let most_nodes = points().map(|&(_, nodes)| nodes).fold(10.0, f64::max);
    let fewest_nodes = points().map(|&(_, nodes)| nodes).fold(most_nodes, f64::min);
    let label = |size| theme.style(size, false, theme.muted, AFTER);
    let mut chart = ChartBuilder::on(area)
        .caption(
            "Connect Four: nodes to solve the empty board",
            theme.style(20, true, theme.text, AFTER),
        )
        .margin(16)
        .margin_right(90)
        .x_label_area_size(46)
        .y_label_area_size(96)
        .build_cartesian_2d(
            3.8..most_columns,
            (fewest_nodes / 2.0..most_nodes * 2.0).log_scale(),
        )?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(theme.faint)
        .axis_style(theme.muted)
        .label_style(label(14))
        .x_labels(most_columns as usize)
        .x_label_formatter(&|columns| format!("{columns:.0}"))
        .y_label_formatter(&|nodes| in_words(*nodes))
        .x_desc("columns")
        .axis_desc_style(label(15))
        .draw()?;
    for ((rows, points), colour) in series.iter().zip(theme.series.iter().cycle()) {
        chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, colour.filled())))?;
        if let Some(&last) = points.last() {
            let text = format!("{rows} rows");
            let style = theme.style(14, false, *colour, AFTER);
            chart.draw_series([EmptyElement::at(last) + Text::new(text, (9, 0), style)])?;
        }
    }
    Ok(())
}

/// A power of ten in words, which need no raised digits.
pub fn in_words(number: f64) -> String {
    let units = [(1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand")];
    match units.iter().find(|(unit, _)| number >= *unit) {
        Some((unit, name)) => format!("{} {name}", number / unit),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_words() {
        for (number, text) in [(1.0, "1"), (1e4, "10 thousand"), (1e9, "1 billion")] {
            assert_eq!(in_words(number), text);
        }
    }
}
