"""A game in progress. The engine knows the rules; this class remembers the moves."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

from .engine import Engine
from .errors import EngineTerminatedError
from .state import State
from .types import GameLike, MoveLike, Result, Side, game_words, one_word, split_moves


class Board:
    """A game: legal moves, ``push`` and ``pop``, the result, and a drawing as its text.

    >>> board = Board("connect4", 6, 7, moves="44")
    >>> board.push("3")
    >>> print(board)

    All boards share one engine for the rules, which starts with the first board and ends with
    Python, so a board costs no process. An illegal move raises :class:`EngineError`.
    """

    def __init__(
        self,
        game: GameLike = "connect4",
        *parameters: int | str,
        position: str = "startpos",
        moves: str | Iterable[MoveLike] = (),
    ) -> None:
        self._game = game_words(game, *parameters)
        self._start = position
        self._state = self._ask(split_moves(moves))

    @property
    def state(self) -> State:
        """Everything about the position, as protocol.md describes it."""
        return self._state

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves; none if the game is over."""
        return [move["move"] for move in self._state["moves"]]

    @property
    def history(self) -> list[str]:
        """The moves played."""
        return list(self._state["history"])

    @property
    def side(self) -> Side:
        """The side to move."""
        return self._state["side"]

    @property
    def result(self) -> Result:
        """The result; ``none`` while the game is in progress."""
        return self._state["result"]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.result != "none"

    @property
    def position(self) -> str:
        """The position as an argument of :meth:`Engine.set_position`."""
        return self._state["position"]

    @property
    def key(self) -> tuple[str, str]:
        """The game and the position, for sets and dictionaries: equal boards have equal keys.

        Boards themselves have no hash, since it would change with every move.
        """
        return self._state["game"], self.position

    def push(self, move: MoveLike) -> None:
        """Plays a move."""
        self._state = self._ask([*self._state["history"], one_word(move)])

    def pop(self) -> str:
        """Takes back the last move and returns it; an ``IndexError`` if there is none."""
        moves = self.history
        if not moves:
            raise IndexError("no move to take back")
        last = moves.pop()
        self._state = self._ask(moves)
        return last

    def copy(self) -> Board:
        """An independent copy."""
        board = Board.__new__(Board)
        board._game, board._start, board._state = self._game, self._start, self._state
        return board

    def set_up(self, engine: Engine) -> None:
        """Sets up this game and position, with its history, in an engine."""
        if engine.option("Game") != self._state["game"]:
            engine.new_game(self._game)
        engine.set_position(self._start, self._state["history"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.key == other.key

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "\n".join(self._state["drawing"])

    def __repr__(self) -> str:
        return f"<Board {self._state['game']}: {self.position}>"

    def _ask(self, moves: list[str]) -> State:
        """The state after these moves."""
        with _lock:
            try:
                return self._ask_engine(moves)
            except EngineTerminatedError:
                # It was killed, or closed by an exception in the middle of a question. A new one knows as much.
                return self._ask_engine(moves)

    def _ask_engine(self, moves: list[str]) -> State:
        engine = _rules_engine()
        try:
            engine.new_game(self._game)
            engine.set_position(self._start, moves)
            return engine.state()
        except EngineTerminatedError:
            _rules.clear()
            engine.close()
            raise


#: The engine that all boards ask, by the process that started it: a fork needs its own.
_rules: dict[int, Engine] = {}
_lock = threading.Lock()


def _rules_engine() -> Engine:
    process = os.getpid()
    if process not in _rules:
        _rules.clear()
        _rules[process] = Engine(options={"Hash": 1})
    return _rules[process]
