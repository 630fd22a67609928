"""Parsing of scores and ``info`` lines."""

from __future__ import annotations

import unittest

from ratlla import Info, Score


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
                Info(["4", "4", "3"], Score("cp", -14), multipv=2, depth=8, nodes=2000, time=500),
            ),
            (
                "info depth 9 seldepth 9 multipv 1 score draw nodes 5 pv 1",
                Info(["1"], Score("draw"), depth=9, nodes=5),
            ),
            ("info nodes 7 nps 1 time 0 pv boom", Info(["boom"], nodes=7)),
            ("info nodes 5 nps 5 time 9", None),
            ("info string the pv is 4", None),
        ]:
            self.assertEqual(Info.from_words(text.split()), info)


if __name__ == "__main__":
    unittest.main()
