//! Messages that a server causes, so few that it cannot fill a disk with them.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of all messages of a connection together. A pipe that nobody reads has room for them.
const MAX_BYTES: usize = 16 << 10;
/// Characters of a message; of a longer one, its beginning.
const MAX_CHARS: usize = 300;

/// The log of one connection.
pub struct ServerLog(AtomicUsize);

impl ServerLog {
    /// An empty one.
    pub fn new() -> ServerLog {
        ServerLog(AtomicUsize::new(MAX_BYTES))
    }

    /// Warns of something that the server has caused. The message that finds no room any more is replaced by a
    /// last one, which says so.
    pub fn warn(&self, message: &str) {
        if let Some(text) = self.admitted(message) {
            log::warn!("{text}");
        }
    }

    fn admitted(&self, message: &str) -> Option<String> {
        let mut text: String = message.chars().take(MAX_CHARS).collect();
        if message.chars().nth(MAX_CHARS).is_some() {
            text.push('…');
        }
        let charge = |left: usize| (left > 0).then(|| left.saturating_sub(text.len()));
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, charge).ok()?;
        let has_room = before > text.len();
        Some(if has_room {
            text
        } else {
            "further messages about this server are suppressed".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_and_bounded_with_one_last_line() {
        let log = ServerLog::new();
        assert_eq!(log.admitted("short").as_deref(), Some("short"));
        let longest = "é".repeat(MAX_CHARS);
        assert_eq!(log.admitted(&longest).as_ref(), Some(&longest));
        assert_eq!(log.admitted(&(longest.clone() + "x")), Some(longest + "…"));
        let log = ServerLog::new();
        let all: Vec<String> =
            (0..100_000).map_while(|_| log.admitted("0123456789abcdef")).collect();
        let (last, rest) = all.split_last().unwrap();
        assert!(last.contains("suppressed"), "{last}");
        assert!(rest.iter().all(|text| text == "0123456789abcdef"));
        // All but what the last line took the place of.
        assert_eq!(rest.len(), MAX_BYTES / 16 - 1);
        assert_eq!(log.admitted("x"), None);
    }
}
