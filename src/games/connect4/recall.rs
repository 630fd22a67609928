//! What the opening book knows about a question, as an answer.
//!
//! Knows the book and questions; knows nothing of the search and the solver.

use std::cmp::Reverse;

use super::board::{Board, Column};
use super::book::{self, Book, by_preference};
use super::solver::{Outcome, Position, Score, win_leaving};
use crate::strategy::{Line, Quest, Report, Standing};

/// The book, if the user wants it to be used.
pub fn book_for(quest: &Quest<'_, Board>) -> Option<&'static Book> {
    if quest.settings.own_book { book::embedded() } else { None }
}

/// The answer to `quest` about `position` without any search: all lines asked for, best first and
/// exact, or `None` if the book does not know enough.
pub fn recall(quest: &Quest<'_, Board>, position: &Position) -> Option<Report<Column>> {
    let book = book_for(quest)?;
    let mut ranked = ranked_moves(book, position, quest.moves)?;
    // Without the others, a move is known to be best if it keeps what the position is worth.
    let only_best = quest.settings.multi_pv <= 1
        && quest.moves.len() == position.legal_columns().count()
        && book.score(position) == Some(ranked[0].0);
    if ranked.len() < quest.moves.len() && !only_best {
        return None;
    }
    ranked.truncate(quest.settings.multi_pv.max(1));
    let line = |(worth, column)| Line {
        standing: Some(standing(Outcome::new(worth, position.empties()))),
        moves: variation(book, position, column),
    };
    let empties = position.empties();
    Some(Report {
        depth: Some((empties, empties)),
        lines: ranked.into_iter().map(line).collect(),
        nodes: quest.signals.nodes(),
        leaves: None,
        time: quest.signals.elapsed(),
        permille_full: Some(0),
    })
}

/// Those of `moves` whose worth is known, best first, and by preference among equals; `None` if
/// there are none.
fn ranked_moves(
    book: &Book,
    position: &Position,
    moves: &[Column],
) -> Option<Vec<(Score, Column)>> {
    let preferred = by_preference(position).into_iter().map(|(column, _)| Column(column as u8));
    let wanted = preferred.filter(|column| moves.contains(column));
    let mut ranked: Vec<_> =
        wanted.filter_map(|column| Some((worth(book, position, column)?, column))).collect();
    ranked.sort_by_key(|&(worth, _)| Reverse(worth));
    (!ranked.is_empty()).then_some(ranked)
}

/// What a move is worth to the side that makes it, if it wins or leads to a position in the book.
pub fn worth(book: &Book, position: &Position, Column(column): Column) -> Option<Score> {
    let next = position.play(column.into())?;
    match next.winner() {
        Some(_) => Some(win_leaving(next.empties())),
        None => book.score(&next).map(|score| -score),
    }
}

/// `first` and the best moves after it, as far as the book goes.
fn variation(book: &Book, position: &Position, first: Column) -> Vec<Column> {
    let mut line = vec![first];
    let mut here = *position;
    while let Some(next) = line.last().and_then(|&Column(column)| here.play(column.into())) {
        here = next;
        let columns: Vec<Column> = here.legal_columns().map(|c| Column(c as u8)).collect();
        let best = ranked_moves(book, &here, &columns).map(|ranked| ranked[0]);
        match best {
            Some((worth, column)) if book.score(&here) == Some(worth) => line.push(column),
            _ => break,
        }
    }
    line
}

/// An exact result, as users see it.
pub fn standing(outcome: Outcome) -> Standing {
    match outcome {
        Outcome::Win(plies) => Standing::Win(plies as usize),
        Outcome::Loss(plies) => Standing::Loss(plies as usize),
        Outcome::Draw => Standing::Draw,
    }
}
