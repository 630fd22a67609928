"""An engine process: lines in, lines out. Nothing of the protocol is known here."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Any

from .errors import EngineTerminatedError

#: Seconds to wait for the first line. An engine starts in milliseconds; the machine may be busy.
START_TIMEOUT = 10.0
#: Seconds to wait for a line that needs no search. During a search the engine prints every second.
TIMEOUT = 30.0
#: Seconds that a closed engine has to exit before it is killed.
QUIT_TIMEOUT = 3.0


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
        self._lines: queue.Queue[str | None] = queue.Queue()
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

    def send(self, line: str) -> None:
        """Sends a line. May be called from any thread."""
        if "\n" in line or "\r" in line:
            raise ValueError("a command must be a single line")
        try:
            assert self._process.stdin is not None
            with self._writing:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineTerminatedError(self._exit_text(str(error))) from error

    def read_line(self, deadline: float) -> str:
        """The next line; a ``TimeoutError`` if there is none before the deadline."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError("no reply from the engine in time") from None
        if line is None:
            self._lines.put(None)
            raise EngineTerminatedError(self._exit_text("end of output"))
        return line

    def _exit_text(self, reason: str) -> str:
        if not self._finalizer.alive:
            return "the engine was closed"
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return f"lost the connection to the engine: {reason}"
        return f"the engine has exited (status {status})"


def _read_lines(stdout: IO[str], lines: queue.Queue[str | None]) -> None:
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
    except (OSError, ValueError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
    reader.join(timeout=QUIT_TIMEOUT)
    for pipe in (process.stdin, process.stdout):
        try:
            pipe.close()
        except OSError:
            pass  # Unsent input of an engine that has exited.
