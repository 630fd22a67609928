//! The secret in the page's address: other users of this machine, and of the network, cannot guess it.

use std::fmt;

use anyhow::{Result, anyhow};
use data_encoding::HEXLOWER;

/// The shortest token that may be chosen.
const SHORTEST: usize = 16;

/// Letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one, of 128 bits.
    pub fn random() -> Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| anyhow!("no random numbers: {error}"))?;
        Ok(Token(HEXLOWER.encode(&bytes)))
    }

    /// A chosen one.
    pub fn parse(text: &str) -> Result<Token, String> {
        if text.len() >= SHORTEST && text.chars().all(|c| c.is_ascii_alphanumeric()) {
            Ok(Token(text.to_owned()))
        } else {
            Err(format!("expected at least {SHORTEST} letters and digits"))
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_read_back() {
        let [first, second] = [(); 2].map(|()| Token::random().unwrap());
        assert_ne!(first, second);
        assert_eq!(Token::parse(&first.to_string()), Ok(first));
        for text in ["", "short", "0123456789/bcdef", "0123456789abcdé0"] {
            assert!(Token::parse(text).is_err(), "{text}");
        }
    }
}
