"""Lines of the engine become values."""

import unittest

from ratlla import Line, Score


class Answers(unittest.TestCase):
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

    def test_lines(self) -> None:
        text = (
            "info depth 8 seldepth 12 multipv 2 score cp -14 wdl 1 2 997 nodes 2000 nps 4000 "
            "hashfull 3 time 500 pv 4 4 3"
        )
        line = Line(["4", "4", "3"], Score("cp", -14), depth=8, nodes=2000, time=500)
        self.assertEqual(Line.from_info(text), line)
        drawn = Line.from_info("info depth 9 seldepth 9 multipv 1 score draw nodes 5 pv 1")
        assert drawn is not None
        self.assertEqual((drawn.score, drawn.nodes), (Score("draw"), 5))
        random = Line.from_info("info nodes 7 nps 1 time 0 pv boom")
        self.assertEqual(random, Line(["boom"], None, nodes=7))
        for other in ["info nodes 5 nps 5 time 9", "info string the pv is 4"]:
            self.assertIsNone(Line.from_info(other))


if __name__ == "__main__":
    unittest.main()
