//! What is written instead of a piece of code that has mutants.

use std::ops::Range;

use crate::Region;

/// A place with at least one mutant. Places are nested or disjoint, and no two are the same.
pub struct Edit {
    pub range: Range<usize>,
    pub form: Form,
}

/// Ranges are those of the old text; a number is that of a mutant.
pub enum Form {
    /// The opening brace of a function, and what the function returns.
    Body(Vec<(u32, String)>),
    /// A binary expression, and its other operators.
    Binary {
        left: Range<usize>,
        operator: Range<usize>,
        right: Range<usize>,
        choices: Vec<(u32, String)>,
    },
    /// An operator with its operand: the operand alone.
    Unary { operand: Range<usize>, id: u32 },
    /// What stands between the pattern of a match arm and its arrow, with the guard if there is one.
    Arm { guard: Option<Range<usize>>, choices: Vec<(u32, Choice)> },
    /// A struct expression, and the fields that it may leave to its base.
    Fields(Vec<(u32, Range<usize>)>),
}

/// Of a match arm.
#[derive(Clone, Copy)]
pub enum Choice {
    Never,
    Always,
}

/// The text with all edits, and where each mutant stands in it.
pub fn apply(text: &str, edits: &[Edit]) -> (String, Vec<Region>) {
    let mut writer = Writer { text, new: String::new(), regions: Vec::new() };
    let all: Vec<&Edit> = edits.iter().collect();
    writer.copy(0..text.len(), &all);
    (writer.new, writer.regions)
}

struct Writer<'a> {
    text: &'a str,
    new: String,
    regions: Vec<Region>,
}

impl Writer<'_> {
    /// Writes a range of the old text, with those of the edits that lie in it.
    fn copy(&mut self, range: Range<usize>, edits: &[&Edit]) {
        let mut inside: Vec<&Edit> =
            edits.iter().copied().filter(|edit| lies_in(&edit.range, &range)).collect();
        inside.sort_by_key(|edit| (edit.range.start, usize::MAX - edit.range.end));
        let mut at = range.start;
        for edit in &inside {
            if edit.range.start < at {
                continue; // inside the one before
            }
            self.new.push_str(&self.text[at..edit.range.start]);
            let below: Vec<&Edit> = inside
                .iter()
                .copied()
                .filter(|other| other.range != edit.range && lies_in(&other.range, &edit.range))
                .collect();
            self.edit(edit, &below);
            at = edit.range.end;
        }
        self.new.push_str(&self.text[at..range.end]);
    }

    fn edit(&mut self, edit: &Edit, below: &[&Edit]) {
        let start = self.new.len();
        let mut ids = Vec::new();
        match &edit.form {
            Form::Body(choices) => {
                self.new.push('{');
                for (id, value) in choices {
                    ids.push(*id);
                    self.one(*id, |writer| {
                        writer.new.push_str(&format!(" if {} {{ return {value}; }} ", on(*id)));
                    });
                }
            }
            Form::Binary { left, operator, right, choices } => {
                self.new.push('(');
                for (id, other) in choices {
                    ids.push(*id);
                    self.one(*id, |writer| {
                        writer.new.push_str(&format!("if {} {{ ", on(*id)));
                        writer.bracketed(left, below);
                        writer.new.push_str(other);
                        writer.bracketed(right, below);
                        writer.new.push_str(" }");
                    });
                    self.new.push_str(" else ");
                }
                self.new.push_str("{ ");
                self.copy(left.start..operator.start, below);
                self.copy(operator.clone(), &[]);
                self.copy(operator.end..right.end, below);
                self.new.push_str(" })");
            }
            Form::Unary { operand, id } => {
                ids.push(*id);
                self.new.push_str(&format!("(if {} {{ ", on(*id)));
                self.copy(operand.clone(), below);
                self.new.push_str(" } else { ");
                self.copy(edit.range.clone(), below);
                self.new.push_str(" })");
            }
            Form::Arm { guard, choices } => {
                self.new.push_str(" if ");
                for (id, choice) in choices {
                    ids.push(*id);
                    self.new.push_str(&match choice {
                        Choice::Never => format!("!{} && (", on(*id)),
                        Choice::Always => format!("{} || (", on(*id)),
                    });
                }
                match guard {
                    Some(guard) => self.copy(guard.clone(), below),
                    None => self.new.push_str("true"),
                }
                self.new.push_str(&")".repeat(choices.len()));
                self.new.push(' ');
            }
            Form::Fields(choices) => {
                self.new.push('(');
                for (id, field) in choices {
                    ids.push(*id);
                    self.one(*id, |writer| {
                        writer.new.push_str(&format!("if {} {{ ", on(*id)));
                        writer.copy(edit.range.start..field.start, below);
                        writer.copy(field.end..edit.range.end, below);
                        writer.new.push_str(" }");
                    });
                    self.new.push_str(" else ");
                }
                self.new.push_str("{ ");
                self.copy(edit.range.clone(), below);
                self.new.push_str(" })");
            }
        }
        self.regions.push(Region { ids, start, end: self.new.len() });
    }

    /// The part of one mutant among several of the same place.
    fn one(&mut self, id: u32, write: impl FnOnce(&mut Self)) {
        let start = self.new.len();
        write(self);
        self.regions.push(Region { ids: vec![id], start, end: self.new.len() });
    }

    fn bracketed(&mut self, range: &Range<usize>, below: &[&Edit]) {
        self.new.push('(');
        self.copy(range.clone(), below);
        self.new.push(')');
    }
}

