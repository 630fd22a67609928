//! How much a visitor downloads.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::static_site::files_of;

/// The bytes of all files in a folder: as they are, and compressed one by one as servers do.
pub fn of_folder(folder: &Path) -> Result<(usize, usize)> {
    let mut sizes = (0, 0);
    for (_, path) in files_of(folder)? {
        let bytes = fs::read(path)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        sizes.0 += bytes.len();
        sizes.1 += encoder.finish()?.len();
    }
    Ok(sizes)
}
