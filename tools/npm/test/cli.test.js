// The program of the package.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./node_modules/ratlla/src/cli.js", import.meta.url));

/** Runs it with these words. */
function run(words, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { input, encoding: "utf8" });
  return { status, lines: stdout.split("\n").slice(0, -1), stderr };
}

test("commands come from stdin", () => {
  const { status, lines } = run([], "nonsense\nposition moves 4\nmoves\ngo solve\n");
  assert.equal(status, 0);
  assert.match(lines[0], /^error unknown command 'nonsense'/);
  assert.equal(lines[1], "moves 1 2 3 4 5 6 7");
  assert.match(lines.at(-1), /^bestmove 4 /);
});

test("the command line is one command", () => {
  assert.deepEqual(run(["go", "perft", "1"]).lines.at(-1), "perft total 7");
  assert.deepEqual(run(["getoption", "name", "Hash"], "d\n").lines, ["option name Hash value 64"]);
  const search = run(["go  depth\n3"], "");
  assert.equal(search.status, 0);
  assert.match(search.lines.at(-1), /^bestmove \d/);
  const refused = run(["go", "depth", "x"]);
  assert.equal(refused.status, 1);
  assert.match(refused.lines[0], /^error go depth: expected a number/);
});

test("a search on the command line hears stop", async () => {
  const child = spawn(process.execPath, [program, "go", "infinite"], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stdout.once("data", () => child.stdin.write("stop\n"));
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0);
  assert.match(output, /\nbestmove \d.*\n$/);
});

test("help and version are printed", () => {
  for (const word of ["--help", "-h"]) assert.match(run([word]).lines.join("\n"), /usage: ratlla/);
  for (const word of ["--version", "-V"]) assert.deepEqual(run([word]).lines, ["ratlla 0.1.0"]);
});

test("modes of the native program are refused", () => {
  for (const mode of ["solve", "explain"]) {
    const { status, lines, stderr } = run([mode, "4"]);
    assert.equal(status, 2);
    assert.deepEqual(lines, []);
    assert.match(stderr, new RegExp(`^ratlla: '${mode}' is a mode of the native program; expected a command`));
  }
});
