// The worker around one engine, or one of its helpers, in a browser or in Node.
//
// The first message is `{ module, memory, heap, processors }`, the last two for a module with threads. With
// shared `memory` the lines are there, and a message only wakes the worker; without, each message is a line, or
// `{ end: true }` after the last one. The worker posts replies as strings, one or more lines each, and at the end
// `{ exited: status }`. It posts `{ helper }` to ask for another worker, with the message `{ module, heap, helper }`.

import { help, instantiate } from "./instance.js";

const port = globalThis.postMessage ? globalThis : (await import("node:worker_threads")).parentPort;
const encoder = new TextEncoder();
let engine = null;
let starting = null;
let running = false;
let woken = false;

function exit(status) {
  port.postMessage({ exited: status });
  engine?.close();
  if (port.removeAllListeners) port.removeAllListeners("message");
  port.close();
}

async function run() {
  woken = true;
  if (running) return;
  running = true;
  while (woken) {
    woken = false;
    if (!(await engine.run())) return exit("done");
  }
  running = false;
}

async function receive(message) {
  try {
    if (message?.helper) {
      await help(message.module, { heap: message.heap, ...message.helper });
    } else if (message?.module) {
      const { module, ...settings } = message;
      const onText = (text) => port.postMessage(text);
      starting = instantiate(module, { ...settings, onText, onHelper: (helper) => port.postMessage({ helper }) });
      engine = await starting;
    } else {
      await starting;
      if (typeof message === "string") engine.push(encoder.encode(`${message}\n`));
      else if (message?.end) engine.end();
      await run();
    }
  } catch (error) {
    exit(`the engine failed: ${error.message}`);
  }
}

if (port.on) port.on("message", receive);
else port.onmessage = ({ data }) => receive(data);
