//! The pictures of the page, drawn from the record alone.
//!
//! Each is drawn twice, for light and for dark pages, which choose by `prefers-color-scheme`.

mod chart;
mod grid;
mod nodes;
mod theme;
mod wali;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::record::Record;
use theme::{DARK, LIGHT, Theme};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What plotters reports, whatever the kind of the failure.
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A picture of the page.
struct Picture {
    name: &'static str,
    size: (u32, u32),
    draw: fn(&Area<'_>, &Theme, &Record) -> Drawn,
}

const PICTURES: [Picture; 4] = [
    Picture { name: "results", size: (960, 400), draw: grid::overview },
    Picture { name: "connect4-nodes", size: (960, 480), draw: nodes::connect4 },
    Picture { name: "kalah-values", size: (960, 480), draw: grid::kalah },
    Picture { name: "wali-wins", size: (960, 480), draw: wali::win_lengths },
];

/// All pictures: their file names and contents.
pub fn pictures(record: &Record) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for Picture { name, size, draw } in PICTURES {
        for theme in [&LIGHT, &DARK] {
            let mut svg = String::new();
            let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let file = format!("{name}-{}.svg", theme.name);
            let failed = |error: &dyn std::fmt::Display| anyhow!("cannot draw {file}: {error}");
            root.fill(&theme.background).map_err(|error| failed(&error))?;
            draw(&root, theme, record).map_err(|error| failed(&error))?;
            root.present().map_err(|error| failed(&error))?;
            drop(root);
            files.push((file, svg));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::super::{PICTURES as FOLDER, RECORD};
    use super::*;

    fn docs() -> std::path::PathBuf {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
    }

    #[test]
    fn the_pictures_are_up_to_date() {
        let record = Record::read(&docs().join(RECORD)).expect("the record");
        for (name, svg) in pictures(&record).expect("pictures") {
            let path = docs().join(FOLDER).join(&name);
            let old = std::fs::read_to_string(path).expect("a picture");
            assert!(old == svg, "{name}: run 'ratlla-lab results plots'");
        }
    }

    #[test]
    fn an_empty_record_can_be_drawn() {
        assert_eq!(pictures(&Record::default()).expect("pictures").len(), 2 * PICTURES.len());
    }
}
