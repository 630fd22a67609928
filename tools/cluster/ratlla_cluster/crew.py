"""The workers, and how they get their tasks done.

Only as many tasks as keep the workers busy are with the scheduler at a time. It gives the tasks of
a worker that died to others by itself; whatever fails otherwise is tried again here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import signal
import sys
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Generic, Iterable, Iterator, Optional, TypeVar

from distributed import Client, Future, LocalCluster
from distributed.scheduler import KilledWorker
from tqdm import tqdm

from . import work
from .errors import Trouble, Unusable

#: How often a task is tried before it is given up.
TRIES = 3
#: Seconds to wait for a result that is there. One that takes longer may have died with its worker;
#: then the scheduler has it made again.
FETCH = 3.0
#: Seconds between looks at whether the scheduler is still there.
TICK = 1.0

T = TypeVar("T")


def say(text: str) -> None:
    """Tells people something, without spoiling a bar."""
    tqdm.write(f"ratlla-cluster: {text}", file=sys.stderr)


def bar(total: int, done: int, unit: str) -> Any:
    """A bar on stderr, if that is a terminal."""
    return tqdm(total=total, initial=done, unit=f" {unit}", disable=None, dynamic_ncols=True)


@dataclass(frozen=True)
class Task(Generic[T]):
    """A command to be run, and how its output becomes a result."""

    name: str
    command: work.Command
    #: Raises :class:`Unusable` if the output is not what was asked for.
    read: Callable[[bytes], T]


@dataclass
class Attempt(Generic[T]):
    """A task that a worker has."""

    task: Task[T]
    future: Future
    number: int


@contextlib.contextmanager
def connect(
    scheduler: Optional[str], workers: Optional[int], patience: float
) -> Iterator[Client]:
    """The scheduler at this address, with at least one worker; or one of our own, with as many
    workers as there are cores."""
    quieten()
    if scheduler is None:
        with own_workers(workers or len(os.sched_getaffinity(0))) as cluster:
            with Client(cluster) as client:
                yield client
        return
    try:
        client = Client(scheduler, timeout=patience)
    except (OSError, ValueError, asyncio.TimeoutError) as error:
        raise Trouble(f"no scheduler answers at {scheduler}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=patience)
        except asyncio.TimeoutError as error:
            text = f"the scheduler at {scheduler} has no workers: start some with 'dask worker'"
            raise Trouble(text) from error
        yield client


def own_workers(count: int) -> LocalCluster:
    """A scheduler with so many workers on this machine."""
    # Ctrl-C is for this process, which ends them.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    finally:
        signal.signal(signal.SIGINT, handler)


def quieten() -> None:
    """Keeps Dask's own messages off the terminal: what matters is said here, in plain words."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


class Crew:
    """Workers who do tasks."""

    def __init__(self, client: Client, folder: Optional[str]) -> None:
        self.client = client
        self.folder = folder
        self._version: Optional[str] = None
        self._run = uuid.uuid4().hex[:8]
        self._count = 0

    def threads(self) -> int:
        """How many tasks can be done at the same time."""
        return max(1, sum(map(int, self.client.nthreads().values())))

    def keep(self, content: bytes) -> Future:
        """Something that many tasks need. It is made again if the worker that has it dies."""
        return self.client.submit(bytes, content, key=self._key("file"))

    def perform(
        self, tasks: Iterable[Task[T]], content: Optional[Future] = None
    ) -> Generator[tuple[Task[T], T], None, None]:
        """Has tasks done and gives their results, in the order in which they come.

        ``content`` is for the file of every command. Whoever stops to listen, by closing the
        iterator, takes back all tasks that have not begun.
        """
        waiting = iter(tasks)
        most = 2 * self.threads() + 2
        done: "queue.Queue[str]" = queue.Queue()
        out: Dict[str, Attempt[T]] = {}

        def begin(task: Task[T], number: int) -> None:
            words = [task.command, self.folder] + ([] if content is None else [content])
            future = self.client.submit(work.run, *words, key=self._key(task.name), pure=False)
            wait_for(Attempt(task, future, number))

        def wait_for(attempt: Attempt[T]) -> None:
            out[attempt.future.key] = attempt
            attempt.future.add_done_callback(lambda future: done.put(future.key))

        try:
            while True:
                while len(out) < most and (task := next(waiting, None)) is not None:
                    begin(task, 1)
                if not out:
                    return
                attempt = self._next(done, out)
                if attempt is None:
                    continue
                try:
                    result = self._result(attempt)
                except asyncio.TimeoutError:
                    wait_for(attempt)
                    continue
                except Unusable as error:
                    if attempt.number >= TRIES:
                        raise Trouble(f"task {attempt.task.name}: {error}") from error
                    say(f"task {attempt.task.name}: {error}; it is tried again")
                    begin(attempt.task, attempt.number + 1)
                    continue
                yield attempt.task, result
        finally:
            if out:
                self.client.cancel([attempt.future for attempt in out.values()])

    def _key(self, name: str) -> str:
        self._count += 1
        return f"ratlla-{self._run}-{self._count}-{name}"

    def _next(self, done: "queue.Queue[str]", out: Dict[str, Attempt[T]]) -> Optional[Attempt[T]]:
        """The next task of which something is known."""
        try:
            return out.pop(done.get(timeout=TICK))
        except queue.Empty:
            self._check_scheduler()
            return None

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise Trouble(
                "the scheduler has gone; what is done is kept: "
                "the same command goes on when there is one again"
            ) from None

    def _result(self, attempt: Attempt[T]) -> T:
        """The result of a task; a ``TimeoutError`` if it is not there any more."""
        future, task = attempt.future, attempt.task
        try:
            answer: Dict[str, Any] = future.result(timeout=FETCH)
        except KilledWorker as error:
            raise Unusable("all workers that had it have died") from error
        except asyncio.TimeoutError:
            raise
        except Exception as error:
            # A command does not raise these: it is the scheduler, or the way to it.
            if isinstance(error, OSError) or future.status in ("cancelled", "lost"):
                # That a scheduler has ended is noticed a moment after its tasks are lost.
                time.sleep(TICK)
                self._check_scheduler()
                raise Unusable(f"the scheduler has lost it ({error})") from error
            advice = "have all machines the same ratlla-cluster, Dask and Python?"
            raise Trouble(f"task {task.name}: {type(error).__name__}: {error}\n{advice}") from error
        host = answer["host"]
        if "missing" in answer:
            raise Trouble(
                f"no {task.command.program} on {host} in {answer['missing']}: install it there, "
                "or name the folder that has it on all workers with --bin"
            )
        if "refused" in answer:
            raise Trouble(answer["refused"])
        if "failure" in answer:
            raise Unusable(f"{task.command.program} on {host}: {answer['failure']}")
        self._check_version(host, answer["version"])
        return task.read(answer["output"])

    def _check_version(self, host: str, version: str) -> None:
        """All workers must have the same programs, for results that belong together."""
        self._version = self._version or version
        if version != self._version:
            raise Trouble(f"{host} has {version}, but others have {self._version}")
