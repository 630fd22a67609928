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

#[cfg(test)]
mod tests {
    use super::super::endgame::index::Index;
    use super::super::sowing::Rules;
    use super::*;
    use crate::game::Side;
    use crate::limits::{Limits, SearchControl};
    use crate::search::transposition_table::TranspositionTable;
    use crate::settings::Settings;

    /// One entry in so many is checked.
    const STRIDE: usize = 29;

    fn start() -> Board<u64> {
        Board::new(Rules::new(book::HOUSES, 4, false).unwrap())
    }

    /// How many ways there are to put so many seeds into so many houses.
    fn ways(seeds: u64, houses: u64) -> u64 {
        (1..houses).fold(1, |ways, house| ways * (seeds + house) / house)
    }

    /// The row of this rank: see [`super::super::endgame::index`].
    fn row(mut rank: u64, seeds: u64) -> [u16; book::HOUSES] {
        let mut row = [0; book::HOUSES];
        let mut most = seeds;
        for house in (1..book::HOUSES).rev() {
            // How many rows have fewer seeds in the houses below.
            let fewer = |sum: u64| if sum == 0 { 0 } else { ways(sum - 1, house as u64 + 1) };
            let below = (0..=most).rev().find(|&sum| fewer(sum) <= rank).unwrap();
            row[house] = (most - below) as u16;
            rank -= fewer(below);
            most = below;
        }
        row[0] = most as u16;
        row
    }

    /// The position with this number, player 1 to move, who has all captured seeds but one.
    fn position(index: &Index, number: u64) -> Board<u64> {
        let seeds = (1..).find(|&seeds| number < index.size(seeds)).unwrap();
        let mut rest = number - index.size(seeds - 1);
        let seeds = seeds as u64;
        for own in 1..seeds {
            let other_rows = ways(seeds - own, 6);
            let block = ways(own, 6) * other_rows;
            if rest < block {
                let houses = [row(rest / other_rows, own), row(rest % other_rows, seeds - own)];
                let stored = 48 - seeds as u16;
                let stores = [stored - stored.min(1), stored.min(1)];
                return start().with([&houses[0], &houses[1]], stores, Side::P1);
            }
            rest -= block;
        }
        panic!("no position has the number {number}");
    }

    fn answer(
        board: &Board<u64>,
        moves: &[House],
        multi_pv: usize,
        tt: &TranspositionTable,
    ) -> Option<SearchResult<House>> {
        book_probe(&SearchRequest {
            game: board,
            moves,
            limits: &Limits::default(),
            control: &SearchControl::new(false, false),
            tt,
            settings: &Settings { multi_pv, ..Settings::default() },
        })
    }

    /// Checks every answer to a position, or that there is none. `own` is the margin by its entry.
    fn check(book: &ShareBook, board: &Board<u64>, own: Option<i32>, tt: &TranspositionTable) {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        // Of the moves that lead to the end of the game or into the book.
        let margin = |&house: &House| {
            let next = after(board, house);
            let known = match next.outcome() {
                Some(_) => Some(next.store_lead()),
                None => book.entry(next.rules(), next.rows()).map(|entry| {
                    let in_play = next.rows().in_play() as i32;
                    2 * i32::from(entry.share) - in_play + next.store_lead()
                }),
            };
            known.map(|known| view(board, &next, known))
        };
        let known: Vec<i32> = moves.iter().filter_map(margin).collect();
        let best = known.iter().copied().max();
        assert!(own.is_none() || best <= own, "a move is better than the position");
        let one = answer(board, &moves, 1, tt);
        assert_eq!(one.is_some(), own.is_some() || known.len() == moves.len());
        if let Some(one) = one {
            let chosen = own.or(best).unwrap();
            check_line(book, board, &one.lines[0], chosen);
            let [line] = &one.lines[..] else { panic!("one line was asked for") };
            assert!(margin(&line.moves[0]).is_none_or(|margin| margin == chosen));
            // The others without it: their best is known only if all of them are.
            let others: Vec<House> =
                moves.iter().copied().filter(|&house| house != line.moves[0]).collect();
            let all_known = others.iter().all(|house| margin(house).is_some());
            assert!(others.is_empty() || answer(board, &others, 1, tt).is_some() == all_known);
            // Every other move on its own: no margin that is not known.
            for house in moves.iter().filter(|&&house| house != line.moves[0]) {
                let only = answer(board, &[*house], 1, tt);
                assert_eq!(only.is_some(), margin(house).is_some());
                if let (Some(only), Some(margin)) = (only, margin(house)) {
                    check_line(book, board, &only.lines[0], margin);
                }
            }
        }
        if let Some(all) = answer(board, &moves, moves.len().max(2), tt) {
            let reported = |line: &PvLine<House>| match line.score {
                Some(ReportedScore::Margin(margin)) => margin,
                score => panic!("{score:?}"),
            };
            let margins: Vec<i32> = all.lines.iter().map(reported).collect();
            assert_eq!(margins.len(), moves.len());
            assert!(margins.is_sorted_by(|one, next| one >= next), "{margins:?}");
            assert_eq!(margins[0], own.or(best).unwrap());
            all.lines.iter().zip(margins).for_each(|(line, margin)| {
                check_line(book, board, line, margin);
            });
        } else {
            assert!(known.len() < moves.len());
        }
    }

    /// The line is said to have this margin for the side to move, and so have all its positions that are known.
    fn check_line(book: &ShareBook, board: &Board<u64>, line: &PvLine<House>, margin: i32) {
        assert_eq!(line.score, Some(ReportedScore::Margin(margin)));
        let mut here = board.clone();
        for &house in &line.moves {
            let mut legal = Vec::new();
            here.legal_moves(&mut legal);
            assert!(legal.contains(&house));
            here.play(house);
            let known = known_margin(book, &here);
            assert!(known.is_none_or(|known| view(board, &here, known) == margin));
        }
        // It ends only where the book does: no move keeps the margin for certain.
        if here.outcome().is_none() {
            assert!(best_move(book, &here).is_none());
            let mut legal = Vec::new();
            here.legal_moves(&mut legal);
            let keeps = |&house: &House| {
                let next = after(&here, house);
                known_margin(book, &next).is_some_and(|known| view(board, &next, known) == margin)
            };
            assert!(!legal.iter().any(keeps));
        }
    }

    /// The positions of the book, and those a ply further, many of which the book lacks.
    #[test]
    fn an_answer_has_the_margin_of_the_position_and_its_moves_keep_it() {
        let (book, index) = (book::embedded().unwrap(), book::new_index());
        let tt = TranspositionTable::new(0).unwrap();
        for (place, (number, entry)) in book.entries().enumerate().step_by(STRIDE) {
            let board = position(&index, number);
            assert_eq!(index.of(board.rows()), number);
            let in_play = board.rows().in_play() as i32;
            let margin = 2 * i32::from(entry.share) - in_play + board.store_lead();
            check(book, &board, Some(margin), &tt);
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            let next = after(&board, moves[place % moves.len()]);
            if next.outcome().is_none() && book.entry(next.rules(), next.rows()).is_none() {
                check(book, &next, None, &tt);
            }
        }
    }
}
