"""A running engine: its commands as methods, its replies as values."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .info import Analysis, Info, Score

#: Seconds to wait for replies that need no search.
TIMEOUT = 30.0


class EngineError(ValueError):
    """The engine rejected a command, for the reason given. Its state is unchanged."""


class EngineTerminatedError(RuntimeError):
    """The engine process has exited or stopped responding."""


def find_program() -> str:
    """The path of the engine: ``$RATLLA``, or ``ratlla`` on ``PATH``."""
    program = os.environ.get("RATLLA") or shutil.which("ratlla")
    if program is None:
        raise FileNotFoundError("ratlla not found on PATH: pass its path or set RATLLA")
    return program


class Engine:
    """An engine process; a context manager that closes it. Not thread-safe.

    Search limits are keywords: ``depth`` in plies, ``nodes``, ``movetime`` in milliseconds.
    """

    def __init__(self, program: str | Path | None = None) -> None:
        command = [os.fspath(program) if program is not None else find_program()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read_stdout, daemon=True)
        self._reader.start()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Quits the engine; closing it twice is fine."""
        if self._process.poll() is None:
            try:
                self._send("quit")
                self._process.wait(timeout=TIMEOUT)
            except (EngineTerminatedError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        self._reader.join(timeout=TIMEOUT)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass  # Unsent input of an engine that has exited.

    # Commands

    def new_game(self, name: str = "connect4", *parameters: int | str) -> None:
        """Starts a game: ``new_game("connect4", 8, 8)``, ``new_game("kalah", 6, 4)``."""
        self._execute(" ".join(["newgame", name, *map(str, parameters)]))

    def set_position(
        self, position: str = "startpos", moves: str | Iterable[str | int] = ()
    ) -> None:
        """Sets up a position, written as for the command ``position``, and plays ``moves``.

        A string of moves is split at spaces and commas (``"11 1"``); digits alone are one column
        each (``"443"``).
        """
        words = _split_moves(moves) if isinstance(moves, str) else map(str, moves)
        self._execute(" ".join(["position", position, "moves", *words]))

    def set_option(self, name: str, value: int | str | bool | None = None) -> None:
        """Sets an option, or presses a button if ``value`` is ``None``."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._execute(f"setoption name {name}" + ("" if value is None else f" value {text}"))

    def make_move(self, move: str | int) -> None:
        """Plays a move in the current position."""
        self._execute(f"play {move}")

    # Queries

    def moves(self) -> list[str]:
        """The legal moves."""
        return self._query("moves")[1:]

    def result(self) -> str:
        """``p1win``, ``p2win`` or ``draw``; ``none`` while the game is in progress."""
        return self._query("result")[1]

    def side(self) -> str:
        """The side to move, ``p1`` or ``p2``."""
        return "p1" if self._query("query p1turn", "response")[1] == "true" else "p2"

    def option(self, name: str) -> str:
        """The current value of an option, as text."""
        reply = self._query(f"getoption name {name}", "option")
        return " ".join(reply[reply.index("value") + 1 :])

    def state(self) -> dict[str, Any]:
        """The position: board, moves, history, result and more, as protocol.md describes them."""
        self._send("state")
        deadline = _deadline()
        while True:
            kind, _, rest = self._read_line(deadline).partition(" ")
            if kind == "error":
                raise EngineError(rest.strip())
            if kind == "state":
                state: dict[str, Any] = json.loads(rest)
                return state

    # Searches

    def analyse(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
    ) -> Analysis:
        """Searches the position. At least one limit is required."""
        limits = _limits(depth, nodes, movetime)
        if not limits:
            raise ValueError("analyse needs a limit: depth, nodes or movetime")
        return self._go("go" + limits)

    def solve(self, movetime: int | None = None) -> Analysis:
        """Solves the position exactly; with ``movetime``, returns the best result by then."""
        return self._go("go solve" + _limits(movetime=movetime))

    def scores(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
    ) -> dict[str, Score]:
        """The score of each legal move. Without a limit it is exact, which requires a solver."""
        limits = _limits(depth, nodes, movetime)
        if not limits:
            # Rejected without a solver, where the unlimited search would never end.
            self._go("go solve nodes 1")
        return {
            words[1]: Score.from_words(words[2:])
            for words in self._search("analyze" + limits)
            if words[0] == "analysis"
        }

    def play(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
    ) -> str | None:
        """Searches, plays the best move and returns it; ``None`` if the game is over."""
        best = self.analyse(depth, nodes, movetime).best
        if best is not None:
            self.make_move(best)
        return best

    # Protocol

    def _go(self, command: str) -> Analysis:
        infos: dict[int, Info] = {}
        for words in self._search(command):
            info = Info.from_words(words) if words[0] == "info" else None
            if info is not None:
                infos[info.multipv] = info
        best = None if words[1] == "(none)" else words[1]
        return Analysis(best, words[3:], [infos[rank] for rank in sorted(infos)])

    def _search(self, command: str) -> Iterator[list[str]]:
        """Starts a search and yields its output, up to and including ``bestmove``.

        An interrupt (Ctrl-C) stops the search and discards its output, so that the next command
        does not read it.
        """
        self._send(command)
        try:
            yield from self._read_until("bestmove")
        except (EngineError, EngineTerminatedError):
            raise
        except BaseException:
            self._abort_search()
            raise

    def _abort_search(self) -> None:
        try:
            self._send("stop")
            for _ in self._read_until("bestmove", _deadline()):
                pass
        except EngineTerminatedError:
            pass  # The next command reports it.
        except BaseException:
            self._process.kill()
            raise

    def _execute(self, command: str) -> None:
        """Sends a command that replies only if it fails."""
        self._send(command)
        self._send("isready")
        deadline = _deadline()
        error = None
        while (words := self._read_words(deadline))[:1] != ["readyok"]:
            if words[:1] == ["error"]:
                error = EngineError(" ".join(words[1:]))
        if error is not None:
            raise error

    def _query(self, command: str, reply: str | None = None) -> list[str]:
        self._send(command)
        return list(self._read_until(reply or command, _deadline()))[-1]

    def _read_until(self, last: str, deadline: float | None = None) -> Iterator[list[str]]:
        """Yields lines, split into words, up to and including the one that starts with ``last``."""
        while True:
            words = self._read_words(deadline)
            if words[:1] == ["error"]:
                raise EngineError(" ".join(words[1:]))
            if words:
                yield words
            if words[:1] == [last]:
                return

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError("a command must be a single line")
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineTerminatedError(f"cannot write to the engine: {error}") from error

    def _read_words(self, deadline: float | None) -> list[str]:
        """The words of the next line."""
        return self._read_line(deadline).split()

    def _read_line(self, deadline: float | None) -> str:
        """The next line; waits indefinitely without a deadline."""
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise EngineTerminatedError(f"no reply within {TIMEOUT:g} seconds") from None
        if line is None:
            self._lines.put(None)
            raise EngineTerminatedError(f"the engine has exited (status {self._process.poll()})")
        return line

    def _read_stdout(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except ValueError:
            pass  # close() closed the pipe.
        self._lines.put(None)


def _deadline() -> float:
    return time.monotonic() + TIMEOUT


def _split_moves(text: str) -> list[str]:
    words = text.replace(",", " ").split()
    return list(words[0]) if len(words) == 1 and words[0].isdigit() else words


def _limits(
    depth: int | None = None, nodes: int | None = None, movetime: int | None = None
) -> str:
    limits = {"depth": depth, "nodes": nodes, "movetime": movetime}
    return "".join(f" {name} {int(value)}" for name, value in limits.items() if value is not None)
