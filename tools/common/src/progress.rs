//! Progress bars: on stderr, and only if that is a terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

const TEMPLATE: &str =
    "{prefix} [{bar:30}] {human_pos}/{human_len}, {elapsed} elapsed, {eta} left  {msg}";

/// A bar for `total` steps of what `label` names. It is erased when it is complete or dropped.
pub fn bar(label: &str, total: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total as u64)
        .with_style(style)
        .with_prefix(label.to_owned())
        .with_finish(ProgressFinish::AndClear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_valid() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
