//! Colours and texts, for light and dark pages.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The colours of a picture.
pub struct Theme {
    /// The end of the file's name.
    pub name: &'static str,
    /// Behind everything: the colour of GitHub's pages.
    pub background: RGBColor,
    /// Titles and values.
    pub text: RGBColor,
    /// Labels of axes.
    pub muted: RGBColor,
    /// Lines of a grid, and cells without a value.
    pub faint: RGBColor,
    /// Player 1, player 2 and neither.
    pub players: [RGBColor; 3],
    /// Lines of a chart.
    pub series: [RGBColor; 8],
}

/// For light pages.
pub const LIGHT: Theme = Theme {
    name: "light",
    background: RGBColor(255, 255, 255),
    text: RGBColor(31, 35, 40),
    muted: RGBColor(89, 99, 110),
    faint: RGBColor(234, 238, 242),
    players: [RGBColor(9, 105, 218), RGBColor(188, 76, 0), RGBColor(175, 184, 193)],
    series: [
        RGBColor(9, 105, 218),
        RGBColor(188, 76, 0),
        RGBColor(26, 127, 55),
        RGBColor(130, 80, 223),
        RGBColor(207, 34, 46),
        RGBColor(27, 124, 131),
        RGBColor(154, 103, 0),
        RGBColor(191, 57, 137),
    ],
};

/// For dark pages.
pub const DARK: Theme = Theme {
    name: "dark",
    background: RGBColor(13, 17, 23),
    text: RGBColor(240, 246, 252),
    muted: RGBColor(145, 152, 161),
    faint: RGBColor(33, 40, 48),
    players: [RGBColor(68, 147, 248), RGBColor(219, 109, 40), RGBColor(101, 108, 118)],
    series: [
        RGBColor(68, 147, 248),
        RGBColor(219, 109, 40),
        RGBColor(63, 185, 80),
        RGBColor(171, 125, 248),
        RGBColor(248, 81, 73),
        RGBColor(57, 197, 207),
        RGBColor(210, 153, 34),
        RGBColor(219, 97, 162),
    ],
};

impl Theme {
    /// A colour between the background (0) and `colour` (1).
    pub fn faded(&self, colour: RGBColor, strength: f64) -> RGBColor {
        let mix = |from: u8, to: u8| {
            (f64::from(from) + (f64::from(to) - f64::from(from)) * strength).round() as u8
        };
        let RGBColor(red, green, blue) = self.background;
        RGBColor(mix(red, colour.0), mix(green, colour.1), mix(blue, colour.2))
    }

    /// Text in the colour of titles or of labels.
    pub fn style(&self, size: i32, bold: bool, colour: RGBColor, at: Pos) -> TextStyle<'static> {
        let font = match bold {
            true => ("sans-serif", size).into_font().style(FontStyle::Bold),
            false => ("sans-serif", size).into_font(),
        };
        TextStyle { font, color: colour.to_backend_color(), pos: at }
    }
}

/// Around the point.
pub const CENTRED: Pos = Pos { h_pos: HPos::Center, v_pos: VPos::Center };
/// To the right of the point, at its height.
pub const AFTER: Pos = Pos { h_pos: HPos::Left, v_pos: VPos::Center };
/// To the left of the point, at its height.
pub const BEFORE: Pos = Pos { h_pos: HPos::Right, v_pos: VPos::Center };

/// Black or white, whichever is easier to read on `colour`.
pub fn contrast(colour: RGBColor) -> RGBColor {
    let RGBColor(red, green, blue) = colour;
    let luminance = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if luminance > 150_000 { BLACK } else { WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_fade_into_the_background() {
        assert_eq!(LIGHT.faded(LIGHT.text, 0.0), LIGHT.background);
        assert_eq!(DARK.faded(DARK.text, 1.0), DARK.text);
        assert_eq!((contrast(LIGHT.background), contrast(DARK.background)), (BLACK, WHITE));
    }
}
