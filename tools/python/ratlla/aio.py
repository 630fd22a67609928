"""The engine for asyncio: the same methods, to be awaited."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from .engine import Engine
from .info import Analysis, Info
from .option import OptionValue
from .search import Search
from .types import Limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds between attempts to stop the search of a cancelled task.
_STOP_INTERVAL = 0.1


def _awaitable(
    method: Callable[Concatenate[Engine, P], T],
) -> Callable[Concatenate[AsyncEngine, P], Coroutine[Any, Any, T]]:
    """A method of :class:`Engine` as one of :class:`AsyncEngine`."""

    @functools.wraps(method)
    async def call(self: AsyncEngine, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(functools.partial(method, self._engine, *args, **kwargs))

    return call


class AsyncEngine:
    """An :class:`Engine` for asyncio; an asynchronous context manager that closes it.

    Tasks may share it: their calls are executed one after the other. Cancelling a task that waits
    for a search stops the search. Works with every event loop, since the engine is read by threads.
    """

    def __init__(
        self,
        program: str | Path | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self._engine = Engine(program, options)
        self._executor = ThreadPoolExecutor(1, "ratlla")

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    new_game = _awaitable(Engine.new_game)
    set_position = _awaitable(Engine.set_position)
    make_move = _awaitable(Engine.make_move)
    undo = _awaitable(Engine.undo)
    moves = _awaitable(Engine.moves)
    result = _awaitable(Engine.result)
    side = _awaitable(Engine.side)
    state = _awaitable(Engine.state)
    options = _awaitable(Engine.options)
    option = _awaitable(Engine.option)
    set_option = _awaitable(Engine.set_option)
    set_strategy = _awaitable(Engine.set_strategy)
    analyse = _awaitable(Engine.analyse)
    play = _awaitable(Engine.play)
    solve = _awaitable(Engine.solve)
    scores = _awaitable(Engine.scores)
    explain = _awaitable(Engine.explain)
    why_not = _awaitable(Engine.why_not)

    async def analysis(
        self, *, multipv: int | None = None, solve: bool = False, **limits: Unpack[Limits]
    ) -> AsyncSearch:
        """Starts a search: see :meth:`Engine.analysis`."""
        start = functools.partial(self._engine.analysis, multipv=multipv, solve=solve, **limits)
        return AsyncSearch(self, await self._run(start, discard=Search.stop))

    def stop(self) -> None:
        """Ends the running search, if there is one."""
        self._engine.stop()

    async def close(self) -> None:
        """Quits the engine; closing it twice is fine."""
        # On another thread: the engine's own may be waiting for a search.
        try:
            await asyncio.to_thread(self._engine.close)
        finally:
            self._executor.shutdown(wait=False)

    async def _run(
        self, call: Callable[[], T], discard: Callable[[T], None] = lambda result: None
    ) -> T:
        """Executes a call after those before it. If the task is cancelled meanwhile, the call is not begun, or its
        search is cancelled and its result discarded, before the next one begins."""
        job = _Job(call, discard)
        future = self._executor.submit(job.run)
        done = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            done.add_done_callback(lambda done: done.cancelled() or done.exception())  # As expected.
            if not future.cancel():
                job.cancel(self._engine)
                while not done.done():
                    try:
                        await asyncio.wait([done], timeout=_STOP_INTERVAL)
                    except asyncio.CancelledError:
                        pass  # Cancelled twice: the call still has to end before the next.
                    job.cancel(self._engine)  # Its search may only now have begun.
            raise


class _Job(Generic[T]):
    """A call on the engine's thread that the event loop's may cancel."""

    def __init__(self, call: Callable[[], T], discard: Callable[[T], None]) -> None:
        self._call = call
        self._discard = discard
        self._changing = threading.Lock()
        self._is_cancelled = False
        self._is_over = False
        self._result: list[T] = []

    def run(self) -> T:
        try:
            result = self._call()
            self._result.append(result)
            return result
        finally:
            with self._changing:
                self._is_over = True
                if self._is_cancelled:
                    self._discard_result()

    def cancel(self, engine: Engine) -> None:
        """Cancels the search of this call, if it is still running: never that of the next one."""
        with self._changing:
            self._is_cancelled = True
            if self._is_over:
                self._discard_result()
            else:
                engine._cancel()

    def _discard_result(self) -> None:
        while self._result:
            self._discard(self._result.pop())


class AsyncSearch:
    """A running :class:`Search` for asyncio; an asynchronous context manager that stops it."""

    def __init__(self, engine: AsyncEngine, search: Search) -> None:
        self._engine = engine
        self._search = search

    async def __aenter__(self) -> AsyncSearch:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._run(self._search.__exit__)

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = await self._run(lambda: next(self._search, None))
        if info is None:
            raise StopAsyncIteration
        return info

    @property
    def is_over(self) -> bool:
        """Whether the result has been read."""
        return self._search.is_over

    @property
    def multipv(self) -> list[Info]:
        """The latest info of each variation that has been read, best first."""
        return self._search.multipv

    @property
    def info(self) -> Info | None:
        """The latest info of the best variation."""
        return self._search.info

    def stop(self) -> None:
        """Ends the search, which still has a result."""
        self._search.stop()

    def ponderhit(self) -> None:
        """The opponent made the expected move: a search with ``ponder`` becomes a normal one."""
        self._search.ponderhit()

    async def wait(self, timeout: float | None = None) -> Analysis:
        """The result, once the search has ended; a ``TimeoutError`` leaves it running."""
        return await self._run(functools.partial(self._search.wait, timeout))

    async def _run(self, call: Callable[[], T]) -> T:
        try:
            return await self._engine._run(call)
        except asyncio.CancelledError:
            self._search.stop()  # It may have been cancelled before its turn.
            raise
