//! Progress bars: on stderr, and only if that is a terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

const TEMPLATE: &str =
    "{prefix} [{bar:30}] {human_pos}/{human_len}, {elapsed} elapsed, {eta} left  {msg}";

const COUNTER_TEMPLATE: &str = "{prefix}: {human_pos}, {elapsed} elapsed";

/// A bar for `total` steps of what `label` names. It is erased when it is complete or dropped.
pub fn bar(label: &str, total: usize) -> ProgressBar {
    styled(ProgressBar::new(total as u64), TEMPLATE, label)
}

/// Counts what `label` names, where the total is unknown. It is erased when it is dropped.
pub fn counter(label: &str) -> ProgressBar {
    styled(ProgressBar::no_length(), COUNTER_TEMPLATE, label)
}

fn styled(bar: ProgressBar, template: &str, label: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(label.to_owned()).with_finish(ProgressFinish::AndClear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
        assert!(ProgressStyle::with_template(COUNTER_TEMPLATE).is_ok());
    }
}
