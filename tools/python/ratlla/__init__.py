"""The game engine ratlla from Python.

>>> from ratlla import Engine
>>> with Engine() as engine:
...     engine.new_game("connect4", 6, 7)
...     engine.set_position(moves=["4", "4"])
...     print(engine.analyse(movetime=100).best)
"""

from .answers import Analysis, Line, Score
from .engine import Engine, EngineError, EngineGone

__all__ = ["Analysis", "Engine", "EngineError", "EngineGone", "Line", "Score"]
