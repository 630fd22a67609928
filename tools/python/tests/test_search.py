"""Running searches, and engines that end in the middle of one."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import unittest
from unittest.mock import patch

from ratlla import AsyncEngine, Engine, EngineError, EngineTerminatedError

#: Seconds, far more than anything here takes.
TIMEOUT = 60.0


def is_running(pid: int) -> bool:
    """Whether a process exists, be it as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Streaming(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine(options={"OwnBook": False})
        self.addCleanup(self.engine.close)
        self.engine.new_game("connect4", 8, 8)

    def test_infos_arrive_while_the_search_runs(self) -> None:
        depths = []
        with self.engine.analysis() as search:
            for info in search:
                depths.append(info.depth)
                self.assertEqual(search.info, info)
                if info.depth >= 5:
                    break
            self.assertFalse(search.is_over)
        self.assertTrue(search.is_over)
        self.assertEqual(depths, sorted(depths))
        self.assertEqual(search.wait().multipv, search.multipv)
        self.assertIn(search.wait().best, self.engine.moves())

    def test_the_iteration_ends_with_the_search(self) -> None:
        with self.engine.analysis(depth=6, multipv=2) as search:
            infos = list(search)
        self.assertEqual({info.multipv for info in infos if info.depth == 6}, {1, 2})
        self.assertEqual(search.wait().best, search.multipv[0].pv[0])

    def test_stop_and_wait(self) -> None:
        search = self.engine.analysis(infinite=True)
        with self.assertRaisesRegex(TimeoutError, "not ended"):
            search.wait(timeout=0.1)
        with self.assertRaisesRegex(EngineError, "search in progress"):
            self.engine.moves()
        threading.Timer(0.1, self.engine.stop).start()
        self.assertIn(search.wait().best, self.engine.moves())
        search.stop()
        # A search that nobody waits for does not block the engine once it is stopped.
        self.engine.analysis()
        self.engine.stop()
        self.assertEqual(self.engine.side(), "p1")

    def test_pondering(self) -> None:
        self.engine.set_position(moves="4455")
        search = self.engine.analysis(ponder=True, movetime=50)
        with self.assertRaises(TimeoutError):
            search.wait(timeout=0.2)
        search.ponderhit()
        self.assertIn(search.wait(timeout=TIMEOUT).best, self.engine.moves())

    def test_a_rejected_search_is_over(self) -> None:
        self.engine.new_game("connect4", 25, 25)
        with self.assertRaisesRegex(EngineError, "solver"):
            for _ in self.engine.analysis(solve=True):
                pass
        self.assertEqual(self.engine.side(), "p1")

    def test_a_killed_engine_raises(self) -> None:
        search = self.engine.analysis()
        next(search)
        os.kill(self.engine.pid, signal.SIGTERM)
        with self.assertRaisesRegex(EngineTerminatedError, "has exited"):
            search.wait()
        with self.assertRaisesRegex(EngineTerminatedError, "has exited"):
            self.engine.moves()
        self.engine.close()
        self.assertFalse(is_running(self.engine.pid))
        with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
            self.engine.moves()

    def test_a_program_that_is_not_an_engine_raises(self) -> None:
        with self.assertRaisesRegex(EngineTerminatedError, r"exited \(status 0\)"):
            Engine("true")
        with self.assertRaisesRegex(EngineTerminatedError, "cat is not the engine: .* got isready"):
            Engine("cat")
        # Reads its input to the end before it prints anything.
        with patch("ratlla.engine.START_TIMEOUT", 0.1):
            with self.assertRaisesRegex(EngineTerminatedError, "got nothing within 0.1 seconds"):
                Engine("sort")

    def test_an_engine_that_is_not_closed_leaves_no_process(self) -> None:
        engine = Engine()
        engine.analysis()
        pid = engine.pid
        del engine
        gc.collect()
        self.assertFalse(is_running(pid))
        script = "import ratlla; e = ratlla.Engine(); e.analysis(); print(e.pid)"
        output = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        self.assertFalse(is_running(int(output.stdout)))


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_the_methods_are_those_of_the_engine(self) -> None:
        def public(kind: type) -> set[str]:
            return {name for name in vars(kind) if not name.startswith("_")} - {"pid"}

        self.assertEqual(public(AsyncEngine), public(Engine))
        async with AsyncEngine(options={"Hash": 16}) as engine:
            self.assertEqual(await engine.option("Hash"), 16)
            await engine.new_game("kalah", 3, 2)
            await engine.make_move(2)
            self.assertEqual(str((await engine.solve()).score), "margin 4")
            with self.assertRaisesRegex(EngineError, "9"):
                await engine.make_move(9)
            # Tasks take turns.
            sides = await asyncio.gather(*(engine.side() for _ in range(5)))
            self.assertEqual(sides, ["p1"] * 5)
        with self.assertRaises(RuntimeError):
            await engine.side()

    async def test_streaming(self) -> None:
        async with AsyncEngine() as engine:
            await engine.new_game("connect4", 8, 8)
            async with await engine.analysis(infinite=True) as search:
                async for info in search:
                    if info.depth >= 4:
                        search.stop()
            self.assertTrue(search.is_over)
            self.assertIn((await search.wait()).best, await engine.moves())
            async with await engine.analysis(infinite=True) as search:
                pass
            self.assertEqual(await engine.side(), "p1")

    async def test_cancelling_a_task_stops_its_search(self) -> None:
        async with AsyncEngine() as engine:
            await engine.new_game("connect4", 8, 8)
            for delay in (0.0, 0.3):
                task = asyncio.create_task(engine.analyse(movetime=600_000))
                await asyncio.sleep(delay)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertEqual(await asyncio.wait_for(engine.side(), TIMEOUT), "p1")


if __name__ == "__main__":
    unittest.main()
