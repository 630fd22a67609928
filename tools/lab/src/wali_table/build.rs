//! Builds a table class by class, with a checkpoint now and then.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow, ensure};
use clap::Args;
use ratlla::games::wali::bits::{AnyShape, THREE};
use ratlla::games::wali::endgame::file::{self, TableHeader};
use ratlla::games::wali::endgame::index::{self, Class, PositionIndex};
use ratlla::games::wali::endgame::retrograde::{self, Analysis, Stage};
use ratlla::platform::files::beside;
use ratlla_common::progress::bar;

use super::checkpoint::{self, Checkpoint};

/// Positions between two looks at the clock.
const BATCH: u64 = 1 << 18;

/// Arguments of `wali-table build`.
#[derive(Args)]
pub struct Build {
    /// Table file to write
    file: PathBuf,
    /// Rows of the board
    #[arg(long, default_value_t = 5)]
    rows: usize,
    /// Columns of the board
    #[arg(long, default_value_t = 6)]
    columns: usize,
    /// Most stones of each side
    #[arg(long, default_value_t = 3)]
    stones: usize,
    /// Refuse to start if more memory is needed
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Seconds between two checkpoints
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    checkpoint: u64,
}

impl Build {
    /// Builds the table and writes it.
    pub fn run(&self) -> Result<()> {
        let (rows, columns, most) = (self.rows, self.columns, self.stones);
        // More stones than this allows cannot be dropped.
        AnyShape::new(rows, columns, most).map_err(Error::msg)?;
        let shape = AnyShape::new(rows, columns, THREE).map_err(Error::msg)?;
        let header = TableHeader { shape, most };
        let part = beside(&self.file, "part");
        if self.is_complete(header)? {
            println!("{} is complete already", self.file.display());
            remove_checkpoint(&part);
            return Ok(());
        }
        let needed = mebibytes(memory(header));
        let size = mebibytes(header.payload_length());
        println!("{size} MiB on disk, {needed} MiB of memory, checkpoints of the same size");
        if let Some(memory) = self.memory {
            ensure!(needed <= memory, "the build needs {needed} MiB of memory (allowed: {memory})");
        }
        let builder = Builder { header, part, interval: Duration::from_secs(self.checkpoint) };
        let values = builder.values()?;
        file::publish(&self.file, header, &values).map_err(Error::msg)?;
        remove_checkpoint(&builder.part);
        Ok(())
    }

    /// Whether the file has this table. Any other file under its name is an error, so that it is
    /// not overwritten.
    fn is_complete(&self, header: TableHeader) -> Result<bool> {
        if !self.file.exists() {
            return Ok(false);
        }
        let found = file::read(&self.file).map_err(Error::msg)?.header;
        ensure!(
            found == header,
            "{}: expected a table of {header}, found one of {found}",
            self.file.display()
        );
        Ok(true)
    }
}

/// Removes the checkpoint of a complete table. If that is impossible, it does no harm.
fn remove_checkpoint(part: &Path) {
    drop(std::fs::remove_file(part));
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// The classes to solve, each together with its mirror.
fn pairs(header: TableHeader) -> impl Iterator<Item = Class> {
    index::classes(header.shape, header.most).into_iter().filter(|(own, enemy)| own >= enemy)
}

/// The number of positions of a class and its mirror.
fn pair_size(shape: AnyShape, (own, enemy): Class) -> u64 {
    let mirror = if own == enemy { 0 } else { index::size(shape, (enemy, own)) };
    index::size(shape, (own, enemy)) + mirror
}

/// The bytes that a build takes: all values, the open moves of the largest pair of classes, and the
/// index.
fn memory(header: TableHeader) -> u64 {
    let largest = pairs(header).map(|class| pair_size(header.shape, class)).max().unwrap_or(0);
    header.payload_length() + largest + PositionIndex::memory(header.shape, header.most)
}

struct Builder {
    header: TableHeader,
    /// The file of checkpoints.
    part: PathBuf,
    interval: Duration,
}

impl Builder {
    /// The values of all positions.
    fn values(&self) -> Result<Vec<u8>> {
        let TableHeader { shape, most } = self.header;
        let index = PositionIndex::new(shape, most);
        let Checkpoint { complete, mut stage, mut values, mut open_moves } = self.resumed()?;
        values.resize(index.total() as usize, 0);
        // Every position is expanded, and most are decided.
        let bar = bar("positions", 2 * index.total() as usize);
        let mut before = 0;
        let mut saved = Instant::now();
        for (number, class) in pairs(self.header).enumerate() {
            let (own, enemy) = class;
            let size = pair_size(shape, class);
            let numbers = retrograde::numbers(&index, class).unwrap_or(0..0);
            if number >= complete {
                let known = numbers.end as usize;
                open_moves.resize(size as usize, 0);
                let mut analysis =
                    Analysis::new(&index, numbers, &mut values[..known], &mut open_moves, stage);
                while !analysis.advance(BATCH).map_err(|_| too_long(class))? {
                    let at @ Stage { level, done, decided, .. } = analysis.stage();
                    let work = if level == 0 { done } else { size + decided };
                    bar.set_position(before + work);
                    bar.set_message(format!("{own} against {enemy}, {level} plies"));
                    if saved.elapsed() >= self.interval {
                        let (values, open_moves) = analysis.state();
                        checkpoint::save(&self.part, self.header, number, at, values, open_moves)?;
                        saved = Instant::now();
                    }
                }
                stage = Stage::default();
                open_moves.clear();
            }
            before += 2 * size;
        }
        Ok(values)
    }

    /// The checkpoint to resume from, or the beginning. One that cannot be used is an error: it may
    /// be the work of hours on another table.
    fn resumed(&self) -> Result<Checkpoint> {
        if !self.part.exists() {
            let stage = Stage::default();
            return Ok(Checkpoint { complete: 0, stage, values: vec![], open_moves: vec![] });
        }
        let checkpoint = checkpoint::load(&self.part, self.header)
            .context("cannot resume; remove the checkpoint to start over")?;
        let (pairs, complete) = (pairs(self.header).count(), checkpoint.complete);
        println!("resuming after {complete} of {pairs} pairs of classes");
        Ok(checkpoint)
    }
}

fn too_long((own, enemy): Class) -> Error {
    anyhow!("{own} against {enemy}: a game takes more than 254 plies to end")
}
