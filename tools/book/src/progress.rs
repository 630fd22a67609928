//! Progress bars, for people only: nothing is drawn if stderr is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `steps` steps of what `title` says.
pub fn bar(title: &str, steps: usize) -> ProgressBar {
    let template = "{msg:12} {wide_bar} {pos}/{len} {elapsed} (eta {eta})";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(steps as u64).with_style(style).with_message(title.to_owned())
}
