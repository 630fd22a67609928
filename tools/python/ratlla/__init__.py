"""Python interface to the game engine ratlla.

>>> from ratlla import Engine
>>> with Engine() as engine:
...     engine.new_game("connect4", 6, 7)
...     engine.set_position(moves=["4", "4"])
...     print(engine.analyse(movetime=100).best)
"""

from .engine import Engine, EngineError, EngineTerminatedError
from .info import Analysis, Info, Score

__all__ = ["Analysis", "Engine", "EngineError", "EngineTerminatedError", "Info", "Score"]
