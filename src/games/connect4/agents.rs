//! The players of two older programs, as opponents and for comparison.

use super::board::{Board, Column};
use crate::game::{Game, Side};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
use crate::settings::{MoveOrder, Settings};
use crate::strategy::{Minimax, Resources, Strategy, pick};

/// Wins if it can, else blocks if it must, else extends its longest run. Ties are broken at random.
pub struct Greedy;

impl Strategy<Board> for Greedy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        _resources: &mut Resources<'_, Board>,
        _report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        let board = request.game;
        let me = board.side_to_move();
        let urgent = urgent_moves(board, request.moves);
        let choices = if urgent.is_empty() {
            let length = |&Column(column): &Column| {
                board.longest_line(board.landing_cell(usize::from(column)), me)
            };
            let longest = request.moves.iter().map(length).max();
            request.moves.iter().copied().filter(|mv| Some(length(mv)) == longest).collect()
        } else {
            urgent
        };
        pick(request, &choices)
    }
}

/// Plain minimax over the moves that win or block like [`Greedy`]; if there are none, over those
/// after which the opponent cannot win at once.
pub struct Smart;

impl Strategy<Board> for Smart {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        resources: &mut Resources<'_, Board>,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        let safe = || -> Vec<Column> {
            request.moves.iter().copied().filter(|&mv| is_safe(request.game, mv)).collect()
        };
        let urgent = urgent_moves(request.game, request.moves);
        let good = if urgent.is_empty() { safe() } else { urgent };
        let moves = if good.is_empty() { request.moves } else { &good };
        let settings = Settings {
            evaluation: Some("pairs".to_owned()),
            order: MoveOrder::Centre,
            ..request.settings.clone()
        };
        Minimax::new(&settings, true).choose(
            &SearchRequest { moves, ..*request },
            resources,
            report,
        )
    }
}

/// The moves that win at once, or if none do, those that block an immediate win.
fn urgent_moves(board: &Board, moves: &[Column]) -> Vec<Column> {
    let completing = |side| -> Vec<Column> {
        moves.iter().copied().filter(|&mv| completes_line(board, mv, side)).collect()
    };
    let wins = completing(board.side_to_move());
    if wins.is_empty() { completing(!board.side_to_move()) } else { wins }
}

fn completes_line(board: &Board, Column(column): Column, side: Side) -> bool {
    let cell = board.landing_cell(usize::from(column));
    board.longest_line(cell, side) >= board.size().line
}

/// Whether the opponent cannot win at once after `mv`.
fn is_safe(board: &Board, mv: Column) -> bool {
    let mut after = board.clone();
    after.play(mv);
    let mut replies = Vec::new();
    after.legal_moves(&mut replies);
    !replies.iter().any(|&reply| completes_line(&after, reply, after.side_to_move()))
}
