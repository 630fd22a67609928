//! The manual page has the options that the program has.

use std::process::Command;

const PAGE: &str = include_str!("../docs/man/ratlla.1");

#[test]
fn every_option_is_on_the_page() {
    let page = PAGE.replace("\\-", "-");
    for arguments in [&["--help"][..], &["solve", "--help"], &["explain", "--help"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_ratlla")).args(arguments).output();
        let help = String::from_utf8(output.expect("the program starts").stdout).expect("UTF-8");
        let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
        let options: Vec<&str> = help
            .split(|c: char| !is_part(c))
            .filter(|word| word.starts_with("--") && word.len() > 2)
            .collect();
        assert!(!options.is_empty(), "{help}");
        for option in options {
            let is_there = page.split(|c: char| !is_part(c)).any(|word| word == option);
            assert!(is_there, "{option} of {arguments:?}");
        }
    }
}
