#!/usr/bin/env node
// The engine on stdin and stdout, for programs that start engines as processes.

import { createInterface } from "node:readline";
import { EngineProcess } from "./process.js";

const engine = new EngineProcess({
  onLine: (line) => process.stdout.write(`${line}\n`),
  onExit: (status) => {
    if (status !== "done") console.error(`ratlla: ${status}`);
    process.exitCode = status === "done" ? 0 : 1;
    input.close();
  },
});
const input = createInterface({ input: process.stdin });
input.on("line", (line) => engine.send(line));
input.on("close", () => engine.finish());
