"""The game engine ratlla: Connect Four on any board, Conecta-4 BOOM, Wali and Kalah.

>>> from ratlla import Engine
>>> with Engine() as engine:
...     engine.new_game("connect4", 6, 7)
...     engine.set_position(moves=["4", "4"])
...     print(engine.analyse(movetime=100).best)
"""

from importlib import metadata as _metadata

from .aio import AsyncEngine, AsyncSearch
from .batch import Review, ReviewedMove, Solved, review, solve
from .board import Board
from .engine import Engine
from .errors import EngineError, EngineTerminatedError
from .explain import Reason, Refutation
from .info import Analysis, Info, Score
from .option import Option
from .program import find_program
from .search import Search
from .state import State
from .types import GameLike, GameName, Limits, Result, ScoreKind, Side, Strategy

__all__ = [
    "Analysis",
    "AsyncEngine",
    "AsyncSearch",
    "Board",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "GameLike",
    "GameName",
    "Info",
    "Limits",
    "Option",
    "Reason",
    "Refutation",
    "Result",
    "Review",
    "ReviewedMove",
    "Score",
    "ScoreKind",
    "Search",
    "Side",
    "Solved",
    "State",
    "Strategy",
    "find_program",
    "review",
    "solve",
]

try:
    __version__ = _metadata.version("ratlla")
except _metadata.PackageNotFoundError:
    __version__ = "unknown"  # Imported from its sources, without an installation.
