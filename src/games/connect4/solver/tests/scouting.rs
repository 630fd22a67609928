//! The closer look at nodes far from the end decides nothing wrongly and changes no score.

use std::ops::ControlFlow::{Break, Continue};

use super::super::closer_look::Scout;
use super::super::cpu::{Baseline, CpuTask};
use super::super::geometry::{BoardGeometry, BoardLayout, Measured};
use super::super::node::{Node, Playout};
use super::super::search::NullWindowSearch;
use super::plain::{ANY_SCORE, Truth};
use super::*;
use crate::limits::NodeCounter;
use crate::platform::memory::Pages;

/// A scouted position that counts as decided is, with this score on this side of `alpha`.
#[test]
fn what_scouting_decides_is_true() {
    let mut random = Xorshift(21);
    let mut decided = [0; 2];
    for round in 0..6_000 {
        let (rows, columns) = SIZES[round % SIZES.len()];
        let position = random_position(&mut random, rows, columns, 9, round % 2 == 0);
        let geometry = Measured::<u64, 4>::new(BoardLayout::new(rows, columns, 4));
        let (mover, other): (u64, u64) = position.stones();
        let node = Node::new(&geometry.layout(), mover, other);
        if node.mover_threats & geometry.layout().playable(node.occupied()) != 0 {
            continue;
        }
        let Playout::Quiet(node, _) = node.play_forced(&geometry.layout()) else { continue };
        let quiet = Position::new(rows, columns)
            .and_then(|empty| empty.with_stones(node.mover.into(), node.other.into()))
            .expect("a node is a position");
        let bits = geometry.layout().key_bits();
        let mut table = ScoreTable::new::<u64>(1 << 16, bits, Pages::Default).expect("memory");
        table.reset::<u64>(bits);
        let counter = NodeCounter::within(SolverLimits::default());
        let search = NullWindowSearch::new(geometry, Baseline, &table, counter, None);
        for alpha in -3..=3 {
            match (Scout { search: &search, node: &node, alpha }).run() {
                Break(score) if score > alpha => {
                    decided[0] += 1;
                    let bounds = Bounds { lower: score, upper: ANY_SCORE };
                    assert!(Truth::of(&quiet).is_within(bounds), "{quiet:?} {alpha}");
                }
                Break(score) => {
                    decided[1] += 1;
                    let bounds = Bounds { lower: -ANY_SCORE, upper: score };
                    assert!(Truth::of(&quiet).is_within(bounds), "{quiet:?} {alpha}");
                }
                Continue(left) => assert!((1..=columns as usize).contains(&left)),
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 1_000), "{decided:?}");
}

/// The score of a position is the best of its moves', each solved by itself and in a mirror.
#[test]
fn scores_far_from_the_end_agree_with_those_of_the_moves() {
    let mut random = Xorshift(22);
    let (mut whole, mut parts) = (solver(), solver());
    for (rows, columns, least) in [(6, 7, 24), (5, 8, 24), (7, 6, 24), (5, 6, 22), (4, 8, 22)] {
        let mut checked = 0;
        while checked < 12 {
            let position = random_position(&mut random, rows, columns, least + 4, true);
            if position.empties() < least {
                continue;
            }
            checked += 1;
            let score = score_of(&mut whole, &position);
            let of_moves =
                moves(&position).map(|(_, next)| -score_of(&mut parts, &next.mirrored()));
            assert_eq!(Some(score), of_moves.max(), "{position:?}");
        }
    }
}
