"""The package with the real engine, given by ``$RATLLA``."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args

from ratlla import Engine, EngineError, EngineTerminatedError, GameName, Score, Strategy
from ratlla.option import OptionValue

#: With a folder of installed packages before all others.
PRINT_VERSION = """
import sys
sys.path.insert(0, sys.argv[1])
import ratlla
print(ratlla.__version__)
"""


class RealEngine(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def test_plays_a_game_to_the_end(self) -> None:
        with Engine() as engine:
            engine.new_game("connect4", 4, 5)
            played: list[str] = []
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

    def test_the_score_of_a_finished_game_is_its_result(self) -> None:
        boom = "4 1 1 4 4 2 2 4"  # Player 1 completes a line with the first of two moves.
        for game, moves, score in [
            ("connect4", "1212121", Score("loss")), ("kalah 1 1", "1", Score("draw")),
            ("boom", boom, Score("win")),
        ]:
            with self.subTest(game=game):
                self.engine.new_game(game)
                self.engine.set_position(moves=moves)
                for strategy in self.engine.options()["Strategy"].var:
                    self.engine.set_option("Strategy", strategy)
                    analysis = self.engine.analyse(depth=1)
                    self.assertEqual((analysis.best, analysis.score), (None, score), strategy)
                    self.assertEqual(analysis.pv, [])
                self.assertEqual(self.engine.solve().score, score)

    def test_kalah_extra_turns(self) -> None:
        self.engine.new_game("kalah", 3, 2)
        self.engine.make_move("2")
        self.assertEqual(self.engine.side(), "p1")
        self.assertEqual(self.engine.solve().score, Score("margin", 4))

    def test_state(self) -> None:
        self.engine.new_game("kalah", 3, 2)
        self.engine.make_move("2")
        state = self.engine.state()
        self.assertEqual(state["parameters"], {"houses": 3, "seeds": 2, "empty": False})
        self.assertEqual(state["board"]["rows"], [[2, 2, 2], [2, 0, 3]])
        self.assertEqual([move["move"] for move in state["moves"]], self.engine.moves())
        assert state["last"] is not None
        self.assertTrue(state["last"]["again"])
        self.assertEqual("\n".join(state["drawing"]).count("0"), 2)

    def test_option(self) -> None:
        self.engine.set_option("MultiPV", 3)
        self.assertEqual(self.engine.option("multipv"), 3)
        self.assertIs(self.engine.option("OwnBook"), True)
        self.assertEqual(self.engine.option("WaliTable"), "")
        self.assertEqual(self.engine.option("Game"), "connect4 6 7 4")
        with self.assertRaisesRegex(EngineError, "unknown option"):
            self.engine.option("Speed")
        invalid: list[tuple[str, OptionValue]] = [
            ("Threads", 0), ("Threads", "2"), ("OwnBook", 1), ("Hash", None),
        ]
        for name, value in invalid:
            with self.subTest(name=name, value=value), self.assertRaisesRegex(EngineError, name):
                self.engine.set_option(name, value)
        self.assertEqual(self.engine.option("Threads"), 1)
        self.engine.set_option("Clear Hash")
        with Engine(options={"Hash": 1, "Strategy": "minimax"}) as engine:
            self.assertEqual((engine.option("Hash"), engine.option("Strategy")), (1, "minimax"))
        with self.assertRaises(EngineError):
            Engine(options={"Hash": 0})

    def test_the_engine_has_all_named_games_and_strategies(self) -> None:
        strategies: set[str] = set()
        for game in get_args(GameName):
            self.engine.new_game(game)
            strategies.update(self.engine.options()["Strategy"].var)
        self.assertEqual(strategies, set(get_args(Strategy)))

    def test_the_opponents_turn_may_have_two_moves(self) -> None:
        self.engine.new_game("boom")
        analysis = self.engine.analyse(depth=8)
        self.assertEqual(analysis.multipv[0].pv[1:3], analysis.ponder)
        self.engine.set_position(moves="1")
        self.assertEqual(self.engine.analyse(depth=8).ponder, [])

    def test_exact_scores(self) -> None:
        self.engine.set_position(moves=list("4444443265555532333226762352666"))
        analysis = self.engine.solve()
        self.assertEqual(analysis.score, Score("loss", 10))
        self.assertIn(analysis.best, self.engine.moves())
        scores = self.engine.scores()
        self.assertEqual(list(scores), self.engine.moves())
        self.assertTrue(all(score.is_proved for score in scores.values()))
        assert analysis.best is not None
        self.assertEqual(scores[analysis.best], Score("loss", 10))

    def test_moves_as_a_string(self) -> None:
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

    def test_ctrl_c_stops_the_search(self) -> None:
        # Background jobs of a shell ignore SIGINT.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.engine.new_game("connect4", 8, 8)
        for search in (lambda: self.engine.analyse(movetime=600_000), self.engine.scores):
            timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                search()
            timer.join()
        with self.assertRaisesRegex(EngineError, "'nonsense'"):
            self.engine.new_game("nonsense")
        self.engine.new_game("kalah", 3, 2)
        self.engine.make_move("2")
        self.assertEqual(self.engine.solve().score, Score("margin", 4))

    def test_unlimited_scores_need_a_solver(self) -> None:
        self.engine.new_game("wali")
        with self.assertRaisesRegex(EngineError, "solver"):
            self.engine.scores()
        self.assertEqual(list(self.engine.scores(depth=1)), self.engine.moves())

    def test_multipv(self) -> None:
        self.engine.set_option("MultiPV", 3)
        self.engine.set_option("OwnBook", False)
        analysis = self.engine.analyse(depth=6)
        self.assertEqual([info.multipv for info in analysis.multipv], [1, 2, 3])
        self.assertEqual(analysis.multipv[0].pv[0], analysis.best)
        self.assertEqual(analysis.multipv[0].depth, 6)
        self.assertEqual(len(self.engine.analyse(depth=6, multipv=2).multipv), 2)
        self.assertEqual(self.engine.option("MultiPV"), 3)

    def test_clocks_and_searchmoves(self) -> None:
        best = self.engine.analyse(p1time=2000, p2time=2000, p1inc=10, movestogo=20).best
        self.assertIn(best, self.engine.moves())
        self.assertIn(self.engine.play(depth=6, searchmoves=[2, "6"]), ("2", "6"))
        with self.assertRaisesRegex(EngineError, "column 9"):
            self.engine.analyse(depth=6, searchmoves=[9])
        self.assertEqual(len(self.engine.state()["history"]), 1)
        self.engine.undo()
        self.assertEqual(self.engine.state()["history"], [])

    def test_explanations(self) -> None:
        self.engine.set_position(moves="4433")
        (fork, other) = self.engine.explain(nodes=100_000, searchmoves=[5, 4])
        self.assertEqual((fork.move, fork.kind, fork.cells), ("5", "fork", ["b1", "f1"]))
        self.assertEqual((fork.score, other.cells), (Score("win", 3), []))
        self.assertTrue(fork.text.startswith("Makes two threats"), fork)
        self.engine.set_position(moves="121212")
        refutation = self.engine.why_not(3)
        self.assertEqual(refutation.score, Score("loss", 2))
        self.assertEqual(refutation.best_score, Score("win", 1))
        self.assertEqual((refutation.best, refutation.line), ("1", ["3", "2"]))
        self.assertTrue(refutation.text.startswith("Turns a win into a loss."), refutation)
        with self.assertRaisesRegex(EngineError, "column 9"):
            self.engine.why_not(9)

    def test_rejected_commands_change_nothing(self) -> None:
        self.engine.set_position(moves=["4"])
        with self.assertRaisesRegex(EngineError, "move 2, '9': column 9 does not exist"):
            self.engine.set_position(moves=["1", "9"])
        with self.assertRaisesRegex(EngineError, "'Speed'"):
            self.engine.set_option("Speed", 9)
        with self.assertRaisesRegex(EngineError, "solver"):
            self.engine.new_game("connect4", 25, 25)
            self.engine.solve()
        self.engine.new_game("connect4")
        self.engine.make_move("4")
        self.assertEqual(self.engine.side(), "p2")
        no_end, endless = "no limit ends the search: give one of depth, mate", "wait for stop()"
        wrong: list[tuple[dict[str, Any], str]] = [
            ({}, no_end), ({"movestogo": 3}, no_end), ({"depth": None}, no_end),
            ({"infinite": True, "depth": 3}, endless), ({"ponder": True, "depth": 3}, endless),
        ]
        searches: list[Callable[..., object]] = [self.engine.analyse, self.engine.play]
        for limits, error in wrong:
            for search in searches:
                with self.assertRaisesRegex(ValueError, re.escape(error)):
                    search(**limits)
        self.assertIsNotNone(self.engine.analyse(depth=1, infinite=False).best)
        with self.assertRaises(ValueError):
            self.engine.make_move("4\nquit")

    def test_unknown_limits_are_named(self) -> None:
        engine = self.engine
        searches: list[Callable[..., object]] = [
            engine.analysis, engine.analyse, engine.play, engine.solve, engine.scores,
            engine.explain, partial(engine.why_not, 1),
        ]
        for search in searches:
            for depth in (None, 3):
                with self.assertRaisesRegex(TypeError, "'movetim', did you mean 'movetime'"):
                    search(movetim=3, depth=depth)
        self.assertEqual(engine.state()["history"], [])

    def test_a_closed_engine_raises(self) -> None:
        self.engine.close()
        self.engine.close()
        with self.assertRaises(EngineTerminatedError):
            self.engine.moves()
        with self.assertRaises(FileNotFoundError):
            Engine("/nowhere/ratlla")

    def test_the_version_is_that_of_the_installed_package(self) -> None:
        with tempfile.TemporaryDirectory(prefix="ratlla-test-") as folder:
            installed = Path(folder, "ratlla-9.8.7.dist-info")
            installed.mkdir()
            (installed / "METADATA").write_text("Name: ratlla\nVersion: 9.8.7\n")
            command = [sys.executable, "-c", PRINT_VERSION, folder]
            output = subprocess.run(command, capture_output=True, check=True)
        self.assertEqual(output.stdout.strip(), b"9.8.7")


if __name__ == "__main__":
    unittest.main()
