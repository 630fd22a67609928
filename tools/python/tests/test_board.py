"""Boards, batches of positions and reviews of games."""

from __future__ import annotations

import unittest
from collections.abc import Iterator

from ratlla import Board, Engine, EngineError, GameLike, Score, review, solve
from ratlla.batch import PositionLike

#: One game in several forms.
KALAH: list[GameLike] = ["kalah 3 2", ("kalah", 3, 2)]


class Boards(unittest.TestCase):
    def test_a_game(self) -> None:
        board = Board("connect4", 4, 5, 3)
        self.assertEqual(board.legal_moves, ["1", "2", "3", "4", "5"])
        for move in (1, 2, "1", "2"):
            board.push(move)
        before = board.copy()
        self.assertEqual((board.side, board.is_over), ("p1", False))
        with self.assertRaisesRegex(EngineError, "column 6 does not exist"):
            board.push(6)
        for several_or_none in ("3 3", "", " ", "3,3"):
            with self.assertRaises(EngineError):
                board.push(several_or_none)
        self.assertEqual(board, before)
        board.push(1)
        self.assertNotEqual(board, before)
        self.assertEqual((board.result, board.is_over, board.legal_moves), ("p1win", True, []))
        assert board.state["ending"] is not None
        self.assertEqual(board.state["ending"]["reason"], "line")
        self.assertEqual(str(board).splitlines()[1:], [" X - - - -", " X O - - -", " X O - - -",
                                                      " 1 2 3 4 5"])
        self.assertEqual(board.pop(), "1")
        self.assertEqual(board, before)
        self.assertEqual(board.history, ["1", "2", "1", "2"])
        self.assertEqual([board.pop() for _ in range(4)], ["2", "1", "2", "1"])
        with self.assertRaises(IndexError):
            board.pop()

    def test_a_key_identifies_the_position(self) -> None:
        board, transposed = Board(moves="413"), Board(moves="314")
        seen = {board.key}
        self.assertIn(transposed.key, seen)
        transposed.push(1)
        self.assertNotIn(transposed.key, seen)
        self.assertNotIn(Board("connect4", 6, 7, 5, moves="413").key, seen)
        with self.assertRaises(TypeError):
            hash(board)

    def test_boards_of_different_games_do_not_disturb_each_other(self) -> None:
        kalah, wali = Board("kalah", 3, 2), Board("wali", moves="a1 c3")
        kalah.push(2)
        wali.push("e5")
        self.assertEqual((kalah.side, wali.side), ("p1", "p2"))
        set_up = Board("kalah", 3, 2, position=kalah.position)
        self.assertEqual(set_up, kalah)
        for game in KALAH:
            self.assertEqual(Board(game, moves="2"), kalah)
        self.assertIn("pits 2 0 3 1", repr(set_up))
        with self.assertRaisesRegex(EngineError, "rows and columns"):
            Board("connect4", 3, 3)

    def test_an_engine_searches_a_board(self) -> None:
        board = Board("kalah", 3, 2, moves="2")
        with Engine() as engine:
            board.set_up(engine)
            self.assertEqual(engine.solve().score, Score("margin", 4))
            board.push(3)
            board.set_up(engine)
            self.assertEqual(engine.state(), board.state)


class Batches(unittest.TestCase):
    def test_answers_are_in_order(self) -> None:
        positions: list[PositionLike] = [
            "44444437632223", [1, 2, 1, 2, 1, 2], "1111111",
            {"id": "five", "rows": 5, "cols": 5, "line": 3, "moves": ""},
        ]
        first, second, third, fourth = solve(positions)
        self.assertEqual((first.moves, first.score, first.rows), ("44444437632223", 14, 6))
        self.assertEqual(second.score, 18)
        self.assertEqual((third.score, third.error), (None, "move 7, '1': column 1 is full"))
        self.assertEqual((fourth.score, fourth.line, fourth.id), (9, 3, "five"))
        (kalah,) = solve([{"game": "kalah 3 2", "moves": "2"}])
        self.assertEqual((kalah.score, kalah.game, kalah.error), (4, "kalah 3 2", None))
        (analyzed,) = solve(["121212"], analyze=True)
        self.assertEqual(analyzed.scores, [18, -3, -18, -18, -18, -18, -18])

    def test_best_moves_games_and_limits(self) -> None:
        (solved,) = solve(["7422341735647741166133573473242566"], best=True, pv=True)
        self.assertEqual((solved.score, solved.best), (1, "2"))
        self.assertEqual(solved.pv, ["2", "2", "6", "1", "1", "5", "5"])
        (over,) = solve(["1212121"], best=True, pv=True)
        self.assertEqual((over.score, over.best, over.pv), (-18, None, []))
        lines = ["-", "", "2 # a comment", "pits 2 0 3 1 / 2 2 2 0 p1", '{"id": 5, "moves": "2"}']
        answers = list(solve(lines, game="kalah 3 2", jobs=2))
        self.assertEqual([answer.score for answer in answers], [4] * 5)
        self.assertEqual((answers[2].moves, answers[4].id), ("2", 5))
        self.assertEqual((answers[3].position, answers[3].moves), (lines[3], ""))
        for game in KALAH:
            (kalah,) = solve(["2"], game=game)
            self.assertEqual((kalah.score, kalah.game), (4, "kalah 3 2"))
        (unsolved,) = solve([[]], rows=10, cols=10, nodes=1000, movetime=60_000, best=True, pv=True)
        self.assertEqual((unsolved.score, unsolved.best, unsolved.pv), ("?", "?", "?"))
        with self.assertRaisesRegex(EngineError, "ratlla solve: .*chess"):
            list(solve(["4"], game="chess"))

    def test_answers_come_while_positions_are_produced(self) -> None:
        asked: list[str] = []

        def positions() -> Iterator[str]:
            while True:
                asked.append("44444437632223")
                yield asked[-1]

        answers = solve(positions(), hash=1)
        self.assertEqual([next(answers).score for _ in range(3)], [14] * 3)
        answers.close()  # type: ignore[attr-defined]

    def test_errors(self) -> None:
        with self.assertRaisesRegex(EngineError, "ratlla solve: .*3"):
            list(solve(["4"], rows=3))

        def failing() -> Iterator[str]:
            yield "44444437632223"
            raise KeyError("the source of the positions")

        with self.assertRaises(KeyError):
            list(solve(failing()))
        self.assertEqual(list(solve([])), [])

    def test_review(self) -> None:
        game = review("2 1 3", "kalah", 3, 2)
        self.assertEqual((game.game, game.result), ("kalah 3 2", "none"))
        self.assertEqual([move.mark for move in game.moves], ["!", "?", "!"])
        mistake = game.moves[1]
        self.assertEqual((mistake.before, mistake.after), (Score("margin", 4), Score("margin", 0)))
        self.assertTrue(mistake.reason.startswith("Gives away the win"), mistake)
        for name in KALAH:
            self.assertEqual(review("2 1 3", game=name), game)
        with self.assertRaisesRegex(EngineError, "column 9"):
            review([4, 9])


if __name__ == "__main__":
    unittest.main()
