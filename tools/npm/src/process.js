// An engine in a worker, as a process that reads and writes lines.

import { canSuspend, sharedHeap } from "./instance.js";
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

/** The number of processors, as far as the host tells. */
async function processorCount() {
  if (isNode) return (await import("node:os")).availableParallelism();
  return navigator.hardwareConcurrency ?? 1;
}

/** A module, and what an engine needs to run it: that with threads where memory can be shared. */
async function loadModule(urls) {
  if (canShare && urls.threads) {
    try {
      return { module: await compiled(urls.threads), heap: sharedHeap(), processors: await processorCount() };
    } catch (error) {
      // Too little memory to share, say: the other module does the same on one thread.
      console.info(`without threads: ${error.message}`);
    }
  }
  return { module: await compiled(urls.single) };
}

/** The most threads that an engine can use here if there is a module with threads. */
export async function mostThreads() {
  return canShare ? processorCount() : 1;
}

async function newWorker(url, onMessage, onError) {
  const options = { type: "module", name: "ratlla" };
  const worker = isNode ? new (await import("node:worker_threads")).Worker(url) : new Worker(url, options);
  if (isNode) {
    worker.on("message", onMessage);
    worker.on("error", onError);
  } else {
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = onError;
  }
  return worker;
}

/** `onLine` gets each line that the engine writes, `onExit` the reason when it has ended by itself. */
export class EngineProcess {
  #worker;
  #helpers = [];
  #mailbox = canShare ? new MailboxWriter(() => this.#post(null)) : null;
  #encoder = new TextEncoder();
  #ended = false;

  constructor({ onLine, onExit, wasm, wasmThreads, worker }) {
    const urls = {
      single: new URL(wasm ?? new URL("./ratlla.wasm", import.meta.url)),
      threads: wasmThreads && new URL(wasmThreads),
    };
    const workerUrl = new URL(worker ?? new URL("./worker.js", import.meta.url));
    const exited = (status) => {
      if (this.#ended) return;
      this.end();
      onExit(status);
    };
    const deliver = (line) => {
      try {
        onLine(line);
      } catch (error) {
        // Reported as uncaught, but the other lines are still delivered: somebody may wait for them.
        queueMicrotask(() => {
          throw error;
        });
      }
    };
    const receive = (message) => {
      if (this.#ended) return;
      if (typeof message === "string") message.split("\n").forEach(deliver);
      else exited(message.exited);
    };
    this.#worker = this.#start(urls, workerUrl, receive, exited);
    this.#worker.catch((error) => exited(`cannot start: ${error.message}`));
  }

  async #start(urls, workerUrl, receive, exited) {
    if (!isSupported) throw new Error("this browser has neither shared memory nor WebAssembly.Suspending");
    const loaded = await loadModule(urls);
    const failed = (error) => exited(`the worker failed: ${error.message}`);
    const addHelper = async (helper) => {
      if (this.#ended) return;
      const worker = newWorker(workerUrl, receive, failed);
      this.#helpers.push(worker);
      const { module, heap } = loaded;
      (await worker).postMessage({ module, heap, helper });
    };
    const dispatch = (message) => (message.helper ? addHelper(message.helper).catch(failed) : receive(message));
    const worker = await newWorker(workerUrl, dispatch, failed);
    worker.postMessage({ ...loaded, memory: this.#mailbox?.memory });
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
    for (const next of [this.#worker, ...this.#helpers]) next.then((worker) => worker.terminate()).catch(() => {});
  }
}
