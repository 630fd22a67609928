import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, EngineError } from "ratlla";
import { withEngine } from "./with_engine.js";

/** Resolves to the next line of this form. */
const nextLine = (engine, form) =>
  new Promise((resolve) => {
    engine.onLine = (line) => form.test(line) && resolve(line);
  });

test("a position is solved", () =>
  withEngine(async (engine) => {
    const solved = await engine.solve({ game: "connect4 6 7", moves: "" });
    assert.deepEqual(solved.score, { kind: "win", value: 41 });
    assert.equal(solved.bestMove, "4");
    assert.equal(solved.pv[0], "4");
    const other = await engine.solve({ moves: ["2", "2", 3, 3, 4, 4] });
    assert.deepEqual(other.score, { kind: "win", value: 1 });
  }));

test("every move is scored, and searches report on their way", () =>
  withEngine(async (engine) => {
    const infos = [];
    const found = await engine.analyse({ game: "kalah 3 2", depth: 6, onInfo: (info) => infos.push(info) });
    assert.deepEqual(found.scores.map(({ move }) => move), ["1", "2", "3"]);
    assert.ok(found.scores.some(({ move }) => move === found.bestMove));
    assert.ok(infos.length > 0 && infos.every(({ pv, score }) => pv.length > 0 && score));
    const { bestMove, lines } = await engine.search({ game: "wali", movetime: 100 });
    assert.match(bestMove, /^[a-f][1-5]$/);
    assert.equal(lines.length, 1);
  }));

test("a finished game has no move", () =>
  withEngine(async (engine) => {
    const { bestMove, score } = await engine.search({ game: "connect4", moves: "1212121" });
    assert.equal(bestMove, null);
    assert.equal(score?.kind ?? "loss", "loss");
  }));

test("errors reject and change nothing", () =>
  withEngine(async (engine) => {
    await engine.ask("newgame 6 7", "position moves 4 4");
    await assert.rejects(engine.search({ moves: "9" }), EngineError);
    await assert.rejects(engine.ask("nonsense"), /unknown command 'nonsense'/);
    await assert.rejects(engine.solve({ game: "connect4 25 25" }), /no solver/);
    await engine.ask("newgame 6 7");
    assert.deepEqual(await engine.ask("moves"), ["moves 1 2 3 4 5 6 7"]);
  }));

test("a running search answers and stops", () =>
  withEngine(async (engine) => {
    engine.send("newgame 10 10");
    engine.send("go infinite");
    await nextLine(engine, /^info depth 5 /);
    const ready = nextLine(engine, /^readyok$/);
    engine.send("isready");
    await ready;
    const start = performance.now();
    const best = nextLine(engine, /^bestmove \d+/);
    engine.send("stop");
    await best;
    assert.ok(performance.now() - start < 2000);
    // A search that has nothing left to do waits for the stop, too.
    engine.send("newgame 4 4 3");
    engine.send("go infinite");
    await nextLine(engine, /^info nodes/);
    const waiting = nextLine(engine, /^bestmove/);
    engine.send("stop");
    await waiting;
  }));

test("a search is aborted by a signal", () =>
  withEngine(async (engine) => {
    const controller = new AbortController();
    const { signal } = controller;
    const onInfo = () => controller.abort();
    const found = await engine.search({ game: "connect4 12 12", depth: 100, signal, onInfo });
    assert.match(found.bestMove, /^\d+$/);
    await assert.rejects(engine.search({ signal }), { name: "AbortError" });
    // While the position is set up, too.
    const early = new AbortController();
    const aborted = engine.search({ depth: 100, signal: early.signal });
    early.abort();
    await assert.rejects(aborted, { name: "AbortError" });
  }));

test("long lines and many lines arrive", () =>
  withEngine(async (engine) => {
    const moves = Array.from({ length: 40_000 }, () => "4 4").join(" ");
    await assert.rejects(engine.ask(`position moves ${moves}`), /column 4|full|over/);
    const replies = [];
    const last = new Promise((resolve) => {
      engine.onLine = (line) => (line === "result none" ? resolve() : replies.push(line));
    });
    for (let count = 0; count < 20_000; count += 1) engine.send("isready");
    engine.send("result");
    await last;
    assert.equal(replies.length, 20_000);
    assert.ok(replies.every((line) => line === "readyok"));
  }));

test("an engine that has ended says so", async () => {
  const engine = new Engine();
  const exited = new Promise((resolve) => (engine.onExit = resolve));
  engine.send("quit");
  assert.equal(await exited, "done");
  await assert.rejects(engine.solve(), /the engine has ended: done/);
  const broken = new Engine({ wasm: "file:///nowhere.wasm" });
  await assert.rejects(broken.ask("d"), /cannot start/);
});
