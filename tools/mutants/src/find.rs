//! Finds mutants in the syntax tree of their file.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Result;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Block, ExprBinary, ExprStruct, ExprUnary};

use crate::compiled::is_compiled;
use crate::edits::{Choice, Edit, Form};
use crate::{Genre, Mutant, Place};

/// The edits of one file, and the mutants that were not found.
pub fn edits(text: &str, mutants: &[Mutant]) -> Result<(Vec<Edit>, Vec<u32>)> {
    let lines = line_starts(text);
    let byte = |place: Place| byte_at(text, lines[place.line - 1], place.column);
    let mut finder = Finder { wanted: BTreeMap::new(), bodies: Vec::new(), edits: Vec::new() };
    for mutant in mutants {
        let range = byte(mutant.span.start)..byte(mutant.span.end);
        match mutant.genre {
            Genre::FnValue => finder.bodies.push((range, None, mutant)),
            _ => finder.wanted.entry(range.start).or_default().push(mutant),
        }
    }
    finder.visit_file(&syn::parse_file(text)?);

    let mut bodies: BTreeMap<usize, Vec<(u32, String)>> = BTreeMap::new();
    let mut not_found: Vec<u32> =
        finder.wanted.values().flatten().map(|mutant| mutant.id).collect();
    for (_, brace, mutant) in finder.bodies {
        match brace {
            Some(brace) => {
                bodies.entry(brace.start).or_default().push((mutant.id, mutant.to.clone()))
            }
            None => not_found.push(mutant.id),
        }
    }
    let mut edits = finder.edits;
    edits.extend(
        bodies
            .into_iter()
            .map(|(brace, choices)| Edit { range: brace..brace + 1, form: Form::Body(choices) }),
    );
    Ok((edits, not_found))
}

struct Finder<'a> {
    /// By the byte at which they begin; those that are found are removed.
    wanted: BTreeMap<usize, Vec<&'a Mutant>>,
    /// What the body of a function consists of, and the smallest block seen so far that is one and contains it.
    bodies: Vec<(Range<usize>, Option<Range<usize>>, &'a Mutant)>,
    edits: Vec<Edit>,
}

impl<'a> Finder<'a> {
    fn take(&mut self, at: usize, is_one: impl Fn(&Genre) -> bool) -> Vec<&'a Mutant> {
        let Some(here) = self.wanted.get_mut(&at) else { return Vec::new() };
        let (taken, left): (Vec<_>, Vec<_>) = here.iter().partition(|mutant| is_one(&mutant.genre));
        *here = left;
        taken
    }

    fn body(&mut self, block: &Block) {
        let braces = block.brace_token.span;
        let (open, close) = (braces.open().byte_range(), braces.close().byte_range());
        for (range, found, _) in &mut self.bodies {
            // Outer functions are visited first.
            if open.start < range.start && range.end <= close.start {
                *found = Some(open.clone());
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if is_compiled(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if is_compiled(&block.attrs) {
            visit::visit_item_impl(self, block);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if is_compiled(&function.attrs) {
            self.body(&function.block);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if is_compiled(&function.attrs) {
            self.body(&function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, expression: &'ast ExprBinary) {
        let operator = bytes(&expression.op);
        let mutants = self.take(operator.start, |genre| matches!(genre, Genre::BinaryOperator));
        if !mutants.is_empty() {
            let choices = mutants.iter().map(|mutant| (mutant.id, mutant.to.clone())).collect();
            let (left, right) = (bytes(&*expression.left), bytes(&*expression.right));
            self.edits.push(Edit {
                range: bytes(expression),
                form: Form::Binary { left, operator, right, choices },
            });
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast ExprUnary) {
        let mutants =
            self.take(bytes(&expression.op).start, |genre| matches!(genre, Genre::UnaryOperator));
        if let Some(mutant) = mutants.first() {
            let form = Form::Unary { operand: bytes(&*expression.expr), id: mutant.id };
            self.edits.push(Edit { range: bytes(expression), form });
        }
        visit::visit_expr_unary(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let deleted = self.take(bytes(arm).start, |genre| matches!(genre, Genre::MatchArm));
        let mut choices: Vec<_> = deleted.iter().map(|mutant| (mutant.id, Choice::Never)).collect();
        let guard = arm.guard.as_ref().map(|(_, guard)| bytes(&**guard));
        if let Some(guard) = &guard {
            for mutant in self.take(guard.start, |genre| matches!(genre, Genre::MatchArmGuard)) {
                choices.push((
                    mutant.id,
                    if mutant.to == "true" { Choice::Always } else { Choice::Never },
                ));
            }
        }
        if !choices.is_empty() {
            let range = bytes(&arm.pat).end..bytes(&arm.fat_arrow_token).start;
            self.edits.push(Edit { range, form: Form::Arm { guard, choices } });
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expression: &'ast ExprStruct) {
        let mut choices = Vec::new();
        for pair in expression.fields.pairs() {
            let field = bytes(*pair.value());
            let end = pair.punct().map_or(field.end, |comma| bytes(*comma).end);
            for mutant in self.take(field.start, |genre| matches!(genre, Genre::StructField)) {
                choices.push((mutant.id, field.start..end));
            }
        }
        if !choices.is_empty() {
            self.edits.push(Edit { range: bytes(expression), form: Form::Fields(choices) });
        }
        visit::visit_expr_struct(self, expression);
    }
}

fn bytes(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn byte_at(text: &str, line_start: usize, column: usize) -> usize {
    let line = &text[line_start..];
    line_start + line.char_indices().nth(column - 1).map_or(line.len(), |(at, _)| at)
}
