//! The resident memory of processes, and whether it grows.

use std::fmt;
use std::fs;

use anyhow::{Context as _, ensure};

/// Differences up to this many bytes are not growth.
const TOLERANCE: u64 = 16 << 20;

/// The resident memory of a process over time, in bytes.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<u64>);

impl Samples {
    /// Takes a sample. Outside Linux there are none.
    pub fn take(&mut self, process: u32) -> anyhow::Result<()> {
        if cfg!(target_os = "linux") {
            self.0.push(resident(process)?);
        }
        Ok(())
    }

    /// The first, the last and the largest, in MiB, unless nothing was measured.
    pub fn figures(&self) -> Option<[f64; 3]> {
        let figures = [*self.0.first()?, *self.0.last()?, *self.0.iter().max()?];
        Some(figures.map(|bytes| bytes as f64 / f64::from(1 << 20)))
    }

    /// Fails if the maximum of the last quarter exceeds that of the second; in the first quarter a
    /// process is still warming up.
    pub fn check(&self) -> anyhow::Result<()> {
        let quarter = self.0.len() / 4;
        if quarter == 0 {
            return Ok(());
        }
        let max = |samples: &[u64]| samples.iter().copied().max().unwrap_or_default();
        let (early, late) =
            (max(&self.0[quarter..2 * quarter]), max(&self.0[self.0.len() - quarter..]));
        ensure!(late <= early + TOLERANCE, "memory grew: {self}");
        Ok(())
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some([first, last, max]) = self.figures() else {
            return write!(f, "not measured");
        };
        write!(f, "first {first:.1} MiB, last {last:.1} MiB, max {max:.1} MiB")
    }
}

/// The resident memory of a process, in bytes.
fn resident(process: u32) -> anyhow::Result<u64> {
    let path = format!("/proc/{process}/status");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kibibytes.with_context(|| format!("{path} has no VmRSS"))? << 10)
}

/// All processes, each with its parent; outside Linux none.
pub fn parents() -> anyhow::Result<Vec<(u32, u32)>> {
    let mut pairs = Vec::new();
    if !cfg!(target_os = "linux") {
        return Ok(pairs);
    }
    for entry in fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        // The process may have ended meanwhile.
        let Ok(text) = fs::read_to_string(format!("/proc/{process}/stat")) else {
            continue;
        };
        // The name is in parentheses and may contain any character; state and parent follow.
        let rest = text.rsplit(')').next().unwrap_or_default();
        if let Some(parent) = rest.split_whitespace().nth(1).and_then(|word| word.parse().ok()) {
            pairs.push((process, parent));
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_distinguished_from_noise() {
        let samples = |values: &[u64]| Samples(values.iter().map(|value| value << 20).collect());
        assert!(samples(&[]).check().is_ok());
        assert!(samples(&[1, 60, 55, 61, 52, 60, 63, 58]).check().is_ok());
        let growing = samples(&[50, 60, 70, 80, 90, 100, 110, 120]);
        let error = growing.check().unwrap_err().to_string();
        assert!(error.contains("first 50.0 MiB, last 120.0 MiB"), "{error}");
    }

    #[test]
    fn this_process_has_memory_and_a_parent() {
        let mut samples = Samples::default();
        samples.take(std::process::id()).unwrap();
        assert!(samples.0[0] > 1 << 20);
        let parents = parents().unwrap();
        assert!(parents.iter().any(|&(process, _)| process == std::process::id()));
    }
}
