#!/usr/bin/env node
// The engine on stdin and stdout, for programs that start engines as processes, or for one command.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { EngineProcess } from "./process.js";

const { version } = createRequire(import.meta.url)("../package.json");

const USAGE = `\
A game engine for Connect Four, Conecta-4 BOOM, Wali and Kalah with a UCI-style protocol.

usage: ratlla                  read commands from stdin until its end or 'quit'
       ratlla COMMAND...       carry out one command, e.g. 'ratlla go depth 12'
       ratlla --help | --version

Commands to begin with: newgame 6 7, position moves 4 4 3, go movetime 500, go solve, analyze, d, eval,
options, bench. 'ratlla help' lists all of them.
`;

/** Modes of the native program: its arguments are not commands. */
const NATIVE_MODES = ["solve", "explain"];

/** Carries out one command, or those on stdin if it is empty. */
function run(command) {
  // A search is done when it says so, and until then hears what comes on stdin; all else is answered at once.
  const isSearch = /^(go(?! perft)|analy[sz]e|why)( |$)/.test(command);
  const engine = new EngineProcess({
    onLine: (line) => {
      process.stdout.write(`${line}\n`);
      if (command === "") return;
      const isError = line.startsWith("error ");
      if (isError) process.exitCode = 1;
      if (isError || line.startsWith("bestmove")) engine.finish();
    },
    onExit: (status) => {
      if (status !== "done") {
        console.error(`ratlla: ${status}`);
        process.exitCode = 1;
      }
      input?.close();
    },
  });
  if (command !== "") engine.send(command);
  const input = command === "" || isSearch ? createInterface({ input: process.stdin }) : null;
  input?.on("line", (line) => engine.send(line));
  input?.on("close", () => engine.finish());
  if (!input) engine.finish();
}

const [first, ...rest] = process.argv.slice(2);
if (NATIVE_MODES.includes(first)) {
  console.error(`ratlla: '${first}' is a mode of the native program; expected a command, such as 'go solve'`);
  process.exitCode = 2;
} else if (rest.length === 0 && ["--help", "-h"].includes(first)) {
  process.stdout.write(USAGE);
} else if (rest.length === 0 && ["--version", "-V"].includes(first)) {
  console.log(`ratlla ${version}`);
} else {
  run([first ?? "", ...rest].join(" ").trim().replace(/\s+/g, " "));
}
