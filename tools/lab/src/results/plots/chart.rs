//! The common form of the charts: a title, and numbers in words on a logarithmic axis.

use std::error::Error;
use std::ops::Range;

use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::Area;
use super::theme::{AFTER, Theme};

/// Axes on which series are drawn.
pub type Axes<'a, 's> =
    ChartContext<'a, SVGBackend<'s>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;

/// What charts differ in.
pub struct Chart<'t> {
    /// Above it.
    pub title: &'t str,
    /// Below the axis of whole numbers.
    pub x_title: &'t str,
    /// Ends of that axis.
    pub x: Range<f64>,
    /// About as many numbers at it.
    pub x_labels: usize,
    /// Ends of the logarithmic axis.
    pub y: Range<f64>,
    /// Pixels to the right of the axes.
    pub right: u32,
}

impl Chart<'_> {
    /// Draws title and axes.
    pub fn draw<'a, 's>(
        self,
        area: &Area<'s>,
        theme: &Theme,
    ) -> Result<Axes<'a, 's>, Box<dyn Error>> {
        let label = |size| theme.style(size, false, theme.muted, AFTER);
        let mut axes = ChartBuilder::on(area)
            .caption(self.title, theme.style(20, true, theme.text, AFTER))
            .margin(16)
            .margin_right(self.right)
            .x_label_area_size(46)
            .y_label_area_size(96)
            .build_cartesian_2d(self.x, self.y.log_scale())?;
        axes.configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(theme.faint)
            .axis_style(theme.muted)
            .label_style(label(14))
            .x_labels(self.x_labels)
            .x_label_formatter(&|number| format!("{number:.0}"))
            .y_label_formatter(&|number| in_words(*number))
            .x_desc(self.x_title)
            .axis_desc_style(label(15))
            .draw()?;
        Ok(axes)
    }
}

/// A power of ten in words, which need no raised digits.
fn in_words(number: f64) -> String {
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
