"""Whole games of ConnectX in Kaggle's own environment.

They need its package, which is large: without it they are skipped, unless ``$RATLLA_KAGGLE`` says
that it is there.
"""

import contextlib
import io
import os
import unittest
from typing import Any, Dict

from ratlla.connectx import make_agent

try:
    with contextlib.redirect_stdout(io.StringIO()):  # It tells what else could be installed.
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

    def test_it_beats_the_agents_of_the_environment(self) -> None:
        agent = make_agent(movetime=50)
        self.assertEqual(self.rewards(self.game(agent, "negamax")), [1, -1])
        self.assertEqual(self.rewards(self.game("random", agent)), [-1, 1])

    def test_boards_of_all_kinds(self) -> None:
        agent = make_agent(movetime=30)
        for rows, columns, inarow in [(4, 5, 3), (8, 9, 5), (5, 4, 4), (3, 4, 3), (12, 6, 4)]:
            size: Dict[str, int] = {"rows": rows, "columns": columns, "inarow": inarow}
            with self.subTest(**size):
                environment = self.game(agent, "random", **size)
                self.assertGreaterEqual(self.rewards(environment)[0], 0)
                self.assertEqual(len(environment.state[0].observation.board), rows * columns)
                self.game(agent, agent, **size)

    def test_the_usual_time_is_kept(self) -> None:
        environment = self.game(make_agent(), "random", rows=4, columns=4)
        left = environment.state[0].observation.remainingOverageTime
        self.assertGreater(left, 55)


if __name__ == "__main__":
    unittest.main()
