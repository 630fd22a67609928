"""Runs tasks on the workers of a Dask scheduler.

The scheduler reassigns the tasks of a worker that died; every other failure is retried here. Finished
tasks come through a queue rather than ``distributed.as_completed``, which cannot be asked whether the
scheduler is still there while it waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import signal
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from dask.system import CPU_COUNT
from distributed import Client, Future, LocalCluster
from distributed.scheduler import KilledWorker
from distributed.security import Security

from . import command
from .console import message
from .errors import ClusterError, TaskFailed

#: Runs of a task before the job fails.
MAX_ATTEMPTS = 3
#: Seconds to fetch a finished result. It may have been lost with its worker, in which case the
#: scheduler has it recomputed.
FETCH_TIMEOUT = 3.0
#: Seconds between checks that the scheduler is still up.
POLL_INTERVAL = 1.0

T = TypeVar("T")


@dataclass(frozen=True)
class Task(Generic[T]):
    """A command, and how to parse its output."""

    name: str
    command: command.Command
    #: Raises :class:`TaskFailed` if the output is not what was asked for.
    parse: Callable[[bytes], T]


@dataclass
class Attempt(Generic[T]):
    """A submitted task."""

    task: Task[T]
    future: Future
    number: int


@dataclass(frozen=True)
class Credentials:
    """Paths of PEM files: the authority that signed all certificates, our certificate, its key."""

    ca: str
    cert: str
    key: str

    def security(self) -> Security:
        """Encrypted connections, only to those whom the authority has signed."""
        for path in (self.ca, self.cert, self.key):
            try:
                open(path, "rb").close()
            except OSError as error:
                raise ClusterError(f"cannot read the TLS files: {error}") from error
        return Security(
            tls_ca_file=self.ca,
            tls_client_cert=self.cert,
            tls_client_key=self.key,
            require_encryption=True,
        )


@contextlib.contextmanager
def connect(
    scheduler: str | None,
    workers: int | None,
    timeout: float,
    bin_dir: str | None,
    credentials: Credentials | None = None,
) -> Iterator[Pool]:
    """Connects to the scheduler at this address and waits for a first worker; without an address,
    starts a local cluster, by default with one worker per core."""
    silence_dask()
    if scheduler is None:
        with start_local_cluster(workers or CPU_COUNT) as cluster:
            with Client(cluster) as client:
                yield Pool(client, bin_dir)
        return
    try:
        security = None if credentials is None else credentials.security()
        client = Client(scheduler, timeout=timeout, security=security)
    except (OSError, ValueError, asyncio.TimeoutError) as error:
        raise ClusterError(f"cannot connect to the scheduler at {scheduler}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=timeout)
        except asyncio.TimeoutError as error:
            text = f"the scheduler at {scheduler} has no workers: start some with 'dask worker'"
            raise ClusterError(text) from error
        yield Pool(client, bin_dir)


def start_local_cluster(workers: int) -> LocalCluster:
    """A scheduler and single-threaded workers on this machine."""
    # The workers ignore Ctrl-C: this process shuts them down.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(
            host="127.0.0.1",
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    finally:
        signal.signal(signal.SIGINT, handler)


def silence_dask() -> None:
    """Suppresses Dask's log output; errors that matter are reported by this module."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


class Pool:
    """A pool of workers."""

    def __init__(self, client: Client, bin_dir: str | None) -> None:
        self.client = client
        self.bin_dir = bin_dir
        self._version: str | None = None
        self._id = uuid.uuid4().hex[:8]
        self._submitted = 0

    def threads(self) -> int:
        """The number of tasks that can run at the same time."""
        return max(1, sum(map(int, self.client.nthreads().values())))

    def scatter(self, content: bytes) -> Future:
        """Data for many tasks. Unlike ``Client.scatter``, it survives the death of a worker."""
        return self.client.submit(bytes, content, key=self._key("shared"))

    def run(
        self, tasks: Iterable[Task[T]], shared: Future | None = None
    ) -> Generator[tuple[Task[T], T], None, None]:
        """Runs tasks and yields their results as they complete.

        ``shared`` is the content of every command's input file. Only as many tasks as keep the
        workers busy are submitted at a time. Closing the generator cancels those not yet started.
        """
        pending = iter(tasks)
        limit = 2 * self.threads() + 2
        done: queue.Queue[str] = queue.Queue()
        running: dict[str, Attempt[T]] = {}

        def submit(task: Task[T], number: int) -> None:
            args = [task.command, self.bin_dir] + ([] if shared is None else [shared])
            future = self.client.submit(command.run, *args, key=self._key(task.name), pure=False)
            watch(Attempt(task, future, number))

        def watch(attempt: Attempt[T]) -> None:
            running[attempt.future.key] = attempt
            attempt.future.add_done_callback(lambda future: done.put(future.key))

        try:
            while True:
                while len(running) < limit and (task := next(pending, None)) is not None:
                    submit(task, 1)
                if not running:
                    return
                try:
                    attempt = running.pop(done.get(timeout=POLL_INTERVAL))
                except queue.Empty:
                    self._check_scheduler()
                    continue
                try:
                    result = self._result(attempt)
                except asyncio.TimeoutError:
                    watch(attempt)
                    continue
                except TaskFailed as error:
                    if attempt.number >= MAX_ATTEMPTS:
                        raise ClusterError(f"task {attempt.task.name}: {error}") from error
                    message(f"task {attempt.task.name}: {error}; retrying")
                    submit(attempt.task, attempt.number + 1)
                    continue
                yield attempt.task, result
        finally:
            if running:
                self.client.cancel([attempt.future for attempt in running.values()])

    def _key(self, name: str) -> str:
        self._submitted += 1
        return f"ratlla-{self._id}-{self._submitted}-{name}"

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise ClusterError(
                "lost the connection to the scheduler; finished tasks are saved: "
                "rerun the command to resume"
            ) from None

    def _result(self, attempt: Attempt[T]) -> T:
        """The result of a task; a ``TimeoutError`` if it has been lost since it completed."""
        future, task = attempt.future, attempt.task
        try:
            output: command.Output = future.result(timeout=FETCH_TIMEOUT)
        except (ClusterError, TaskFailed, asyncio.TimeoutError):
            raise
        except KilledWorker as error:
            raise TaskFailed("every worker that ran it died") from error
        except Exception as error:
            # Not raised by commands: it comes from the scheduler or the connection to it.
            if isinstance(error, OSError) or future.status in ("cancelled", "lost"):
                # The client notices the end of its scheduler shortly after losing its tasks.
                time.sleep(POLL_INTERVAL)
                self._check_scheduler()
                raise TaskFailed(f"lost by the scheduler ({error})") from error
            hint = "check that all machines have the same ratlla-cluster, Dask and Python"
            raise ClusterError(
                f"task {task.name}: {type(error).__name__}: {error}\n{hint}"
            ) from error
        # Results of different versions must not be mixed.
        self._version = self._version or output.version
        if output.version != self._version:
            raise ClusterError(
                f"{output.host} has {output.version}, but other workers have {self._version}"
            )
        return task.parse(output.content)
