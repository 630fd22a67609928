"""An agent for ConnectX, the Connect Four of Kaggle, on boards of any size.

>>> from kaggle_environments import make
>>> from ratlla.connectx import agent
>>> make("connectx").run([agent, "negamax"])
"""

from __future__ import annotations

import atexit
from pathlib import Path
from typing import Any, Callable, List, Optional, Tuple, Union

from .engine import Engine
from .small import SmallBoard

#: The part of the time of a move that is used for thinking.
_SHARE = 0.75

Agent = Callable[[Any, Any], int]


def make_agent(
    program: Union[str, Path, None] = None, movetime: Optional[int] = None
) -> Agent:
    """An agent that asks the engine ``program``, ``movetime`` milliseconds for each move.

    Without ``movetime`` it takes three quarters of what the environment allows. The engine is
    started with the first move and ends with Python.
    """
    player = _Player(program, movetime)

    def agent(observation: Any, configuration: Any) -> int:
        return player.move(observation, configuration)

    return agent


class _Player:
    def __init__(self, program: Union[str, Path, None], movetime: Optional[int]) -> None:
        self.program = program
        self.movetime = movetime
        self.engine: Optional[Engine] = None
        self.size: Optional[Tuple[int, int, int]] = None

    def move(self, observation: Any, configuration: Any) -> int:
        """The column to play, counted from 0."""
        rows, columns = int(configuration["rows"]), int(configuration["columns"])
        line = int(configuration["inarow"])
        cells = [int(cell) for cell in observation["board"]]
        mark = int(observation["mark"])
        milliseconds = self.movetime or int(1000 * _SHARE * float(configuration["actTimeout"]))
        fits = 4 <= rows <= 25 and 4 <= columns <= 25 and 2 <= line <= max(rows, columns)
        if not fits:
            return SmallBoard(cells, mark, rows, columns, line).best_move(milliseconds / 1000)
        engine = self._engine((rows, columns, line))
        engine.set_position(grid(cells, columns, mark))
        best = engine.analyse(movetime=milliseconds).best
        if best is None:
            raise ValueError("there is no move: the game is over")
        return int(best) - 1

    def _engine(self, size: Tuple[int, int, int]) -> Engine:
        if self.engine is None:
            self.engine = Engine(self.program)
            atexit.register(self.engine.close)
        if self.size != size:
            self.engine.new_game("connect4", *size)
            self.size = size
        return self.engine


def grid(cells: List[int], columns: int, mark: int) -> str:
    """A board of ConnectX in the words of the engine's ``position``."""
    text = "".join(map(str, cells))
    rows = [text[start : start + columns] for start in range(0, len(text), columns)]
    return f"grid {'/'.join(rows)} p{mark}"


#: The agent with all defaults.
agent: Agent = make_agent()
