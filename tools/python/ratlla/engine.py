"""A running engine: its commands as methods, its replies as values."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .connection import START_TIMEOUT, TIMEOUT, Connection, NoReplyError, check_line
from .errors import EngineError, EngineTerminatedError
from .explain import Reason, Refutation
from .info import Analysis, Score
from .option import Option, OptionValue
from .program import find_program
from .search import Search
from .state import State
from .types import (
    ENDING, GameLike, Limits, MoveLike, Result, Side, Strategy, format_limits, game_words,
    given_limits, one_word, split_moves,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Engine:
    """An engine process; a context manager that closes it.

    Not thread-safe, except that ``stop()`` may be called from any thread. Searches take the limits
    of :class:`Limits` as keywords: ``analyse(depth=12)``, ``play(p1time=60_000, p2time=58_000)``.
    """

    def __init__(
        self,
        program: str | Path | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        program = program if program is not None else find_program()
        self._connection = Connection(program)
        self._search: Search | None = None
        try:
            self._check_engine(program)
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The id of the engine's process."""
        return self._connection.pid

    def close(self) -> None:
        """Quits the engine; closing it twice is fine."""
        self._connection.close()

    # The position

    def new_game(self, game: GameLike = "connect4", *parameters: int | str) -> None:
        """Starts a game: ``new_game("connect4", 8, 8)``, ``new_game("kalah 6 4")``."""
        self._execute(" ".join(["newgame", *game_words(game, *parameters)]))

    def set_position(
        self, position: str = "startpos", moves: str | Iterable[MoveLike] = ()
    ) -> None:
        """Sets up a position and plays ``moves``.

        It is written as between the words ``position`` and ``moves`` of that command.

        A string of moves is split at spaces and commas (``"11 1"``); digits alone are one column
        each (``"443"``).
        """
        self._execute(" ".join(["position", position, "moves", *split_moves(moves)]))

    def make_move(self, move: MoveLike) -> None:
        """Plays a move in the current position."""
        self._execute(f"play {one_word(move)}")

    def undo(self) -> None:
        """Takes back the last move."""
        self._execute("undo")

    def moves(self) -> list[str]:
        """The legal moves."""
        return self._query("moves")[1:]

    def result(self) -> Result:
        """``p1win``, ``p2win`` or ``draw``; ``none`` while the game is in progress."""
        return cast(Result, self._query("result")[1])

    def side(self) -> Side:
        """The side to move."""
        return "p1" if self._query("query p1turn", "response")[1] == "true" else "p2"

    def state(self) -> State:
        """The position: board, moves, history, result and more, as protocol.md describes them."""
        # Not split into words, which would change the spaces of the drawing.
        line = next(line for line in self._ask("state") if line.startswith("state "))
        return cast(State, json.loads(line.partition(" ")[2]))

    # Options

    def options(self) -> dict[str, Option]:
        """All options by name, as they are for the current game."""
        lines = [line.split() for line in self._ask("options")]
        found = [Option.from_words(words) for words in lines if words[:1] == ["option"]]
        return {option.name: option for option in found}

    def option(self, name: str) -> OptionValue:
        """The current value of an option."""
        reply = self._query(f"getoption name {name}", "option")
        start = reply.index("value")
        option = self.options()[" ".join(reply[2:start])]
        return option.parse(" ".join(reply[start + 1 :]))

    def set_option(self, name: str, value: OptionValue = None) -> None:
        """Sets an option, or presses a button if ``value`` is ``None``.

        The value must have the type, and be within the limits, that the engine announces.
        """
        options = self.options()
        found = {known.lower(): option for known, option in options.items()}.get(name.lower())
        if found is None:
            raise EngineError(f"unknown option '{name}' (available: {', '.join(options)})")
        text = found.format(value)
        self._execute(f"setoption name {name}" + ("" if value is None else f" value {text}"))

    def set_strategy(self, strategy: Strategy) -> None:
        """Selects how moves are chosen; each game has some of the strategies."""
        self.set_option("Strategy", strategy)

    # Searches

    def analysis(
        self, *, multipv: int | None = None, solve: bool = False, **limits: Unpack[Limits]
    ) -> Search:
        """Starts a search, which goes on until a limit or ``stop()`` ends it.

        With ``multipv`` it reports this many variations, whatever the option ``MultiPV`` says;
        with ``solve`` it searches for the exact score.
        """
        command = f"go{' solve' * solve}{format_limits(limits)}"
        if multipv is None:
            return self._start(command)
        lines = self.option("MultiPV")

        def restore() -> None:
            self._exchange(f"setoption name MultiPV value {lines}")

        check_line(command)
        try:
            self.set_option("MultiPV", multipv)
            return self._start(command, restore)
        except (EngineError, EngineTerminatedError):
            raise  # Rejected: it is what it was.
        except BaseException:
            self.close()  # What the option is now, nobody knows.
            raise

    def analyse(self, *, multipv: int | None = None, **limits: Unpack[Limits]) -> Analysis:
        """Searches the position. A limit that ends the search is required."""
        given = given_limits(limits).keys()
        if not given & ENDING:
            raise ValueError(f"no limit ends the search: give one of {', '.join(sorted(ENDING))}")
        if given & {"infinite", "ponder"}:
            raise ValueError("infinite and ponder wait for stop(): use analysis() instead")
        return self._result(lambda: self.analysis(multipv=multipv, **limits)).wait()

    def play(self, **limits: Unpack[Limits]) -> str | None:
        """Searches, plays the best move and returns it; ``None`` if the game is over."""
        best = self.analyse(**limits).best
        if best is not None:
            self.make_move(best)
        return best

    def solve(self, *, multipv: int | None = None, **limits: Unpack[Limits]) -> Analysis:
        """Solves the position exactly; with a limit, returns the best result by then."""
        return self._result(lambda: self.analysis(multipv=multipv, solve=True, **limits)).wait()

    def scores(self, **limits: Unpack[Limits]) -> dict[str, Score]:
        """The score of each legal move. Without a limit it is exact, which requires a solver."""
        if not limits:
            # Rejected without a solver, where the unlimited search would never end.
            self.solve(nodes=1)
        lines = self._search_answers("analyze" + format_limits(limits))
        return {words[1]: Score.from_words(words[2:]) for words in lines}

    def explain(self, **limits: Unpack[Limits]) -> list[Reason]:
        """Why each move is good or bad, the best first. Takes up to 3 seconds without a limit."""
        return [
            Reason.from_words(words)
            for words in self._search_answers("explain" + format_limits(limits))
        ]

    def why_not(self, move: MoveLike, **limits: Unpack[Limits]) -> Refutation:
        """What is wrong with a move. Takes up to 3 seconds without a limit."""
        (words,) = self._search_answers(f"why not {move}{format_limits(limits)}")
        return Refutation.from_words(words)

    def stop(self) -> None:
        """Ends the running search, if there is one. May be called from any thread."""
        search = self._search
        if search is not None:
            search.stop()

    def _cancel(self) -> None:
        """Ends the running search, if there is one, and discards its result. May be called from any thread."""
        search = self._search
        if search is not None:
            search.cancel()

    # Protocol

    def _check_engine(self, program: str | Path) -> None:
        """Makes sure that the program speaks the protocol. Another one might read all commands in
        silence, so that only a long wait for the first reply would tell."""
        self._connection.send("isready")
        try:
            line = self._connection.read_line(time.monotonic() + START_TIMEOUT)
            self._connection.take_line(line)
            reply = line.strip()
        except NoReplyError:
            reply = f"nothing within {START_TIMEOUT:g} seconds"
        if reply != "readyok":
            raise EngineTerminatedError(
                f"{program} is not the engine: expected readyok in reply to isready, got {reply}"
            )

    def _search_answers(self, command: str) -> list[list[str]]:
        return self._result(lambda: self._start(command)).answers

    def _result(self, start: Callable[[], Search]) -> Search:
        """Starts a search and waits for its end. Any exception ends it."""
        try:
            search = start()
            search.wait()
        except BaseException:
            # Here, since there may not have been time to return the search.
            if self._search is not None:
                self._search.abort()
            raise
        return search

    def _start(self, command: str, afterwards: Callable[[], None] = lambda: None) -> Search:
        """Starts a search; ``afterwards`` is called at its end, if the engine is still there."""
        self._check_idle()

        def end(alive: bool) -> None:
            if self._search is search:
                if alive:
                    afterwards()
                self._search = None

        check_line(command)
        search = Search(self._connection, end)
        try:
            self._search = search
            self._connection.send(command)
            return search
        except EngineTerminatedError:
            self._search = None
            raise
        except BaseException:
            self.close()  # Whether the engine has got the command, nobody knows.
            raise

    def _check_idle(self) -> None:
        search = self._search
        if search is not None and (search.is_stopping or search.is_over):
            search.abort()
        if self._connection.is_closed:
            self._search = None
        if self._search is not None:
            raise EngineError("search in progress: stop it, or wait for it, first")

    def _execute(self, command: str) -> None:
        """Executes a command that replies only if it fails."""
        self._ask(command)

    def _query(self, command: str, reply: str | None = None) -> list[str]:
        """The words of the line that begins with ``reply``."""
        reply = reply or command
        lines = [line.split() for line in self._ask(command)]
        return next(words for words in lines if words[:1] == [reply])

    def _ask(self, command: str) -> list[str]:
        """The lines that answer a command; raises its error."""
        self._check_idle()
        return self._exchange(command)

    def _exchange(self, command: str) -> list[str]:
        """Sends a command and reads its answer to the end, or closes the engine: an answer that is left would
        be taken for that to the next command."""
        check_line(command)
        lines, error = [], None
        try:
            self._connection.send(command)
            # Answered after the command, so nothing of its answer is left unread.
            self._connection.send("isready")
            deadline = time.monotonic() + TIMEOUT
            kind = ""
            while kind != "readyok":
                line = self._connection.read_line(deadline)
                self._connection.take_line(line)
                kind, _, rest = line.strip().partition(" ")
                if kind == "error":
                    error = EngineError(rest.strip())
                elif kind != "readyok":
                    lines.append(line)
        except EngineTerminatedError:
            raise
        except NoReplyError as timeout:
            self.close()
            raise EngineTerminatedError(f"no reply within {TIMEOUT:g} seconds") from timeout
        except BaseException:
            self.close()
            raise
        if error is not None:
            raise error
        return lines
