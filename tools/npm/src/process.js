// An engine in a worker, as a process that reads and writes lines.

import { canSuspend } from "./instance.js";
import { MailboxWriter } from "./mailbox.js";

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
/** Whether a worker can be reached through shared memory: in a browser, only on an isolated page. */
const canShare = typeof SharedArrayBuffer !== "undefined" && (isNode || globalThis.crossOriginIsolated === true);
const modules = new Map();

/** Whether engines can be reached while they search: without, there is no engine. */
export const isSupported = canShare || canSuspend;

async function bytesOf(url) {
  if (isNode && url.protocol === "file:") {
    return (await import("node:fs/promises")).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** The module at a URL, compiled once. */
function compiled(url) {
  if (!modules.has(url.href)) {
    const module = bytesOf(url).then((bytes) => WebAssembly.compile(bytes));
    modules.set(url.href, module);
    module.catch(() => modules.delete(url.href));
  }
  return modules.get(url.href);
}

async function newWorker(url) {
  const options = { type: "module", name: "ratlla" };
  return isNode ? new (await import("node:worker_threads")).Worker(url) : new Worker(url, options);
}

/** `onLine` gets each line that the engine writes, `onExit` the reason when it has ended by itself. */
export class EngineProcess {
  #worker;
  #mailbox = canShare ? new MailboxWriter(() => this.#post(null)) : null;
  #encoder = new TextEncoder();
  #ended = false;

  constructor({ onLine, onExit, wasm, worker }) {
    const wasmUrl = new URL(wasm ?? new URL("./ratlla.wasm", import.meta.url));
    const workerUrl = new URL(worker ?? new URL("./worker.js", import.meta.url));
    const exited = (status) => {
      if (this.#ended) return;
      this.end();
      onExit(status);
    };
    const receive = (message) => {
      if (this.#ended) return;
      if (typeof message === "string") message.split("\n").forEach(onLine);
      else exited(message.exited);
    };
    this.#worker = this.#start(wasmUrl, workerUrl, receive, exited);
    this.#worker.catch((error) => exited(`cannot start: ${error.message}`));
  }

  async #start(wasmUrl, workerUrl, receive, exited) {
    if (!isSupported) throw new Error("this browser has neither shared memory nor WebAssembly.Suspending");
    const module = await compiled(wasmUrl);
    const worker = await newWorker(workerUrl);
    const failed = (error) => exited(`the worker failed: ${error.message}`);
    if (isNode) {
      worker.on("message", receive);
      worker.on("error", failed);
    } else {
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = failed;
    }
    worker.postMessage({ module, memory: this.#mailbox?.memory });
    return worker;
  }

  #post(message) {
    this.#worker.then((worker) => this.#ended || worker.postMessage(message)).catch(() => {});
  }

  /** Sends a line. */
  send(line) {
    if (this.#mailbox) this.#mailbox.write(this.#encoder.encode(`${line}\n`));
    else this.#post(line);
  }

  /** There will be no more lines: the engine exits when it is done. */
  finish() {
    if (this.#mailbox) this.#mailbox.end();
    else this.#post({ end: true });
  }

  /** Ends the engine at once. */
  end() {
    this.#ended = true;
    this.#worker.then((worker) => worker.terminate()).catch(() => {});
  }
}
