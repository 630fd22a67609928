"""A running engine: commands as methods, answers as values."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Dict, Iterable, Iterator, List, Optional, Type, Union

from .answers import Analysis, Line, Score

#: Seconds within which the engine answers what takes it no time.
PATIENCE = 30.0


class EngineError(ValueError):
    """The engine refused a command, and says why. Nothing has changed."""


class EngineGone(RuntimeError):
    """The engine has ended or does not answer any more."""


def find_program() -> str:
    """The path of the engine: ``$RATLLA``, or ``ratlla`` on the search path."""
    program = os.environ.get("RATLLA") or shutil.which("ratlla")
    if program is None:
        raise FileNotFoundError("no ratlla on the search path: give its path, or set RATLLA")
    return program


class Engine:
    """A conversation with one engine process; a context manager that ends it.

    Limits of thinking are keywords: ``depth`` in plies, ``nodes``, ``movetime`` in milliseconds.
    """

    def __init__(self, program: Union[str, Path, None] = None) -> None:
        command = [os.fspath(program) if program is not None else find_program()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        if self._process.poll() is None:
            try:
                self._send("quit")
                self._process.wait(timeout=PATIENCE)
            except (EngineGone, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        self._reader.join(timeout=PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass  # What could not be written any more is of no use to anybody.

    # Commands that change something.

    def new_game(self, name: str = "connect4", *parameters: Union[int, str]) -> None:
        """Begins a game: ``new_game("connect4", 8, 8)``, ``new_game("kalah", 6, 4)``."""
        self._command(" ".join(["newgame", name, *map(str, parameters)]))

    def set_position(
        self, position: str = "startpos", moves: Union[str, Iterable[Union[str, int]]] = ()
    ) -> None:
        """Sets up a position, in the words of ``position``, and plays moves.

        Moves may also be one text: with blanks or commas between them, ``"11 1"``, or digits
        that are a column each, ``"443"``.
        """
        words = _split_moves(moves) if isinstance(moves, str) else map(str, moves)
        self._command(" ".join(["position", position, "moves", *words]))

    def set_option(self, name: str, value: Union[int, str, bool, None] = None) -> None:
        """Sets an option, or presses a button if there is no value."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._command(f"setoption name {name}" + ("" if value is None else f" value {text}"))

    def make_move(self, move: Union[str, int]) -> None:
        """Plays this move on the engine's board."""
        self._command(f"play {move}")

    # Questions.

    def moves(self) -> List[str]:
        """The legal moves."""
        return self._ask("moves")[1:]

    def result(self) -> str:
        """``none`` while the game goes on, then ``p1win``, ``p2win`` or ``draw``."""
        return self._ask("result")[1]

    def side(self) -> str:
        """``p1`` or ``p2``: who is to move."""
        return "p1" if self._ask("query p1turn", "response")[1] == "true" else "p2"

    def analyse(
        self,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        movetime: Optional[int] = None,
    ) -> Analysis:
        """Thinks about the position, within at least one limit."""
        if depth is None and nodes is None and movetime is None:
            raise ValueError("analyse needs a limit: depth, nodes or movetime")
        return self._think("go" + _limits(depth, nodes, movetime))

    def solve(self, movetime: Optional[int] = None) -> Analysis:
        """Finds the exact truth, however long it takes; with ``movetime``, what it can."""
        return self._think("go solve" + _limits(None, None, movetime))

    def scores(
        self,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        movetime: Optional[int] = None,
    ) -> Dict[str, Score]:
        """What each legal move is worth. Without a limit: exact, and there must be a solver."""
        limits = _limits(depth, nodes, movetime)
        if not limits:
            # Without a solver it would never end: this is refused then.
            self._think("go solve nodes 1")
        found: Dict[str, Score] = {}
        for words in self._search("analyze" + limits):
            if words[0] == "analysis":
                found[words[1]] = Score.from_words(words[2:])
        return found

    def play(
        self,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        movetime: Optional[int] = None,
    ) -> Optional[str]:
        """Chooses a move, plays it and returns it; ``None`` if the game is over."""
        best = self.analyse(depth, nodes, movetime).best
        if best is not None:
            self.make_move(best)
        return best

    # The conversation.

    def _think(self, command: str) -> Analysis:
        lines: Dict[int, Line] = {}
        for words in self._search(command):
            line = Line.from_info(" ".join(words)) if words[0] == "info" else None
            if line is not None:
                number = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                lines[number] = line
        best = None if words[1] == "(none)" else words[1]
        ponder = words[3] if len(words) > 3 else None
        return Analysis(best, ponder, [lines[number] for number in sorted(lines)])

    def _search(self, command: str) -> Iterator[List[str]]:
        """The answers of a search up to its ``bestmove``.

        Whatever breaks it off, such as Ctrl-C, ends the search as well: its answer must not be
        taken for that to the next question.
        """
        self._send(command)
        try:
            yield from self._answers_until("bestmove")
        except (EngineError, EngineGone):
            raise
        except BaseException:
            self._break_off()
            raise

    def _break_off(self) -> None:
        try:
            self._send("stop")
            for _ in self._answers_until("bestmove", _deadline()):
                pass
        except EngineGone:
            pass  # The next question tells.
        except BaseException:
            self._process.kill()
            raise

    def _command(self, command: str) -> None:
        """Sends what has no answer if it succeeds."""
        self._send(command)
        self._send("isready")
        refused = None
        deadline = _deadline()
        while True:
            words = self._next(deadline)
            if words[:1] == ["readyok"]:
                break
            if words[:1] == ["error"]:
                refused = " ".join(words[1:])
        if refused is not None:
            raise EngineError(refused)

    def _ask(self, command: str, answer: Optional[str] = None) -> List[str]:
        self._send(command)
        return list(self._answers_until(answer or command, _deadline()))[-1]

    def _answers_until(
        self, last: str, deadline: Optional[float] = None
    ) -> Iterator[List[str]]:
        """The answers up to the one that begins with ``last``, each as its words."""
        while True:
            words = self._next(deadline)
            if words[:1] == ["error"]:
                raise EngineError(" ".join(words[1:]))
            if words:
                yield words
            if words[:1] == [last]:
                return

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError("a command is one line")
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineGone(f"the engine does not listen any more: {error}") from error

    def _next(self, deadline: Optional[float]) -> List[str]:
        """The words of the next line. Without a deadline, however long it takes."""
        patience = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            raise EngineGone(f"no answer for {PATIENCE} seconds") from None
        if line is None:
            self._lines.put(None)
            raise EngineGone(f"the engine has ended: {self._process.poll()}")
        return line.split()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except ValueError:
            pass  # Closed under our hands: the engine is not wanted any more.
        self._lines.put(None)


def _deadline() -> float:
    return time.monotonic() + PATIENCE


def _split_moves(text: str) -> List[str]:
    words = text.replace(",", " ").split()
    return list(words[0]) if len(words) == 1 and words[0].isdigit() else words


def _limits(depth: Optional[int], nodes: Optional[int], movetime: Optional[int]) -> str:
    given = {"depth": depth, "nodes": nodes, "movetime": movetime}
    return "".join(f" {name} {int(value)}" for name, value in given.items() if value is not None)
