"""Exceptions between a question and its answer: Ctrl-C, a signal's handler, a cancelled task.

The law: whatever comes between any two steps of a call, afterwards the engine answers what it is asked, or every call
says at once that it was closed. It never gives the answer to an earlier question, and nobody waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import linecache
import os
import signal
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import ratlla
from ratlla import (
    AsyncEngine, Board, Engine, EngineError, EngineTerminatedError, Score, Search, board, review, solve,
)
from ratlla.connection import Connection, _Lines
from ratlla.connectx import make_agent

#: Seconds: more than any call here takes, less than any wait for an answer that does not come.
AT_ONCE = 8.0
#: What comes between. A handler may raise anything; these are what the package itself may expect.
EXCEPTIONS = KeyboardInterrupt, TimeoutError, ValueError, OSError
GAME = "kalah", 3, 2
PACKAGE = str(Path(ratlla.__file__).parent)


class Steps:
    """The lines of Python that a call has executed."""

    def __init__(self) -> None:
        self.count = 0
        #: The first step at each line of the package.
        self.first: dict[tuple[str, int], int] = {}


@contextmanager
def interrupted(step: int, exception: type[BaseException]) -> Iterator[Steps]:
    """Raises the exception at this step of this thread."""
    steps = Steps()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        file = frame.f_code.co_filename
        if file in (__file__, contextlib.__file__):
            return None  # This test's own.
        # Python does not look for signals between a `with` or `try` and its block.
        line = linecache.getline(file, frame.f_lineno)
        if event == "line" and not line.lstrip().startswith(("with ", "try:")):
            steps.count += 1
            if file.startswith(PACKAGE):
                steps.first.setdefault((file, frame.f_lineno), steps.count)
            if steps.count == step:
                sys.settrace(None)
                raise exception
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)


def evenly(steps: Steps, most: int) -> list[int]:
    """Evenly spread steps, with the first and the last."""
    return sorted({round(1 + index * (steps.count - 1) / (most - 1)) for index in range(most)})


def opened() -> Engine:
    engine = Engine(options={"Hash": 1, "MultiPV": 2})
    engine.new_game(*GAME)
    engine.set_position(moves="2 3")
    return engine


def analysis(engine: Engine) -> object:
    with engine.analysis(multipv=1, depth=3) as search:
        return list(search)


def stopped(engine: Engine) -> object:
    search = engine.analysis(infinite=True)
    next(search)
    engine.stop()
    return search.wait()


#: Every method that talks with the engine.
CALLS: dict[str, Callable[[Engine], object]] = {
    "new_game": lambda engine: engine.new_game(*GAME),
    "set_position": lambda engine: engine.set_position(moves="2 3"),
    "make_move": lambda engine: engine.make_move(engine.moves()[0]),
    "undo": Engine.undo,
    "moves": Engine.moves,
    "result": Engine.result,
    "side": Engine.side,
    "state": Engine.state,
    "options": Engine.options,
    "option": lambda engine: engine.option("Hash"),
    "set_option": lambda engine: engine.set_option("Hash", 1),
    "set_strategy": lambda engine: engine.set_strategy("full"),
    "analysis": analysis,
    "analyse": lambda engine: engine.analyse(multipv=1, depth=3),
    "play": lambda engine: engine.play(depth=3),
    "solve": lambda engine: engine.solve(multipv=1),
    "scores": Engine.scores,
    "explain": lambda engine: engine.explain(nodes=1000),
    "why_not": lambda engine: engine.why_not(1, nodes=1000),
    "stop": stopped,
}


#: Those that return a running search.
STARTING = "analysis", "stop"


class Interruptions(unittest.TestCase):
    fresh: Engine

    def setUp(self) -> None:
        self.fresh = opened()
        self.addCleanup(self.fresh.close)

    def assert_truthful_or_closed(self, engine: Engine, may_search: bool = False) -> None:
        """The law. Says nothing about which moves were played before the exception, and whether the caller had
        time to get hold of a search."""
        begin = time.monotonic()
        try:
            try:
                history = engine.state()["history"]
            except EngineError as error:
                self.assertTrue(may_search, error)
                self.assertIn("search in progress: stop it", str(error))
                engine.stop()
                history = engine.state()["history"]
            self.assertEqual(engine.option("MultiPV"), 2)
            self.fresh.set_position(moves=history)
            self.assertEqual(engine.moves(), self.fresh.moves())
            self.assertEqual(engine.side(), self.fresh.side())
            self.assertEqual(engine.solve().score, self.fresh.solve().score)
            self.assertEqual(engine.state(), self.fresh.state())
        except EngineTerminatedError as error:
            self.assertIn("was closed", str(error))
            for call in (engine.moves, engine.state, engine.solve):
                with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
                    call()
        self.assertLess(time.monotonic() - begin, AT_ONCE)

    def test_every_method_is_tried(self) -> None:
        public = {name for name in vars(Engine) if not name.startswith("_")}
        self.assertEqual(set(CALLS), public - {"pid", "close"})

    def test_an_exception_at_any_step(self) -> None:
        engine = opened()
        tried: set[tuple[str, int]] = set()
        for number, (name, call) in enumerate(CALLS.items()):
            engine.set_position(moves="2 3")
            with interrupted(0, KeyboardInterrupt) as steps:
                call(engine)
            # Each line of the package once, and some more steps of each call.
            lines = {step for place, step in steps.first.items() if place not in tried}
            tried.update(steps.first)
            for step in sorted(lines.union(evenly(steps, 8))):
                exception = EXCEPTIONS[(step + number) % len(EXCEPTIONS)]
                with self.subTest(name=name, step=step, exception=exception.__name__):
                    begin = time.monotonic()
                    try:
                        with interrupted(step, exception):
                            call(engine)
                    except (*EXCEPTIONS, EngineTerminatedError, EngineError):
                        pass
                    self.assertLess(time.monotonic() - begin, AT_ONCE)
                    self.assert_truthful_or_closed(engine, name in STARTING)
                if engine._connection.is_closed:
                    engine = opened()
                engine.set_position(moves="2 3")
        engine.close()

    def test_an_exception_at_any_call_of_the_connection(self) -> None:
        engine = opened()
        self.addCleanup(lambda: engine.close())
        for name, call in CALLS.items():
            ended = False
            for number in range(1, 50):
                when = ("before", "after")[number % 2]
                with self.subTest(name=name, when=when, number=(number + 1) // 2):
                    ended = not self.fails_once(call, engine, (number + 1) // 2, when)
                    self.assert_truthful_or_closed(engine, name in STARTING)
                if engine._connection.is_closed:
                    engine = opened()
                engine.set_position(moves="2 3")
                if ended:
                    break

    def fails_once(
        self, call: Callable[[Engine], object], engine: Engine, number: int, when: str
    ) -> bool:
        """Whether the connection was used that often."""
        left = [number]

        def failing(method: Callable[..., Any]) -> Callable[..., Any]:
            def wrapper(*arguments: Any) -> Any:
                left[0] -= 1
                if left[0] == 0 and when == "before":
                    raise KeyboardInterrupt
                result = method(*arguments)
                if left[0] == 0:
                    raise KeyboardInterrupt
                return result

            return wrapper

        with contextlib.ExitStack() as patches:
            for name in ("send", "read_line", "take_line"):
                method = failing(getattr(Connection, name))
                patches.enter_context(patch.object(Connection, name, method))
            try:
                call(engine)
            except KeyboardInterrupt:
                pass
        return left[0] <= 0

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers of Unix")
    def test_a_signal_at_any_time(self) -> None:
        def ring(*arguments: object) -> None:
            raise TimeoutError("the caller's own timer")

        before = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        engine = opened()
        for attempt in range(40):
            try:
                signal.setitimer(signal.ITIMER_REAL, 5e-6 + attempt * 4e-5)
                for call in CALLS.values():
                    call(engine)
            except (TimeoutError, EngineTerminatedError, EngineError):
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            self.assert_truthful_or_closed(engine, may_search=True)
            if engine._connection.is_closed:
                engine = opened()
            engine.set_position(moves="2 3")
        engine.close()

    def test_what_was_interrupted_is_still_there(self) -> None:
        """Ctrl-C while a search is waited for costs nothing but the search."""
        engine = opened()
        self.addCleanup(engine.close)
        with patch.object(Connection, "read_line", side_effect=KeyboardInterrupt):
            searches: list[Callable[[], object]] = [
                lambda: engine.analysis(infinite=True).wait(), lambda: stopped(engine),
            ]
            for search in searches:
                with self.assertRaises(KeyboardInterrupt):
                    search()
                with patch.object(Connection, "read_line", READ_LINE):
                    engine.stop()
                    self.assertEqual(engine.state()["history"], ["2", "3"])

    def test_an_option_that_a_search_changes_is_restored_or_the_engine_closed(self) -> None:
        with patch.object(Engine, "_start", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.fresh.analysis(multipv=1, depth=1)
        with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
            self.fresh.option("MultiPV")

    def test_a_line_that_is_sent_in_part_closes_the_engine(self) -> None:
        for act in (Search.stop, Search.ponderhit, Search.cancel):
            engine = opened()
            search = engine.analysis(infinite=True)
            pipe = engine._connection._process.stdin
            assert pipe is not None
            write = pipe.write

            def part(line: str) -> int:
                write(line[:2])
                raise KeyboardInterrupt

            with patch.object(engine._connection._process, "stdin", wraps=pipe) as stdin:
                stdin.write.side_effect = part
                with self.assertRaises(KeyboardInterrupt):
                    act(search)
            self.assert_truthful_or_closed(engine)
            self.assertTrue(engine._connection.is_closed)

    def test_a_search_that_is_over_stops_no_other(self) -> None:
        first = self.fresh.analysis(depth=1)
        first.wait()
        self.fresh.new_game("connect4", 8, 8)
        second = self.fresh.analysis(infinite=True)
        first.stop()
        first.ponderhit()
        first.cancel()
        with self.assertRaises(TimeoutError):
            second.wait(timeout=0.2)
        second.stop()
        self.assertIsNotNone(second.wait().best)

    def test_what_a_closed_engine_has_written_is_no_answer(self) -> None:
        search = self.fresh.analysis(infinite=True)
        self.fresh.close()
        with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
            search.wait()

    def test_an_end_that_was_interrupted_is_completed(self) -> None:
        search = self.fresh.analysis(multipv=1, depth=1)
        with patch.object(Search, "_settle", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                search.wait()
        self.assert_truthful_or_closed(self.fresh)
        self.assertFalse(self.fresh._connection.is_closed)

    def test_a_line_is_taken_once(self) -> None:
        lines = _Lines()
        first, second = ("".join(["bestmove", " 4"]) for _ in range(2))
        lines.put(first)
        lines.put(second)
        for _ in range(2):
            lines.take(first)
        self.assertIs(lines.first(0), second)

    @unittest.skipUnless(hasattr(signal, "SIGSTOP"), "needs signals of Unix")
    def test_an_answer_that_is_late_is_not_that_to_the_next_question(self) -> None:
        engine = opened()
        os.kill(engine.pid, signal.SIGSTOP)
        with patch("ratlla.engine.TIMEOUT", 0.1), patch("ratlla.connection.QUIT_TIMEOUT", 0.1):
            with self.assertRaisesRegex(EngineTerminatedError, "no reply within 0.1 seconds"):
                engine.moves()
        with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
            engine.moves()

    @unittest.skipIf(os.name == "nt", "needs a shell")
    def test_an_exception_while_an_engine_is_closed_leaves_no_process(self) -> None:
        with tempfile.TemporaryDirectory(prefix="ratlla-test-") as folder:
            program = Path(folder, "stubborn")
            program.write_text("#!/bin/sh\nexec sleep 60\n")
            program.chmod(0o755)
            connection = Connection(program)
            process = connection._process
            wait = process.wait
            with patch.object(process, "wait", side_effect=[KeyboardInterrupt, None]):
                with self.assertRaises(KeyboardInterrupt):
                    connection.close()
            self.assertEqual(wait(timeout=AT_ONCE), -signal.SIGKILL)
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                pipe.close()

    def test_a_text_that_cannot_be_sent_changes_nothing(self) -> None:
        for move in ("\udc80", "4\nquit"):
            with self.assertRaises(ValueError):
                self.fresh.make_move(move)
            for search in (self.fresh.analyse, self.fresh.solve):
                with self.assertRaises(ValueError):
                    search(multipv=1, nodes=1, searchmoves=[move])
        self.assert_truthful_or_closed(self.fresh)
        self.assertFalse(self.fresh._connection.is_closed)


READ_LINE = Connection.read_line


class Helpers(unittest.TestCase):
    """What uses an engine of its own."""

    def test_boards(self) -> None:
        expected = Board(*GAME, moves="2 3")
        with interrupted(0, KeyboardInterrupt) as steps:
            Board(*GAME, moves="2 3")
        other = Board("connect4", moves="44")
        for step in evenly(steps, 40):
            changed = expected.copy()
            for act in (lambda: changed.push(changed.legal_moves[0]), lambda: changed.pop()):
                with self.subTest(step=step):
                    before = changed.history
                    try:
                        with interrupted(step, KeyboardInterrupt):
                            act()
                    except KeyboardInterrupt:
                        # Before the move, or with it: never something else.
                        moves = [before, [*before, "1"], before[:-1]]
                        self.assertIn(changed.history, moves)
                        self.assertEqual(changed, Board(*GAME, moves=changed.history))
                    self.assertEqual(Board(*GAME, moves="2 3"), expected)
                    self.assertEqual(Board("connect4", moves="44"), other)

    def test_a_killed_engine_of_boards_is_replaced(self) -> None:
        position = Board(*GAME)
        for number in (signal.SIGKILL, signal.SIGTERM):
            os.kill(board._rules_engine().pid, number)
            position.push(position.legal_moves[0])
            os.kill(board._rules_engine().pid, number)
            self.assertEqual(Board("connect4", moves="44").history, ["4", "4"])
            board._rules_engine().close()
            position.pop()
            self.assertEqual(position, Board(*GAME))
        # One that cannot be replaced is one clear error, and the board is what it was.
        os.kill(board._rules_engine().pid, signal.SIGKILL)
        with patch.object(board, "Engine", side_effect=FileNotFoundError("the engine was not found")):
            with self.assertRaisesRegex(FileNotFoundError, "the engine was not found"):
                position.push(position.legal_moves[0])
        self.assertEqual(position, Board(*GAME))

    def test_batches_and_reviews(self) -> None:
        lines = ["44444437632223", "1212121"]

        def answers() -> list[int | str | None]:
            return [answer.score for answer in solve(lines, hash=1)]

        calls: list[Callable[[], object]] = [answers, lambda: review("2 1 3", *GAME, nodes=1000)]
        for call in calls:
            with interrupted(0, KeyboardInterrupt) as steps:
                expected = call()
            for step in evenly(steps, 25):
                with self.subTest(step=step):
                    begin = time.monotonic()
                    try:
                        with interrupted(step, KeyboardInterrupt):
                            call()
                    except (KeyboardInterrupt, RuntimeError):
                        pass  # The latter from Python's own start of a thread.
                    self.assertLess(time.monotonic() - begin, AT_ONCE)
            self.assertEqual(call(), expected)

    def test_an_agent_knows_which_game_its_engine_plays(self) -> None:
        agent = make_agent(movetime=1)

        def play(rows: int) -> int:
            configuration = {"rows": rows, "columns": 7, "inarow": 4, "actTimeout": 1}
            return agent({"board": [0] * rows * 7, "mark": 1}, configuration)

        # More steps than a new game takes.
        for step in range(1, 150):
            self.assertIn(play(6), range(7))
            try:
                with interrupted(step, KeyboardInterrupt):
                    play(8)
            except KeyboardInterrupt:
                pass
            try:
                play(6)
            except EngineTerminatedError as error:
                self.assertIn("was closed", str(error))

    def test_an_agent_never_takes_another_game_for_this_one(self) -> None:
        agent = make_agent(movetime=1)
        sizes = [{"rows": rows, "columns": 7, "inarow": 4, "actTimeout": 1} for rows in (6, 8)]
        for number in range(1, 60):
            for configuration in sizes:
                size = int(configuration["rows"]) * 7
                observation = {"board": [0] * size, "mark": 1}
                calls = [0]

                def failing(*arguments: Any) -> None:
                    calls[0] += 1
                    SEND(*arguments)
                    if calls[0] == number:
                        raise KeyboardInterrupt

                with patch.object(Connection, "send", failing):
                    try:
                        agent(observation, configuration)
                    except (KeyboardInterrupt, EngineTerminatedError):
                        pass
            for configuration in sizes:
                observation = {"board": [0] * int(configuration["rows"]) * 7, "mark": 1}
                try:
                    self.assertIn(agent(observation, configuration), range(7))
                except EngineTerminatedError as error:
                    # The agent says so once; the next move starts an engine.
                    self.assertIn("was closed", str(error))
                    self.assertIn(agent(observation, configuration), range(7))


SEND = Connection.send


class Cancellations(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.engine = AsyncEngine(options={"Hash": 1, "MultiPV": 2})
        await self.engine.new_game(*GAME)

    async def asyncTearDown(self) -> None:
        await self.engine.close()

    async def assert_truthful(self) -> None:
        engine = self.engine
        answers = asyncio.gather(engine.moves(), engine.side(), engine.option("MultiPV"))
        self.assertEqual(await asyncio.wait_for(answers, AT_ONCE), [["1", "2", "3"], "p1", 2])
        self.assertEqual((await asyncio.wait_for(engine.solve(), AT_ONCE)).score, Score("margin", 4))

    async def test_a_task_cancelled_at_any_await(self) -> None:
        async def streamed() -> None:
            async with await self.engine.analysis(multipv=1, infinite=True) as search:
                async for info in search:
                    if info.depth >= 3:
                        return

        async def waited() -> None:
            await (await self.engine.analysis(infinite=True)).wait()

        calls: list[Callable[[], Any]] = [
            self.engine.state, self.engine.options, self.engine.scores, streamed, waited,
            lambda: self.engine.explain(), lambda: self.engine.analyse(multipv=1, movetime=600_000),
        ]
        for call in calls:
            for yields in [*range(10), 0.001, 0.01]:
                for again in (False, True):
                    with self.subTest(yields=yields, again=again):
                        task = asyncio.create_task(call())
                        if isinstance(yields, float):
                            await asyncio.sleep(yields)
                        else:
                            for _ in range(yields):
                                await asyncio.sleep(0)
                        task.cancel()
                        if again:
                            await asyncio.sleep(0)
                            task.cancel()
                        with self.assertRaises(asyncio.CancelledError):
                            await asyncio.wait_for(asyncio.shield(task), AT_ONCE)
                            raise asyncio.CancelledError  # It was over before.
                        await self.assert_truthful()

    async def test_a_search_cancelled_while_it_starts_is_in_nobodys_way(self) -> None:
        for yields in range(1, 12):
            # Begins with several questions.
            starting = asyncio.create_task(self.engine.analysis(multipv=1, infinite=True))
            await asyncio.sleep(0)
            waiting = asyncio.create_task(self.engine.moves())
            for _ in range(yields):
                await asyncio.sleep(0)
            starting.cancel()
            try:
                self.assertEqual(await asyncio.wait_for(waiting, AT_ONCE), ["1", "2", "3"])
            except EngineError as error:
                # Its turn came when the search had begun and was not cancelled yet.
                self.assertIn("search in progress", str(error))
            try:
                started = await starting
            except asyncio.CancelledError:
                pass
            else:
                started.stop()  # It was over before.
                async for _ in started:
                    pass
            await self.assert_truthful()

    async def test_a_task_cancelled_twice_stops_its_search_too(self) -> None:
        await self.engine.new_game("connect4", 8, 8)
        for yields in range(1, 6):
            task = asyncio.create_task(self.engine.analyse(multipv=1, movetime=600_000))
            for _ in range(yields):
                await asyncio.sleep(0)
            for _ in range(3):
                task.cancel()
                await asyncio.sleep(0)
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(await asyncio.wait_for(self.engine.side(), AT_ONCE), "p1")

    async def test_a_cancelled_task_does_not_stop_the_search_of_another(self) -> None:
        first = asyncio.create_task(self.engine.analyse(nodes=200_000))
        second = asyncio.create_task(self.engine.analyse(movetime=600_000))
        await asyncio.sleep(0)
        second.cancel()
        expected = await self.engine.analyse(nodes=200_000)
        self.assertEqual((await first).score, expected.score)
        with self.assertRaises(asyncio.CancelledError):
            await second

    async def test_a_search_that_was_cancelled_plays_no_move(self) -> None:
        await self.engine.new_game("connect4", 8, 8)
        for delay in (0.0, 0.05, 0.2):
            task = asyncio.create_task(self.engine.play(movetime=600_000))
            await asyncio.sleep(delay)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual((await self.engine.state())["history"], [])


if __name__ == "__main__":
    unittest.main()
