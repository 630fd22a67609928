//! The words of `tree`.

use super::go::{clamped, non_negative};
use super::{did_you_mean, escaped, owned};
use crate::protocol::command::{TreeFormat, TreeRequest};

const TREE_WORDS: &[&str] = &["depth", "text", "json", "dot", "moves"];

/// The words after `tree`.
pub fn tree(rest: &[&str]) -> Result<TreeRequest, String> {
    let mut request = TreeRequest::default();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "depth" => match clamped(non_negative("tree depth", words.next())?) {
                0 => return Err("tree depth: expected at least 1, got 0".to_owned()),
                depth => request.depth = Some(depth),
            },
            "text" => request.format = TreeFormat::Text,
            "json" => request.format = TreeFormat::Json,
            "dot" => request.format = TreeFormat::Dot,
            "moves" => {
                request.moves = owned(words.as_slice());
                break;
            }
            _ => {
                let hint = did_you_mean(word, TREE_WORDS.iter().copied());
                let (word, known) = (escaped(word), TREE_WORDS.join(" "));
                return Err(format!("tree: unknown word '{word}'{hint} ({known})"));
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_any_order_and_moves_last() {
        let parsed = |words: &str| tree(&words.split(' ').collect::<Vec<_>>()).unwrap();
        let request = TreeRequest {
            depth: Some(3),
            moves: vec!["4".to_owned(), "depth".to_owned()],
            format: TreeFormat::Json,
        };
        assert_eq!(parsed("depth 3 json moves 4 depth"), request);
        assert_eq!(parsed("json depth 3 moves 4 depth"), request);
        assert_eq!(parsed("dot").format, TreeFormat::Dot);
        assert_eq!(parsed("json text moves"), TreeRequest::default());
        assert_eq!(tree(&[]), Ok(TreeRequest::default()));
        assert_eq!(parsed("depth 99999999999").depth, Some(u32::MAX));
    }
}
