import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import workerThreads from "node:worker_threads";
import { Engine } from "ratlla";

// The environment variable has the path of the module with threads, which is not part of the package.
const path = process.env.RATLLA_WASM_THREADS;
const skip = path ? false : "there is no module with threads";
const newEngine = () => new Engine({ wasmThreads: pathToFileURL(path) });

const POSITIONS = [
  ["connect4 6 7", "4444"],
  ["connect4 6 7", "44444137"],
  ["connect4 6 7", "2252576253462244111563365343671351441"],
  ["connect4 5 6", ""],
  ["connect4 6 6", "33"],
  ["kalah 6 3", ""],
  ["kalah 5 4", "3"],
];

/** Workers that run. */
let workers = 0;
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(...all) {
    super(...all);
    workers += 1;
    this.on("exit", () => (workers -= 1));
  }
};
syncBuiltinESMExports();

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function exactScores(threads) {
  const engine = newEngine();
  await engine.ask(`setoption name Threads value ${threads}`, "setoption name OwnBook value false");
  const scores = [];
  for (const [game, moves] of POSITIONS) {
    const { score } = await engine.solve({ game, moves });
    scores.push(score);
  }
  const started = workers;
  engine.end();
  while (workers > 0) await pause(10);
  return { scores, started };
}

/** Resolves to the next line of this form. */
const nextLine = (engine, form) =>
  new Promise((resolve) => {
    engine.onLine = (line) => form.test(line) && resolve(line);
  });

test("two threads find the scores that one finds", { skip }, async () => {
  const one = await exactScores(1);
  const two = await exactScores(2);
  assert.deepEqual(two.scores, one.scores);
  assert.equal(one.started, 1);
  assert.equal(two.started, availableParallelism() > 1 ? 2 : 1);
});

test("searches on threads answer and stop at any time", { skip }, async () => {
  const engine = newEngine();
  engine.send("setoption name Threads value 2");
  for (let round = 0; round < 60; round += 1) {
    engine.send(["newgame 10 10", "newgame 6 7", "newgame wali", "newgame kalah 6 4", "newgame boom"][round % 5]);
    engine.send("setoption name OwnBook value false");
    engine.send(["go infinite", "analyze infinite"][round % 2]);
    if (round % 3 > 0) await pause((round * 7) % 50);
    const ready = nextLine(engine, /^readyok$/);
    engine.send("isready");
    await ready;
    const best = nextLine(engine, /^bestmove /);
    engine.send("stop");
    await best;
  }
  engine.end();
});

test("engines that search on threads are ended and replaced", { skip }, async () => {
  for (let round = 0; round < 12; round += 1) {
    const engine = newEngine();
    engine.send("setoption name Threads value 2");
    engine.send("newgame 12 12");
    engine.send("go infinite");
    if (round % 3 > 0) await nextLine(engine, new RegExp(`^info depth ${round} `));
    if (round % 2 > 0) {
      engine.end();
    } else {
      const exited = new Promise((resolve) => (engine.onExit = resolve));
      engine.send("quit");
      assert.equal(await exited, "done");
    }
  }
  while (workers > 0) await pause(10);
});
