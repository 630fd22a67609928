//! How the work of the solver grows with the board.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::super::record::Record;
use super::super::tables::line_length;
use super::chart::Chart;
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
    let mut chart = Chart {
        title: "Connect Four: nodes to solve the empty board",
        x_title: "columns",
        x: 3.8..most_columns,
        x_labels: most_columns as usize,
        y: fewest_nodes / 2.0..most_nodes * 2.0,
        right: 90,
    }
    .draw(area, theme)?;
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
