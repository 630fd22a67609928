//! Probing the opening book for a search request.
//!
//! Knows the book, requests and results; knows nothing of the search and the solver.

use std::cmp::Reverse;

use super::board::{Board, House};
use super::book::{self, ShareBook, by_preference};
use super::row::Word;
use crate::game::Game;
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};

/// The result for `request` from the book alone: all requested lines, best first and exact, or
/// `None` if the option `OwnBook` is off or the book lacks one of the margins it takes.
pub fn book_probe<W: Word>(request: &SearchRequest<'_, Board<W>>) -> Option<SearchResult<House>> {
    let book = if request.settings.own_book { book::embedded() } else { None }?;
    let board = request.game;
    let best = best_move(book, board);
    let known = request.moves.iter().filter_map(|&house| {
        let margin = match best {
            Some((margin, best)) if best == house => margin,
            _ => move_margin(book, board, house)?,
        };
        Some((margin, house))
    });
    let mut ranked: Vec<(i32, House)> = known.collect();
    ranked.sort_by_key(|&(margin, house)| {
        (Reverse(margin), best.is_none_or(|(_, best)| best != house))
    });
    let count = request.settings.multi_pv.max(1);
    // If the margins of some moves are unknown, the book's move is still as good as any.
    let only_best = count == 1 && best.is_some() && ranked.first().copied() == best;
    if ranked.is_empty() || (ranked.len() < request.moves.len() && !only_best) {
        return None;
    }
    ranked.truncate(count);
    let line = |(margin, house)| {
        PvLine::new(Some(ReportedScore::Margin(margin)), variation(book, board, margin, house))
    };
    Some(SearchResult {
        depth: None,
        lines: ranked.into_iter().map(line).collect(),
        nodes: request.control.nodes(),
        tree: None,
        time: request.control.elapsed(),
        hashfull: None,
        end: SearchEnd::Exact,
    })
}

/// The final margin for the side to move and the book's move, if the position is in the book.
fn best_move<W: Word>(book: &ShareBook, board: &Board<W>) -> Option<(i32, House)> {
    let rows = board.rows();
    let entry = book.entry(board.rules(), rows)?;
    let margin = 2 * i32::from(entry.share) - rows.in_play() as i32 + board.store_lead();
    let moves = by_preference(board.sowing(), rows);
    Some((margin, *moves.get(usize::from(entry.rank))?))
}

/// The final margin for the side to move, if the game is over or the position is in the book.
fn known_margin<W: Word>(book: &ShareBook, board: &Board<W>) -> Option<i32> {
    match board.outcome() {
        Some(_) => Some(board.store_lead()),
        None => best_move(book, board).map(|(margin, _)| margin),
    }
}

/// The final margin for the mover, if that of the position after the move is known.
fn move_margin<W: Word>(book: &ShareBook, board: &Board<W>, house: House) -> Option<i32> {
    let next = after(board, house);
    let margin = known_margin(book, &next)?;
    Some(view(board, &next, margin))
}

/// `margin`, which is that of the side to move in one of the positions, for the one in the other.
fn view<W: Word>(one: &Board<W>, other: &Board<W>, margin: i32) -> i32 {
    if one.side_to_move() == other.side_to_move() { margin } else { -margin }
}

fn after<W: Word>(board: &Board<W>, house: House) -> Board<W> {
    let mut next = board.clone();
    next.play(house);
    next
}

/// `first`, which leads to `margin`, and best moves after it, as far as the book goes.
fn variation<W: Word>(book: &ShareBook, board: &Board<W>, margin: i32, first: House) -> Vec<House> {
    let mut line = vec![first];
    let mut here = after(board, first);
    while here.outcome().is_none() {
        let next = match best_move(book, &here) {
            Some((_, house)) => vec![house],
            None => best_turn(book, &here, view(board, &here, margin)).unwrap_or_default(),
        };
        if next.is_empty() {
            break;
        }
        here = next.iter().fold(here, |here, &house| after(&here, house));
        line.extend(next);
    }
    line
}

/// Moves of the side to move, whose position is not in the book, that lead to its known `margin`
/// in a position that is.
fn best_turn<W: Word>(book: &ShareBook, board: &Board<W>, margin: i32) -> Option<Vec<House>> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves.into_iter().find_map(|house| {
        let next = after(board, house);
        match known_margin(book, &next) {
            Some(known) => (view(board, &next, known) == margin).then(|| vec![house]),
            None if next.side_to_move() == board.side_to_move() => {
                let rest = best_turn(book, &next, margin)?;
                Some([vec![house], rest].concat())
            }
            None => None,
        }
    })
}
