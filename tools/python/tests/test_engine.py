"""The package with the real engine, which ``$RATLLA`` names."""

import os
import signal
import threading
import unittest
from typing import List

from ratlla import Engine, EngineError, EngineGone, Score


class RealEngine(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def test_a_game_to_its_end(self) -> None:
        with Engine() as engine:
            engine.new_game("connect4", 4, 5)
            played: List[str] = []
            while engine.result() == "none":
                self.assertEqual(engine.side(), "p2" if len(played) % 2 else "p1")
                move = engine.play(depth=4)
                assert move is not None
                played.append(move)
            self.assertIsNone(engine.play(depth=4))
            self.assertEqual(engine.moves(), [])
            result = engine.result()
            engine.set_position(moves=played)
            self.assertEqual(engine.result(), result)

    def test_kalah_with_its_extra_turns(self) -> None:
        self.engine.new_game("kalah", 3, 2)
        self.engine.make_move("2")
        self.assertEqual(self.engine.side(), "p1")
        self.assertEqual(self.engine.solve().score, Score("margin", 4))

    def test_the_exact_truth(self) -> None:
        self.engine.set_position(moves=list("4444443265555532333226762352666"))
        analysis = self.engine.solve()
        self.assertEqual(analysis.score, Score("loss", 10))
        self.assertIn(analysis.best, self.engine.moves())
        scores = self.engine.scores()
        self.assertEqual(list(scores), self.engine.moves())
        self.assertTrue(all(score.is_proved for score in scores.values()))
        assert analysis.best is not None
        self.assertEqual(scores[analysis.best], Score("loss", 10))

    def test_moves_as_a_text(self) -> None:
        self.engine.new_game("connect4", 8, 12)
        for moves in ("11 1", "11,1", ["11", "1"], [11, 1]):
            self.engine.set_position(moves=moves)
            self.assertEqual(self.engine.side(), "p1", moves)
        self.engine.set_position(moves="111")
        self.assertEqual(self.engine.side(), "p2")
        self.engine.make_move(12)
        self.engine.new_game("wali")
        self.engine.set_position(moves="a1 c3")
        self.assertEqual(self.engine.side(), "p1")

    def test_what_breaks_a_search_off_ends_it(self) -> None:
        # Whoever runs the tests in the background lets them ignore Ctrl-C.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.engine.new_game("connect4", 8, 8)
        for question in (lambda: self.engine.analyse(movetime=600_000), self.engine.scores):
            timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                question()
            timer.join()
        with self.assertRaisesRegex(EngineError, "no game"):
            self.engine.new_game("nonsense")
        self.engine.new_game("kalah", 3, 2)
        self.engine.make_move("2")
        self.assertEqual(self.engine.solve().score, Score("margin", 4))

    def test_exact_scores_need_a_solver(self) -> None:
        self.engine.new_game("wali")
        with self.assertRaisesRegex(EngineError, "no solver"):
            self.engine.scores()
        self.assertEqual(list(self.engine.scores(depth=1)), self.engine.moves())

    def test_several_lines(self) -> None:
        self.engine.set_option("MultiPV", 3)
        self.engine.set_option("OwnBook", False)
        analysis = self.engine.analyse(depth=6)
        self.assertEqual(len(analysis.lines), 3)
        self.assertEqual(analysis.lines[0].moves[0], analysis.best)
        self.assertEqual(analysis.lines[0].depth, 6)

    def test_what_is_refused_changes_nothing(self) -> None:
        self.engine.set_position(moves=["4"])
        with self.assertRaisesRegex(EngineError, "move 2, '9': column 9 does not exist"):
            self.engine.set_position(moves=["1", "9"])
        with self.assertRaisesRegex(EngineError, "no option is called"):
            self.engine.set_option("Speed", 9)
        with self.assertRaisesRegex(EngineError, "no solver"):
            self.engine.new_game("connect4", 25, 25)
            self.engine.solve()
        self.engine.new_game("connect4")
        self.engine.make_move("4")
        self.assertEqual(self.engine.side(), "p2")
        with self.assertRaises(ValueError):
            self.engine.analyse()
        with self.assertRaises(ValueError):
            self.engine.make_move("4\nquit")

    def test_an_engine_that_has_gone_says_so(self) -> None:
        self.engine.close()
        self.engine.close()
        with self.assertRaises(EngineGone):
            self.engine.moves()
        with self.assertRaises(FileNotFoundError):
            Engine("/nowhere/ratlla")


if __name__ == "__main__":
    unittest.main()
