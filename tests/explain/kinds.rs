//! A position for each kind of reason.

use super::support::engine::Engine;

/// The game, the words after `position`, a move, and what its `reason` line must contain.
const EXPECTED: &[(&str, &str, &str, &str)] = &[
    (
        "connect4",
        "moves 1 2 1 2 1 2",
        "1",
        "win 1 line cells a4 a3 a2 a1 Wins at once by completing the line a4, a3, a2 and a1.",
    ),
    (
        "connect4 4 5 3",
        "grid ...../.XX../XOO../XOO.. p1",
        "1",
        "win 1 line cells a3 b3 c3 a2 a1 Wins at once by completing more than one line: a3, b3, c3, \
         a2 and a1.",
    ),
    (
        "connect4 4 4",
        "grid XO.O/XOXX/OXOO/XOXO p1",
        "3",
        "draw ends Ends the game in a draw (board full).",
    ),
    (
        "connect4",
        "grid ......./......./......./......./OOO..../XOX.X.. p1",
        "4",
        "loss 2 above cells d2 Lets the opponent play d2, the cell above, and complete a line.",
    ),
    (
        "connect4",
        "moves 4 1 4 1 4",
        "3",
        "loss 2 allows cells d4 d3 d2 d1 Lets the opponent win at once with 4, completing the \
         line d4, d3, d2 and d1. Every move loses.",
    ),
    (
        "connect4",
        "moves 4 1 4 1 4",
        "4",
        "loss 16 block cells d4 Stops the opponent from completing a line at d4.",
    ),
    (
        "connect4",
        "moves 4 4 3 3",
        "2",
        "win 3 fork cells a1 e1 Makes two threats at once, at a1 and e1: the opponent can stop only \
         one. You can win within your next 2 moves.",
    ),
    ("connect4", "moves 4 4 3 3", "6", "Threatens to complete a line at e1."),
    (
        "kalah 3 2",
        "startpos",
        "2",
        "margin 4 again The last seed lands in your store, so you move again. Every other move gives \
         away the win. If both sides play their best, you win by 4.",
    ),
    (
        "kalah 3 2",
        "startpos",
        "3",
        "margin 0 spoils Gives away the win: 2 keeps it. If both sides play their best, the game is a draw.",
    ),
    (
        "kalah 3 2",
        "startpos",
        "1",
        "margin -8 spoils Turns a win into a loss: 2 still wins. If both sides play their best, you lose by 8.",
    ),
    (
        "kalah 3 2",
        "moves 2 3",
        "2",
        "margin -4 saves cells p2-1 Stops the opponent from capturing 3 seeds from your house 1. Every \
         move loses. If both sides play their best, you lose by 4.",
    ),
    (
        "kalah",
        "moves 3 6",
        "5",
        "margin -10 loses Every move loses. If both sides play their best, you lose by 10.",
    ),
    (
        "kalah",
        "moves 1",
        "6",
        "stores Adds 1 seed to your store. The result is not proved, but a search",
    ),
    (
        "connect4 4 4",
        "startpos",
        "2",
        "draw draws If both sides play their best, the game is a draw.",
    ),
    (
        "connect4 8 8",
        "moves 4 5 4 5",
        "1",
        "lines cells a1 At a1 it is part of 3 lines still open to you and blocks 2 of the opponent's. \
         The result is not proved, but a search",
    ),
    (
        "kalah 3 2",
        "pits 1 0 3 1 / 3 2 2 0 p1",
        "1",
        "margin -2 captures cells p2-2 Captures 2 seeds from the opponent's house 2.",
    ),
    ("kalah 3 2", "pits 1 0 3 1 / 3 2 2 0 p1", "3", "margin 6 only Every other move loses."),
    (
        "kalah",
        "moves 3 6",
        "3",
        "Lets the opponent capture 5 seeds from your house 1 by playing house 2.",
    ),
    // Sown round the board, the last seed but some is captured with the others.
    ("kalah 4 3 empty", "moves 3 2 1 3", "3", "Lets the opponent capture 6 seeds from your house"),
    ("connect4", "startpos", "4", "win 41 keeps Every other move gives away the win. You can win"),
    ("connect4", "moves 2 4 5 2 4 2 2 5 5 4", "3", "zugzwang"),
    (
        "wali",
        "cells ....../.1..../1.11../....../2...22 p1 move",
        "a3b3xe1",
        "three cells b3 c3 d3 e1 Makes three in a row, b3, c3 and d3, and captures the stone at e1.",
    ),
    (
        "wali",
        "cells ....../.1..../1.11../....../2...22 p2 move",
        "a1a2",
        "The opponent can still make three in a row with a step to b3.",
    ),
    (
        "wali",
        "cells ....../.1..../1.11../.2..../....22 p2 move",
        "b2b3",
        "blocks cells b3 Stops the opponent from making three in a row with a step to b3.",
    ),
    (
        "wali",
        "cells ....../.1..../1211../....../....22 p2 move",
        "b3b2",
        "opens cells b3 Lets the opponent make three in a row with a step to b3.",
    ),
    (
        "wali",
        "cells ....../.1..../1.11../....../2...22 p1 move",
        "d3d4",
        "prepares cells c4 Prepares to make three in a row with a step to c4.",
    ),
    ("wali", "startpos", "a1", "room Leaves you 27 places to drop a stone and the opponent 29."),
    (
        "boom",
        "moves 2 3 4 7 2 6 1 5 7 2 2 4",
        "3",
        "loss 3 allows cells b3 b4 b5 b6 Lets the opponent win at once with 2, then 2, completing the \
         line b3, b4, b5 and b6.",
    ),
    ("boom", "moves 1 3 7 2 5 4 5 1 6 7 1 6 7 2", "boom", "bomb cells a2 f2 The explosion removes"),
];

/// Among some moves only, the best one may give something away too.
#[test]
fn what_a_move_gives_away_is_not_told_of_some_moves() {
    let mut engine = Engine::start();
    engine.command("newgame kalah 3 2");
    for (moves, expected) in [("", true), (" searchmoves 1 3", false)] {
        engine.send(&format!("explain nodes 100000{moves}"));
        let lines = engine.wait_for("bestmove");
        let told = lines.iter().any(|line| line.contains(" spoils "));
        assert_eq!(told, expected, "{lines:#?}");
    }
    engine.quit();
}

#[test]
fn every_kind_has_its_position() {
    let mut engine = Engine::start();
    let mut missing = Vec::new();
    for (game, position, mv, expected) in EXPECTED {
        engine.command(&format!("newgame {game}"));
        engine.command(&format!("position {position}"));
        engine.send("explain nodes 100000");
        let lines = engine.wait_for("bestmove");
        let start = format!("reason {mv} ");
        let line = lines.iter().find(|line| line.starts_with(&start));
        if !line.is_some_and(|line| line.contains(expected)) {
            missing.push((game, position, expected, line.cloned()));
        }
    }
    engine.quit();
    assert!(missing.is_empty(), "{missing:#?}");
}
