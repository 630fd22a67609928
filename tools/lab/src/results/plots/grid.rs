//! Values by two parameters, as a grid of coloured cells.

use plotters::prelude::*;

use super::super::record::Record;
use super::super::tables::line_length;
use super::theme::{AFTER, BEFORE, CENTRED, Theme, contrast};
use super::{Area, Drawn};
use crate::solved_game::SolvedGame;
use crate::value::{Value, Winner};

/// Margins of a panel for its title and labels.
const LEFT: i32 = 46;
const TOP: i32 = 64;
const BOTTOM: i32 = 34;
const RIGHT: i32 = 14;
/// A margin from which on colours get no stronger.
const STRONGEST: i32 = 16;
/// The largest cell.
const CELL: i32 = 56;

/// A grid with its title.
struct Panel<'a> {
    title: &'a str,
    down: &'a str,
    across: &'a str,
    rows: Vec<&'a SolvedGame>,
}

/// The picture at the top of the page.
pub fn overview(area: &Area<'_>, theme: &Theme, record: &Record) -> Drawn {
    let lines = |length| record.of("connect4").filter(move |row| line_length(row) == length);
    let boards = |title, length| Panel {
        title,
        down: "rows",
        across: "columns",
        rows: lines(length).collect(),
    };
    let panels = [
        boards("Connect Four", 4),
        boards("Five in a line", 5),
        kalah_panel("Kalah", record, false),
    ];
    draw(area, theme, &panels, "with the move of that number, or (Kalah) by so many seeds")
}

/// Kalah with both rules for captures.
pub fn kalah(area: &Area<'_>, theme: &Theme, record: &Record) -> Drawn {
    let panels = [
        kalah_panel("Kalah, standard captures", record, false),
        kalah_panel("Kalah, empty captures", record, true),
    ];
    draw(area, theme, &panels, "by so many seeds")
}

fn kalah_panel<'a>(title: &'a str, record: &'a Record, empty: bool) -> Panel<'a> {
    let rows = record.of("kalah").filter(|row| row.has_word("empty") == empty);
    Panel { title, down: "houses", across: "seeds in each", rows: rows.collect() }
}

/// Draws panels side by side above a legend that ends with `note`.
fn draw(area: &Area<'_>, theme: &Theme, panels: &[Panel<'_>], note: &str) -> Drawn {
    let (width, _) = area.dim_in_pixel();
    let (upper, legend) = area.split_vertically(area.dim_in_pixel().1 - 40);
    let cuts: Vec<i32> =
        (1..panels.len() as u32).map(|cut| (width * cut / panels.len() as u32) as i32).collect();
    for (panel, area) in panels.iter().zip(upper.split_by_breakpoints(cuts, Vec::<i32>::new())) {
        panel.draw(&area, theme)?;
    }
    draw_legend(&legend, theme, note)
}

fn draw_legend(area: &Area<'_>, theme: &Theme, note: &str) -> Drawn {
    let mut x = LEFT;
    for (colour, text) in theme.players.into_iter().zip(["player 1 wins", "player 2 wins", "draw"])
    {
        area.draw(&Rectangle::new([(x, 8), (x + 16, 24)], colour.filled()))?;
        area.draw(&Text::new(text, (x + 24, 16), theme.style(15, false, theme.muted, AFTER)))?;
        x += 150;
    }
    let style = theme.style(14, false, theme.muted, AFTER);
    area.draw(&Text::new(note, (x, 16), style))?;
    Ok(())
}

impl Panel<'_> {
    fn draw(&self, area: &Area<'_>, theme: &Theme) -> Drawn {
        let title = theme.style(20, true, theme.text, AFTER);
        area.draw(&Text::new(self.title.to_owned(), (LEFT, 20), title))?;
        let places: Vec<(i32, i32, Value)> = self
            .rows
            .iter()
            .filter_map(|row| match row.numbers()[..] {
                [down, across, ..] => Some((down as i32, across as i32, row.score)),
                _ => None,
            })
            .collect();
        let range = |numbers: Vec<i32>| Some((*numbers.iter().min()?, *numbers.iter().max()?));
        let rows = range(places.iter().map(|place| place.0).collect());
        let columns = range(places.iter().map(|place| place.1).collect());
        let (Some(rows), Some(columns)) = (rows, columns) else { return Ok(()) };
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32 - LEFT - RIGHT, height as i32 - TOP - BOTTOM);
        let cell = (width / (columns.1 - columns.0 + 1)).min(CELL);
        let (cell_width, cell_height) = (cell, (height / (rows.1 - rows.0 + 1)).min(cell));
        let label = |at| theme.style(14, false, theme.muted, at);
        for column in columns.0..=columns.1 {
            let x = LEFT + (column - columns.0) * cell_width + cell_width / 2;
            area.draw(&Text::new(column.to_string(), (x, TOP - 10), label(CENTRED)))?;
        }
        for row in rows.0..=rows.1 {
            let y = TOP + (row - rows.0) * cell_height + cell_height / 2;
            area.draw(&Text::new(row.to_string(), (LEFT - 8, y), label(BEFORE)))?;
        }
        let axes = format!("{} down, {} across", self.down, self.across);
        area.draw(&Text::new(axes, (LEFT, TOP - 27), label(AFTER)))?;
        for (row, column, value) in places {
            let (x, y) =
                (LEFT + (column - columns.0) * cell_width, TOP + (row - rows.0) * cell_height);
            let colour = colour(theme, value);
            let corners = [(x + 1, y + 1), (x + cell_width - 1, y + cell_height - 1)];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
            let size = (cell_width / 2).min(cell_height * 3 / 5).min(17);
            let centre = (x + cell_width / 2, y + cell_height / 2);
            let style = theme.style(size, false, contrast(colour), CENTRED);
            area.draw(&Text::new(value.short(), centre, style))?;
        }
        Ok(())
    }
}

/// The colour of the winner, the stronger the larger a margin is.
fn colour(theme: &Theme, value: Value) -> RGBColor {
    let [first, second, nobody] = theme.players;
    let strength = match value {
        Value::Margin(margin) if margin != 0 => {
            0.35 + 0.65 * f64::from(margin.abs().min(STRONGEST)) / f64::from(STRONGEST)
        }
        _ => 1.0,
    };
    match value.winner() {
        Winner::First => theme.faded(first, strength),
        Winner::Second => theme.faded(second, strength),
        Winner::Nobody => nobody,
    }
}
