"""An agent for ConnectX, Kaggle's Connect Four, on boards of any size.

>>> from kaggle_environments import make
>>> from ratlla.connectx import agent
>>> make("connectx").run([agent, "negamax"])
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

from .engine import Engine
from .errors import EngineTerminatedError
from .small_board import SmallBoard

#: The fraction of the environment's time per move that is spent searching.
_TIME_FRACTION = 0.75

Agent = Callable[[Any, Any], int]


def make_agent(
    program: str | Path | None = None, movetime: int | None = None, fallback: bool = False
) -> Agent:
    """Returns an agent that searches ``movetime`` milliseconds per move with ``program``.

    ``movetime`` defaults to three quarters of the environment's ``actTimeout``. The engine starts
    with the first move and ends with Python. With ``fallback``, a plain search in Python plays on
    if the engine does not start, or ends.
    """
    player = _Player(program, movetime, fallback)

    def agent(observation: Any, configuration: Any) -> int:
        return player.choose(observation, configuration)

    return agent


class _Player:
    def __init__(self, program: str | Path | None, movetime: int | None, fallback: bool) -> None:
        self.program = program
        self.movetime = movetime
        self.fallback = fallback
        self.engine: Engine | None = None
        self.game: tuple[int, int, int] | None = None
        #: Whether the engine has failed.
        self.broken = False

    def choose(self, observation: Any, configuration: Any) -> int:
        """The column to play, counted from 0."""
        rows, columns = int(configuration["rows"]), int(configuration["columns"])
        inarow = int(configuration["inarow"])
        cells = [int(cell) for cell in observation["board"]]
        mark = int(observation["mark"])
        movetime = self.movetime or int(1000 * _TIME_FRACTION * float(configuration["actTimeout"]))
        supported = 4 <= rows <= 25 and 4 <= columns <= 25 and 2 <= inarow <= max(rows, columns)
        if supported and not self.broken:
            try:
                engine = self._engine_for((rows, columns, inarow))
                engine.set_position(grid(cells, columns, mark))
                best = engine.analyse(movetime=movetime).best
                if best is None:
                    raise ValueError("no legal move: the game is over")
                return int(best) - 1
            except (OSError, EngineTerminatedError) as error:
                self.engine, self.game = None, None  # The next move starts another one.
                if not self.fallback:
                    raise
                print(f"ratlla: {error}; searching in Python", file=sys.stderr)
                self.broken = True
        return SmallBoard(cells, mark, rows, columns, inarow).best_move(movetime / 1000)

    def _engine_for(self, game: tuple[int, int, int]) -> Engine:
        if self.engine is None:
            self.engine = Engine(self.program)
        if self.game != game:
            self.game = None  # Until the engine has it: an exception may come between.
            self.engine.new_game("connect4", *game)
            self.game = game
        return self.engine


def grid(cells: list[int], columns: int, mark: int) -> str:
    """A ConnectX board as an argument of :meth:`Engine.set_position`."""
    text = "".join(map(str, cells))
    rows = [text[start : start + columns] for start in range(0, len(text), columns)]
    return f"grid {'/'.join(rows)} p{mark}"


#: The agent with default settings.
agent: Agent = make_agent()