fn lies_in(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn on(id: u32) -> String {
    format!("crate::mutant_switch::on({id})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;
    use crate::{Genre, Mutant};

    /// A mutant of `text` whose place is the first `from` in it.
    fn mutant(id: u32, genre: Genre, text: &str, from: &str, to: &str) -> Mutant {
        let start = text.find(from).unwrap();
        let place = |at: usize| {
            let before = &text[..at];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            crate::Place { line: before.matches('\n').count() + 1, column: at - line_start + 1 }
        };
        let span = crate::Stretch { start: place(start), end: place(start + from.len()) };
        Mutant { id, file: String::new(), genre, to: to.to_owned(), span }
    }

    fn rewritten(text: &str, mutants: &[Mutant]) -> String {
        let (edits, not_found) = find::edits(text, mutants).unwrap();
        assert_eq!(not_found, Vec::<u32>::new());
        let (new, regions) = apply(text, &edits);
        assert!(
            regions
                .iter()
                .all(|region| new.is_char_boundary(region.start) && region.start < region.end)
        );
        new.replace("crate::mutant_switch::", "")
    }

    #[test]
    fn an_operator_keeps_its_operands_and_other_mutants_within_them() {
        let text = "fn f(a: u32) -> u32 { a - 1 + !a * 2 }";
        let mutants = [
            mutant(1, Genre::BinaryOperator, text, "+", "*"),
            mutant(2, Genre::BinaryOperator, text, "+", "-"),
            mutant(3, Genre::UnaryOperator, text, "!", ""),
        ];
        let inner = "(if on(3) { a } else { !a }) * 2";
        let expected = format!(
            "fn f(a: u32) -> u32 {{ (if on(1) {{ (a - 1)*({inner}) }} else if on(2) {{ (a - 1)-({inner}) }} \
             else {{ a - 1 + {inner} }}) }}"
        );
        assert_eq!(rewritten(text, &mutants), expected);
    }

    #[test]
    fn a_function_returns_something_else_at_once() {
        let text =
            "impl A {\n    fn f(&self) -> u32 {\n        let ä = 1;\n        self.0 + ä\n    }\n}";
        let mutants = [
            mutant(1, Genre::FnValue, text, "let ä = 1;", "0"),
            mutant(2, Genre::FnValue, text, "let ä = 1;", "1"),
        ];
        let expected =
            text.replace("u32 {", "u32 { if on(1) { return 0; }  if on(2) { return 1; } ");
        assert_eq!(rewritten(text, &mutants), expected);
    }

    #[test]
    fn an_arm_is_never_or_always_taken() {
        let text = "fn f(x: u32) -> u32 { match x { 0 => 1, y if y > 3 => 2, _ => 3 } }";
        let mutants = [
            mutant(1, Genre::MatchArm, text, "0 => 1,", ""),
            mutant(2, Genre::MatchArmGuard, text, "y > 3", "true"),
            mutant(3, Genre::MatchArmGuard, text, "y > 3", "false"),
        ];
        let expected = text
            .replace("0 =>", "0 if !on(1) && (true) =>")
            .replace("if y > 3 =>", "if on(2) || (!on(3) && (y > 3)) =>");
        assert_eq!(rewritten(text, &mutants), expected);
    }

    #[test]
    fn a_field_is_left_to_the_base() {
        let text = "fn f() -> A { A { b: 1, c: 2, ..A::new() } }";
        let mutants = [mutant(1, Genre::StructField, text, "b: 1", "")];
        let expected = "fn f() -> A { (if on(1) { A {  c: 2, ..A::new() } } else { A { b: 1, c: 2, ..A::new() } }) }";
        assert_eq!(rewritten(text, &mutants), expected);
    }

    #[test]
    fn what_is_compiled_elsewhere_has_no_mutants() {
        let text = "#[cfg(any(windows, target_family = \"wasm\"))]\nfn f() -> u32 { 1 + 1 }";
        let mutants = [
            mutant(7, Genre::BinaryOperator, text, "+", "-"),
            mutant(8, Genre::FnValue, text, "1 + 1", "0"),
        ];
        assert_eq!(find::edits(text, &mutants).unwrap().1, [7, 8]);
    }
}
