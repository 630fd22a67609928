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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::connect4::board::Size;
    use crate::limits::{Limits, SearchControl};
    use crate::search::result::ReportedScore;
    use crate::search::transposition_table::TranspositionTable;
    use crate::settings::Settings;

    /// One entry in so many is checked.
    const STRIDE: usize = 41;

    /// The answers to a position of the book's board, by the moves to choose from and the lines
    /// wanted.
    struct Prober {
        board: Board,
        position: Position,
        tt: TranspositionTable,
    }

    impl Prober {
        fn new() -> Prober {
            let size = Size::new(6, 7, 4).unwrap();
            let position = Position::new(6, 7).unwrap();
            Prober { board: Board::new(size), position, tt: TranspositionTable::new(0).unwrap() }
        }

        /// Turns to another position, seen by player 1.
        fn set_up(&mut self, position: &Position) {
            let (mover, other) = position.to_stones();
            let column = |column: u32| {
                let stone = |row| {
                    let cell = 1u128 << (column * 7 + row);
                    let side = if mover & cell != 0 { Side::P1 } else { Side::P2 };
                    ((mover | other) & cell != 0).then_some(side)
                };
                (0..6).map_while(stone).collect()
            };
            let columns: Vec<Vec<Side>> = (0..7).map(column).collect();
            self.board = Board::from_columns(self.board.size(), &columns, Side::P1).unwrap();
            self.position = *position;
        }

        fn answer(&self, moves: &[Column], multi_pv: usize) -> Option<SearchResult<Column>> {
            let request = SearchRequest {
                game: &self.board,
                moves,
                limits: &Limits::default(),
                control: &SearchControl::new(false, false),
                tt: &self.tt,
                settings: &Settings { multi_pv, ..Settings::default() },
            };
            book_probe(&request, &self.position)
        }

        /// Checks every answer to the position, or that there is none.
        fn check(&mut self, book: &Book, position: &Position) {
            self.set_up(position);
            let moves: Vec<Column> = position.legal_columns().map(|c| Column(c as u8)).collect();
            let score = |&column: &Column| {
                let next = position.play(column.0.into())?;
                let won = next.winner().map(|_| win_leaving(next.empties()));
                won.or_else(|| Some(-book.score(&next)?))
            };
            let own = book.score(position);
            for count in [1, 2, 7] {
                let best = moves.iter().filter_map(score).max();
                let every_move_is_known = moves.iter().all(|column| score(column).is_some());
                let keeps_the_score = count == 1 && best.is_some() && best == own;
                let answer = self.answer(&moves, count);
                assert_eq!(answer.is_some(), every_move_is_known || keeps_the_score, "{own:?}");
                let Some(answer) = answer else { continue };
                let mut scores: Vec<_> = moves.iter().filter_map(score).collect();
                scores.sort_by_key(|&score| Reverse(score));
                scores.truncate(count);
                assert!(own.is_none_or(|own| own == scores[0]));
                assert_eq!(answer.lines.len(), scores.len());
                for (line, score) in answer.lines.iter().zip(scores) {
                    check_line(book, position, line, score);
                }
            }
            // Of the others none need keep the score, so that of each must be known.
            let best = moves.iter().max_by_key(|column| score(column));
            let others: Vec<Column> = moves.iter().copied().filter(|mv| Some(mv) != best).collect();
            if !others.is_empty() {
                let known = others.iter().all(|column| score(column).is_some());
                assert_eq!(self.answer(&others, 1).is_some(), known);
            }
        }
    }

    /// The line is said to have this score, and each of its moves keeps it.
    fn check_line(book: &Book, position: &Position, line: &PvLine<Column>, score: SolverScore) {
        let reported = ReportedScore::from(exact_value(score, position.empties()));
        assert_eq!(line.score, Some(reported));
        let (mut here, mut score) = (*position, score);
        for &Column(column) in &line.moves {
            let next = here.play(column.into()).unwrap();
            let known = match next.winner() {
                Some(_) => Some(win_leaving(next.empties())),
                None => book.score(&next).map(|score| -score),
            };
            assert_eq!(known, Some(score));
            (here, score) = (next, -score);
        }
        // It ends only where the book does: it lacks the position, or every move that keeps its score.
        let goes_on = here.legal_columns().any(|column| {
            move_score(book, &here, Column(column as u8)).is_some_and(|known| known == score)
        });
        assert!(here.winner().is_some() || book.score(&here) != Some(score) || !goes_on);
    }

    /// The positions of the book and their mirror images, and those a ply further, most of which the
    /// book lacks.
    #[test]
    fn an_answer_has_the_score_of_the_position_and_its_moves_keep_it() {
        let book = book::embedded().unwrap();
        let mut prober = Prober::new();
        for (place, (_, key, score)) in book.entries().enumerate().step_by(STRIDE) {
            let position = key.position().unwrap();
            let mirrored = position.mirrored();
            assert_eq!([position, mirrored].map(|here| book.score(&here)), [Some(score); 2]);
            prober.check(book, &position);
            prober.check(book, &mirrored);
            let columns: Vec<u32> = position.legal_columns().collect();
            let next = position.play(columns[place % columns.len()]).unwrap();
            if next.winner().is_none() {
                prober.check(book, &next);
            }
        }
    }

    /// The book has one move, which wins 27 plies later, but not the position: another move wins sooner.
    #[test]
    fn a_slower_win_is_no_answer() {
        let mut prober = Prober::new();
        let moves = [2, 3, 5, 3, 3, 3, 1, 5, 3];
        let start = prober.position;
        let position = moves.iter().fold(start, |here, column| here.play(column - 1).unwrap());
        prober.set_up(&position);
        let columns: Vec<Column> = position.legal_columns().map(|c| Column(c as u8)).collect();
        let book = book::embedded().unwrap();
        let own = book.score(&position);
        let known = columns.iter().filter_map(|&column| move_score(book, &position, column)).max();
        assert!(known.is_some() && known != own, "{known:?} {own:?}");
        assert!(prober.answer(&columns, 1).is_none());
    }
}
