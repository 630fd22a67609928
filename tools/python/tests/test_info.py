"""Parsing of scores, ``info`` lines and options; formatting of limits and games."""

from __future__ import annotations

import unittest

from ratlla import EngineError, GameLike, Info, Option, Score
from ratlla.option import OptionValue
from ratlla.types import format_limits, game_words


class Parsing(unittest.TestCase):
    def test_scores(self) -> None:
        for text, score in [
            ("cp -14", Score("cp", -14)),
            ("win 7", Score("win", 7)),
            ("loss 4", Score("loss", 4)),
            ("draw", Score("draw")),
            ("margin -8", Score("margin", -8)),
        ]:
            self.assertEqual(Score.from_words(text.split()), score)
            self.assertEqual(str(score), text)
            self.assertEqual(score.is_proved, not text.startswith("cp"))

    def test_info(self) -> None:
        for text, info in [
            (
                "info depth 8 seldepth 12 multipv 2 score cp -14 wdl 1 2 997 nodes 2000 nps 4000 "
                "hashfull 3 time 500 pv 4 4 3",
                Info(
                    ["4", "4", "3"], Score("cp", -14), multipv=2, depth=8, seldepth=12, nodes=2000,
                    nps=4000, hashfull=3, time=500, wdl=(1, 2, 997),
                ),
            ),
            (
                "info depth 9 seldepth 9 multipv 1 score draw nodes 5 pv 1",
                Info(["1"], Score("draw"), depth=9, seldepth=9, nodes=5),
            ),
            (
                "info score cp 3 lowerbound nodes 7 pv 2",
                Info(["2"], Score("cp", 3), nodes=7, bound="lower"),
            ),
            ("info nodes 7 nps 1 time 0 pv boom", Info(["boom"], nodes=7, nps=1)),
            # The game is over.
            ("info depth 0 seldepth 0 score loss 0 nodes 0 time 0", Info([], Score("loss"))),
            ("info nodes 5 nps 5 time 9", None),
            ("info", None),
            ("info string the pv is 4", None),
            ("info string the score is 4", None),
        ]:
            self.assertEqual(Info.from_words(text.split()), info)

    def test_limits(self) -> None:
        limits = {
            "depth": 4, "movetime": 0, "nodes": None, "infinite": True, "ponder": False,
            "searchmoves": [3, "boom"],
        }
        self.assertEqual(format_limits(limits), " depth 4 movetime 0 infinite searchmoves 3 boom")
        for name, value, error in [
            ("dept", 4, r"unexpected keyword argument 'dept', did you mean 'depth'\? \(limits"),
            ("multipv", None, r"unexpected keyword argument 'multipv' \(limits: depth, nodes"),
            ("depth", "4", r"depth must be an integer \(got '4'\)"),
            ("depth", 4.0, r"depth must be an integer \(got 4.0\)"),
        ]:
            with self.subTest(name=name), self.assertRaisesRegex(TypeError, error):
                format_limits({name: value})

    def test_games(self) -> None:
        forms: list[GameLike] = [
            "kalah 6 4 empty", ("kalah", 6, 4, "empty"), ["kalah 6", "4 empty"],
        ]
        for game in forms:
            self.assertEqual(game_words(game), ["kalah", "6", "4", "empty"])
        self.assertEqual(game_words("kalah", 6, "4"), ["kalah", "6", "4"])

    def test_options(self) -> None:
        text = "option name Move Overhead type spin default 10 min 0 max 5000"
        spin = Option.from_words(text.split())
        self.assertEqual(spin, Option("Move Overhead", "spin", 10, 0, 5000))
        text = "option name Order type combo default left var left var right"
        combo = Option.from_words(text.split())
        self.assertEqual(combo, Option("Order", "combo", "left", var=["left", "right"]))
        check = Option("OwnBook", "check", True)
        path = Option.from_words("option name WaliTable type string default <empty>".split())
        self.assertEqual(path.default, "")
        button = Option("Clear Hash", "button")
        valid: list[tuple[Option, OptionValue, str]] = [
            (spin, 30, "30"), (combo, "Right", "Right"), (check, False, "false"),
            (path, "", "<empty>"), (path, "a b", "a b"), (button, None, "None"),
        ]
        for option, value, formatted in valid:
            self.assertEqual(option.format(value), formatted)
        invalid: list[tuple[Option, OptionValue]] = [
            (spin, 5001), (spin, True), (spin, "30"), (combo, "up"), (check, 1), (check, "true"),
            (path, None), (button, 1),
        ]
        for option, value in invalid:
            with self.assertRaisesRegex(EngineError, option.name):
                option.format(value)


if __name__ == "__main__":
    unittest.main()
