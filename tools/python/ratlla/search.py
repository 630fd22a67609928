"""A running search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

from .connection import TIMEOUT, Connection, NoReplyError
from .errors import EngineError, EngineTerminatedError
from .info import Analysis, Info


class Search:
    """A running search: iterate over its infos, ``stop()`` it, ``wait()`` for its result.

    A context manager that stops the search. The engine accepts no other command before the search
    is over or has been told to stop.
    """

    def __init__(self, connection: Connection, on_end: Callable[[bool], None]) -> None:
        self._connection = connection
        self._on_end = on_end
        self._last_line = ""
        self._is_cancelled = False
        # Again by the same thread: the handler of a signal may stop the search.
        self._ending = threading.RLock()
        self._infos: dict[int, Info] = {}
        self._outcome: Analysis | Exception | None = None
        #: Whether the search has been told to stop.
        self.is_stopping = False
        #: The lines, as words, that are neither ``info`` nor ``bestmove``.
        self.answers: list[list[str]] = []

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *exception: object) -> None:
        self.abort()

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        """The next info with a principal variation or a score."""
        while self._outcome is None:
            info = self._read()
            if info is not None:
                return info
        self.wait()
        raise StopIteration

    @property
    def is_over(self) -> bool:
        """Whether the result has been read."""
        return self._outcome is not None

    @property
    def multipv(self) -> list[Info]:
        """The latest info of each variation that has been read, best first."""
        return [self._infos[rank] for rank in sorted(self._infos)]

    @property
    def info(self) -> Info | None:
        """The latest info of the best variation."""
        return self._infos.get(1)

    def stop(self) -> None:
        """Ends the search, which still has a result. May be called from any thread."""
        # While it is not over: later, this would stop the next search.
        with self._ending:
            if not self.is_over:
                self.is_stopping = True
                self._connection.send("stop")

    def ponderhit(self) -> None:
        """The opponent made the expected move: a search with ``ponder`` becomes a normal one."""
        if not self.is_over:
            self._connection.send("ponderhit")

    def wait(self, timeout: float | None = None) -> Analysis:
        """The result, once the search has ended.

        Raises ``TimeoutError`` if it takes longer than ``timeout`` seconds; the search goes on.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self._outcome is None:
            self._read(end)
        self._settle()
        if self._is_cancelled:
            raise CancelledError
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def cancel(self) -> None:
        """Ends the search for somebody who no longer waits: its result is an error, so that nothing is done
        with it. May be called from any thread."""
        self._is_cancelled = True
        self.stop()

    def abort(self) -> None:
        """Stops the search and reads the rest of its output."""
        try:
            self.stop()
            end = time.monotonic() + TIMEOUT
            while self._outcome is None:
                self._read(end)
            self._settle()
        except EngineTerminatedError as error:
            self._end(error)  # The next command reports it.
        except BaseException:
            self._connection.close()
            raise

    def _read(self, end: float | None = None) -> Info | None:
        """Reads one line, which may bring an info or the outcome."""
        alive_until = time.monotonic() + TIMEOUT
        deadline = alive_until if end is None else min(end, alive_until)
        try:
            line = self._connection.read_line(deadline)
        except EngineTerminatedError as error:
            self._end(error)
            return None
        except NoReplyError:
            if end is not None and end < alive_until:
                raise TimeoutError("the search has not ended yet") from None
            self._connection.close()
            self._end(EngineTerminatedError(f"no reply within {TIMEOUT:g} seconds"))
            return None
        # Until the line is taken, an exception leaves it to be read once more.
        words = line.split()
        info = None
        if words[:1] == ["info"]:
            info = Info.from_words(words)
            if info is not None:
                self._infos[info.multipv] = info
        elif words[:1] == ["error"]:
            self._end(EngineError(" ".join(words[1:])), line)
        elif words[:1] == ["bestmove"]:
            best = None if words[1] == "(none)" else words[1]
            self._end(Analysis(best, words[3:], self.multipv), line)
        elif words:
            self.answers.append(words)
        self._connection.take_line(line)
        return info

    def _end(self, outcome: Analysis | Exception, last_line: str = "") -> None:
        with self._ending:
            self._last_line = last_line
            self._outcome = outcome
        self._settle()

    def _settle(self) -> None:
        """Does what is left to do when the search is over. Called again if an exception came between."""
        self._connection.take_line(self._last_line)
        self._on_end(not isinstance(self._outcome, EngineTerminatedError))
