"""Whole games in Kaggle's ConnectX environment.

Skipped if kaggle_environments, a large package, is not installed; ``$RATLLA_KAGGLE`` requires it.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from ratlla.connectx import make_agent
from ratlla.pack import pack

try:
    with contextlib.redirect_stdout(io.StringIO()):  # Import-time chatter.
        from kaggle_environments import make
except ImportError:
    if "RATLLA_KAGGLE" in os.environ:
        raise
    make = None


@unittest.skipIf(make is None, "kaggle_environments is not installed")
class Kaggle(unittest.TestCase):
    def game(self, first: Any, second: Any, **configuration: int) -> Any:
        assert make is not None
        environment = make("connectx", configuration, debug=True)
        environment.run([first, second])
        for state in environment.state:
            self.assertEqual(state.status, "DONE", environment.toJSON())
        return environment

    def rewards(self, environment: Any) -> Any:
        return [state.reward for state in environment.state]

    def test_beats_the_built_in_agents(self) -> None:
        agent = make_agent(movetime=50)
        self.assertEqual(self.rewards(self.game(agent, "negamax")), [1, -1])
        self.assertEqual(self.rewards(self.game("random", agent)), [-1, 1])

    def test_other_boards(self) -> None:
        agent = make_agent(movetime=30)
        for rows, columns, inarow in [(4, 5, 3), (8, 9, 5), (5, 4, 4), (3, 4, 3), (12, 6, 4)]:
            size: dict[str, int] = {"rows": rows, "columns": columns, "inarow": inarow}
            with self.subTest(**size):
                environment = self.game(agent, "random", **size)
                self.assertGreaterEqual(self.rewards(environment)[0], 0)
                self.assertEqual(len(environment.state[0].observation.board), rows * columns)
                self.game(agent, agent, **size)

    def test_default_movetime_fits_the_time_limit(self) -> None:
        environment = self.game(make_agent(), "random", rows=4, columns=4)
        left = environment.state[0].observation.remainingOverageTime
        self.assertGreater(left, 55)

    def test_a_packed_submission_plays_within_the_time_limit(self) -> None:
        with tempfile.TemporaryDirectory(prefix="ratlla-test-") as folder:
            path = Path(folder, "submission.py")
            path.write_text(pack(), encoding="ascii")
            environment = self.game(str(path), "random", rows=4, columns=4)
            left = environment.state[0].observation.remainingOverageTime
            self.assertGreater(left, 50)
            path.write_text(pack(movetime=50), encoding="ascii")
            self.assertEqual(self.rewards(self.game("negamax", str(path))), [-1, 1])
            self.assertEqual(self.rewards(self.game(str(path), str(path))), [1, -1])


if __name__ == "__main__":
    unittest.main()
