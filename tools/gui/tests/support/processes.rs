//! Processes, as Linux lists them.

use std::time::Duration;

/// Linux counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// The ids of the running children of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("the list of processes").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| is_running_child(id, parent)).collect()
}

/// The ids of all running descendants of a process.
pub fn descendants(parent: u32) -> Vec<u32> {
    let mut all = children(parent);
    let mut next = 0;
    while let Some(&id) = all.get(next) {
        all.extend(children(id));
        next += 1;
    }
    all
}

/// The processor time that a process has used; none if it has exited.
pub fn processor_time(id: u32) -> Duration {
    // User and system time are the 12th and 13th word after the name.
    let ticks = || {
        let words = fields(id)?;
        Some(words.get(11)?.parse::<u32>().ok()? + words.get(12)?.parse::<u32>().ok()?)
    };
    TICK * ticks().unwrap_or(0)
}

/// The arguments of a process, none if it has exited.
pub fn arguments(id: u32) -> Vec<String> {
    let text = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    // Chromium replaces the zeros between the arguments by spaces.
    let words = text.split(|&byte| byte == 0 || byte == b' ');
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Whether a process is running and a child of `parent`.
fn is_running_child(id: u32, parent: u32) -> bool {
    fields(id).is_some_and(|words| words[0] != "Z" && words[1] == parent.to_string())
}

/// What follows the name of a process, from its state and its parent on; `None` if it has just exited.
fn fields(id: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in parentheses and may contain any character.
    let words = text.rsplit(')').next()?.split_whitespace();
    Some(words.map(str::to_owned).collect())
}
