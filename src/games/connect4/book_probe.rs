//! Probing the opening book for a search request.
//!
//! Knows the book, requests and results; knows nothing of the search and the solver.

use std::cmp::Reverse;

use super::board::{Board, Column};
use super::book::{self, Book, by_preference};
use super::solver::{Position, SolverScore, exact_value, win_leaving};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchEnd, SearchResult};

/// The book, if the option `OwnBook` is on.
pub fn book_for(request: &SearchRequest<'_, Board>) -> Option<&'static Book> {
    if request.settings.own_book { book::embedded() } else { None }
}

/// The result for `request` from the book alone: all requested lines, best first and exact, or
/// `None` if the book lacks one of the scores it takes.
pub fn book_probe(
    request: &SearchRequest<'_, Board>,
    position: &Position,
) -> Option<SearchResult<Column>> {
    let book = book_for(request)?;
    let mut ranked = ranked_moves(book, position, request.moves)?;
    // If some moves have no score, one is still known to be best if it keeps the position's score.
    let only_best = request.settings.multi_pv <= 1
        && request.moves.len() == position.legal_columns().count()
        && book.score(position) == Some(ranked[0].0);
    if ranked.len() < request.moves.len() && !only_best {
        return None;
    }
    ranked.truncate(request.settings.multi_pv.max(1));
    let line = |(score, column)| {
        PvLine::new(
            Some(exact_value(score, position.empties()).into()),
            variation(book, position, column),
        )
    };
    let empties = position.empties();
    Some(SearchResult {
        depth: Some((empties, empties)),
        lines: ranked.into_iter().map(line).collect(),
        nodes: request.control.nodes(),
        tree: None,
        time: request.control.elapsed(),
        hashfull: Some(0),
        end: SearchEnd::Exact,
    })
}

/// Those of `moves` with a known score, best first, equals by preference; `None` if there are none.
fn ranked_moves(
    book: &Book,
    position: &Position,
    moves: &[Column],
) -> Option<Vec<(SolverScore, Column)>> {
    let preferred = by_preference(position).into_iter().map(|(column, _)| Column(column as u8));
    let candidates = preferred.filter(|column| moves.contains(column));
    let mut ranked: Vec<_> = candidates
        .filter_map(|column| Some((move_score(book, position, column)?, column)))
        .collect();
    ranked.sort_by_key(|&(score, _)| Reverse(score));
    (!ranked.is_empty()).then_some(ranked)
}

/// The score of a move for its mover, if it wins or leads to a position in the book.
pub fn move_score(book: &Book, position: &Position, Column(column): Column) -> Option<SolverScore> {
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
            Some((score, column)) if book.score(&here) == Some(score) => line.push(column),
            _ => break,
        }
    }
    line
}
