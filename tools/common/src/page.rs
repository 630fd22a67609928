//! Documents with tables that are written from a record.
//!
//! A table stands between `<!-- table NAME -->` and `<!-- end -->`, and is written from the record
//! alone; the text around is written by hand.

use anyhow::{Context as _, Result, ensure};

const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end -->";

/// The page with every table written anew.
pub fn update(page: &str, table: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut written = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        let Some(rest) = line.strip_prefix(BEGIN) else { continue };
        let name = rest.strip_suffix(" -->").with_context(|| format!("'{line}' is incomplete"))?;
        loop {
            let old = lines.next().with_context(|| format!("'{line}' has no '{END}'"))?;
            if old == END {
                break;
            }
            ensure!(!old.starts_with(BEGIN), "'{line}' has no '{END}' before '{old}'");
        }
        written += &format!("\n{}\n{END}\n", table(name)?);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    fn table(name: &str) -> Result<String> {
        match name {
            "fruit" => Ok("| apple |\n".to_owned()),
            _ => bail!("there is no table '{name}'"),
        }
    }

    #[test]
    fn tables_are_replaced_and_text_is_kept() {
        let page = "# Title\n\n<!-- table fruit -->\nold\n<!-- end -->\ntext\n";
        let updated = update(page, table).expect("a page");
        let expected = "# Title\n\n<!-- table fruit -->\n\n| apple |\n\n<!-- end -->\ntext\n";
        assert_eq!(updated, expected);
        assert_eq!(update(&updated, table).expect("a page"), updated);
    }

    #[test]
    fn wrong_marks_are_refused() {
        for (page, reason) in [
            ("<!-- table chess -->\n<!-- end -->\n", "there is no table 'chess'"),
            ("<!-- table fruit\n", "incomplete"),
            ("<!-- table fruit -->\nold\n", "has no '<!-- end -->'"),
            ("<!-- table fruit -->\n<!-- table fruit -->\n<!-- end -->\n", "before"),
        ] {
            let error = update(page, table).expect_err("refused");
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
