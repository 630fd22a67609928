//! How much a visitor downloads.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::static_site::{THREADS, files_of};

/// The bytes of all files that a first visit fetches, with one module: as they are, and compressed one by
/// one as servers do.
pub fn of_first_visit(folder: &Path) -> Result<(usize, usize)> {
    let mut sizes = (0, 0);
    for (name, path) in files_of(folder)? {
        if name == THREADS {
            continue;
        }
        let bytes = fs::read(path)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        sizes.0 += bytes.len();
        sizes.1 += encoder.finish()?.len();
    }
    Ok(sizes)
}
