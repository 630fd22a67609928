"""An engine process: lines in, lines out. Nothing of the protocol is known here.

An exception may come between any two steps of a caller: Ctrl-C, a signal's handler, a timeout. So a line is
first read and then taken: what was read, but not yet dealt with, is still there for the next reader.
"""

from __future__ import annotations

import errno
import os
import queue
import subprocess
import threading
import time
import weakref
from collections import deque
from pathlib import Path
from typing import IO, Any

from .errors import EngineTerminatedError

#: Seconds to wait for the first line. An engine starts in milliseconds; the machine may be busy.
START_TIMEOUT = 10.0
#: Seconds to wait for a line that needs no search. During a search the engine prints every second.
TIMEOUT = 30.0
#: Seconds that a closed engine has to exit before it is killed.
QUIT_TIMEOUT = 3.0


#: What writing to a process that has exited fails with; the second on Windows.
_BROKEN_PIPE = errno.EPIPE, errno.EINVAL


class NoReplyError(Exception):
    """The engine has not replied in time. Not a ``TimeoutError``, which a caller's own timer may raise."""


def check_line(line: str) -> None:
    """Makes sure that a line can be sent."""
    if "\n" in line or "\r" in line:
        raise ValueError("a command must be a single line")
    line.encode()  # Raises an error that says what is not a text.


class Connection:
    """A running engine. It ends with this object, or with Python, whichever is first."""

    def __init__(self, program: str | Path) -> None:
        # A group of its own: Ctrl-C in a terminal is for Python, which stops the search.
        group: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            flags = "CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW"
            group = {"creationflags": sum(getattr(subprocess, flag) for flag in flags)}
        self._process = subprocess.Popen(
            [os.fspath(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            bufsize=1,
            **group,
        )
        self._lines = _Lines()
        self._writing = threading.Lock()
        # The thread must not refer to this object, or it would never be collected.
        reader = threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
        )
        reader.start()
        self._finalizer = weakref.finalize(self, _end, os.getpid(), self._process, reader)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def close(self) -> None:
        """Quits the engine; closing it twice is fine."""
        self._finalizer()

    @property
    def is_closed(self) -> bool:
        """Whether :meth:`close` was called."""
        return not self._finalizer.alive

    def send(self, line: str) -> None:
        """Sends a line. May be called from any thread."""
        check_line(line)
        try:
            assert self._process.stdin is not None
            with self._writing:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except BaseException as error:
            is_broken = isinstance(error, OSError) and error.errno in _BROKEN_PIPE
            if is_broken or self.is_closed:
                raise EngineTerminatedError(self._exit_text(str(error))) from error
            self.close()  # Nobody knows how much of the line was sent.
            raise

    def read_line(self, deadline: float) -> str:
        """The next line, which remains the next one until it is taken; a :class:`NoReplyError` if there
        is none before the deadline."""
        # Once it is closed, its last lines are no answer to anything.
        line = None if self.is_closed else self._lines.first(deadline)
        if line is None:
            raise EngineTerminatedError(self._exit_text("end of output"))
        return line

    def take_line(self, line: str) -> None:
        """Removes a line that was read, unless that was done before."""
        self._lines.take(line)

    def _exit_text(self, reason: str) -> str:
        if self.is_closed:
            return "the engine was closed"
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return f"lost the connection to the engine: {reason}"
        return f"the engine has exited (status {status})"


class _Lines:
    """The lines of an engine, and ``None`` after the last."""

    def __init__(self) -> None:
        self._lines: deque[str | None] = deque()
        # Only wakes the reader: what an exception loses here is still there. A lock could remain locked, since
        # a condition of `threading` is Python, between whose lines it may come.
        self._arrivals: queue.SimpleQueue[None] = queue.SimpleQueue()

    def put(self, line: str | None) -> None:
        self._lines.append(line)
        self._arrivals.put(None)

    def first(self, deadline: float) -> str | None:
        """Waits for a line, and leaves it there."""
        while not self._lines:
            try:
                self._arrivals.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise NoReplyError from None
        return self._lines[0]

    def take(self, line: str) -> None:
        """Removes the first line if it is this one: not an equal one that came later."""
        if self._lines and self._lines[0] is line:
            self._lines.popleft()


def _read_lines(stdout: IO[str], lines: _Lines) -> None:
    try:
        for line in stdout:
            lines.put(line)
    except (OSError, ValueError):
        pass  # Not UTF-8, or closed.
    lines.put(None)


def _end(owner: int, process: subprocess.Popen[str], reader: threading.Thread) -> None:
    """Quits the process, or kills it, and waits for it: no zombie is left."""
    if os.getpid() != owner:
        return  # A fork of the owner, whose engine this is not.
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write("quit\n")
        process.stdin.close()  # A program that is not an engine may end here.
        process.wait(timeout=QUIT_TIMEOUT)
    except BaseException as error:
        process.kill()
        process.wait()
        if not isinstance(error, (OSError, ValueError, subprocess.TimeoutExpired)):
            raise
    reader.join(timeout=QUIT_TIMEOUT)
    for pipe in (process.stdin, process.stdout):
        try:
            pipe.close()
        except OSError:
            pass  # Unsent input of an engine that has exited.
