// Calls made at the same time, and calls that are wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, EngineError } from "ratlla";
import { withEngine } from "./with_engine.js";

/** Positions of several games with scores that differ. */
const POSITIONS = [
  { game: "connect4 6 7", moves: "4444413", score: { kind: "loss", value: 34 } },
  { game: "kalah 3 2", moves: "", score: { kind: "margin", value: 4 } },
  { game: "connect4 4 4 3", moves: "", score: { kind: "win", value: 9 } },
  { game: "wali 3 3 4", moves: "", score: { kind: "draw" } },
];

async function stateOf(engine) {
  const [line] = await engine.ask("state");
  return JSON.parse(line.slice("state ".length));
}

test("calls made at the same time are carried out one after another", () =>
  withEngine(async (engine) => {
    const calls = POSITIONS.map(({ game, moves }) => engine.solve({ game, moves }));
    const states = [];
    for (const { game, moves } of POSITIONS) {
      calls.push(engine.search({ game, moves, depth: 3 }));
      states.push(stateOf(engine));
    }
    const solved = (await Promise.all(calls)).slice(0, POSITIONS.length);
    assert.deepEqual(solved.map(({ score }) => score), POSITIONS.map(({ score }) => score));
    const games = (await Promise.all(states)).map(({ name }) => name);
    assert.deepEqual(games, ["connect4", "kalah", "connect4", "wali"]);
  }));

test("a signal reaches its own call only", () =>
  withEngine(async (engine) => {
    const [first, second] = [new AbortController(), new AbortController()];
    let isDone = false;
    let running;
    const hasBegun = new Promise((onInfo) => {
      running = engine.search({ game: "connect4 12 12", depth: 100, signal: first.signal, onInfo });
      running.finally(() => (isDone = true));
    });
    await hasBegun;
    const waiting = engine.search({ game: "kalah", depth: 100, signal: second.signal });
    const state = stateOf(engine);
    second.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    assert.ok(!isDone, "the other search goes on");
    first.abort();
    assert.ok((await running).depth < 100);
    assert.equal((await state).game, "connect4 12 12 4", "nothing of the aborted call was sent");
  }));

test("an exception of onInfo stops the search and rejects it", () =>
  withEngine(async (engine) => {
    let calls = 0;
    const onInfo = () => {
      calls += 1;
      throw new RangeError("mine");
    };
    await assert.rejects(engine.search({ game: "connect4 12 12", depth: 100, onInfo }), { name: "RangeError", message: "mine" });
    assert.equal(calls, 1);
    assert.deepEqual(await engine.ask("moves"), ["moves 1 2 3 4 5 6 7 8 9 10 11 12"]);
  }));

test("isready is a question like others", () =>
  withEngine(async (engine) => {
    assert.deepEqual(await engine.ask("isready"), ["readyok"]);
    assert.deepEqual(await engine.ask("result", " isready ", "isready"), ["result none", "readyok", "readyok"]);
    assert.deepEqual(await engine.ask("result"), ["result none"]);
    await assert.rejects(engine.ask("isready now"), EngineError);
    assert.deepEqual(await engine.ask("version"), ["version 0.1.0"]);
  }));

test("commands that ask cannot wait for are refused", () =>
  withEngine(async (engine) => {
    const commands = ["go depth 3", "go infinite", "analyze", "analyse", "explain", "why not 3", "tree", "bench", "uci", "ugi"];
    for (const command of commands) {
      const [name] = command.split(" ");
      await assert.rejects(engine.ask("play 4", `  ${command}`), {
        name: "TypeError",
        message: new RegExp(`^ask cannot wait for '${name}': use (search or solve|analyse|send and onLine)$`),
      });
    }
    assert.deepEqual((await stateOf(engine)).history, []);
  }));

test("a line break is no second command", () =>
  withEngine(async (engine) => {
    const refusal = { name: "TypeError", message: /^a command must be a single line \(got a line break after '/ };
    for (const text of ["\nquit", "\rquit", "\r\nquit\n"]) {
      for (const options of [
        { game: `connect4 6 7${text}` },
        { position: `startpos${text}` },
        { moves: `4${text}` },
        { moves: [`4${text}`] },
        { searchmoves: `4 5${text}` },
        { depth: `2${text}` },
      ]) {
        await assert.rejects(engine.search({ game: "kalah", depth: 2, ...options }), refusal);
      }
      await assert.rejects(engine.ask(`d${text}`), refusal);
      assert.throws(() => engine.send(`d${text}`), refusal);
    }
    assert.equal((await stateOf(engine)).game, "connect4 6 7 4", "nothing was sent");
  }));

test("unknown options are refused", () =>
  withEngine(async (engine) => {
    for (const method of ["search", "analyse", "solve"]) {
      const message = /^unknown option 'dept': expected game, .*depth/;
      await assert.rejects(engine[method]({ dept: 3 }), { name: "TypeError", message });
    }
    assert.throws(() => new Engine({ wasmthreads: "" }), { message: /'wasmthreads': expected .*wasmThreads/ });
  }));

test("a search may be limited to some moves", () =>
  withEngine(async (engine) => {
    const { bestMove } = await engine.search({ game: "connect4", searchmoves: "1", depth: 4 });
    assert.equal(bestMove, "1");
    const { scores } = await engine.analyse({ game: "connect4 4 4 3", searchmoves: [1, 3], nodes: 1_000_000 });
    assert.deepEqual(scores, [
      { move: "1", score: { kind: "win", value: 15 } },
      { move: "3", score: { kind: "win", value: 9 } },
    ]);
  }));

test("an answer to a line that was sent is not that to a call", () =>
  withEngine(async (engine) => {
    for (let count = 0; count < 3; count += 1) {
      engine.send("isready");
      engine.send(" isready ");
      const [moves, result, ready] = await Promise.all(["moves", "result", "isready"].map((line) => engine.ask(line)));
      assert.equal(moves.at(-1), "moves 1 2 3 4 5 6 7");
      assert.equal(result.at(-1), "result none");
      assert.equal(ready.at(-1), "readyok");
    }
    // None of them is left to be taken for an answer to this.
    assert.deepEqual(await engine.ask("moves"), ["moves 1 2 3 4 5 6 7"]);
  }));

test("an exception of onLine loses no other line", async () => {
  const expected = new RangeError("mine");
  const thrown = [];
  const catcher = (error) => thrown.push(error);
  process.prependListener("uncaughtException", catcher);
  const others = process.listeners("uncaughtException").filter((listener) => listener !== catcher);
  others.forEach((listener) => process.off("uncaughtException", listener));
  try {
    await withEngine(async (engine) => {
      const options = (await engine.ask("options")).filter((line) => line.startsWith("option "));
      engine.onLine = () => {
        throw expected;
      };
      // Many lines may come at a time.
      assert.equal((await engine.ask("options")).filter((line) => line.startsWith("option ")).length, options.length);
      assert.equal((await engine.search({ depth: 4 })).depth, 4);
    });
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.ok(thrown.length > 2 && thrown.every((error) => error === expected));
  } finally {
    others.forEach((listener) => process.on("uncaughtException", listener));
    process.off("uncaughtException", catcher);
  }
});
