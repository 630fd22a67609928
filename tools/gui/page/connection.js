// Where engines run: below the server at the other end of a WebSocket, or in workers of this page. Both
// connections have the same interface: `engines`, `mostThreads`, `linkBase`, `ready()`, `start()` and the events.

import { t } from "./i18n.js";

const FIRST_RETRY = 300;
const LONGEST_RETRY = 5000;

/** The connection of this edition of the page: the static one says where its engine is. */
export function openConnection() {
  const engine = document.querySelector("meta[name=ratlla-engine]");
  const { threads } = engine?.dataset ?? {};
  if (engine) return new WorkerConnection(new URL(engine.content, document.baseURI), threads && new URL(threads, document.baseURI));
  const url = new URL("engines", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new SocketConnection(url);
}

/**
 * A server that starts engines and forwards their lines. Fires `open` once the list of engines is known,
 * `lost`, and `rejected` with a reason.
 */
class SocketConnection extends EventTarget {
  /** The names of the engines. */
  engines = [];
  /** The most threads that an engine can use, as far as this page knows. */
  mostThreads = Infinity;
  /** What links to games begin with, if not with the page's address. */
  linkBase = null;
  #socket = null;
  #listeners = new Map();
  #nextProcess = 1;
  #retryDelay = FIRST_RETRY;
  #isOpen = false;
  #isLeft = false;
  #ready = Promise.withResolvers();

  constructor(url) {
    super();
    this.#connect(url);
    // A page that was left may be kept for "Back", for a long time: its engines must not be. When it is shown
    // again, it opens its stored game with new ones.
    window.addEventListener("pagehide", () => this.#leave());
    window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  }

  #leave() {
    this.#isLeft = true;
    this.#socket.close();
  }

  #connect(url) {
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.#isLeft) return;
      if (this.#isOpen) this.#ready = Promise.withResolvers();
      this.#isOpen = false;
      for (const process of [...this.#listeners.keys()]) this.#remove(process, "connection lost");
      this.dispatchEvent(new Event("lost"));
      setTimeout(() => this.#connect(url), this.#retryDelay);
      this.#retryDelay = Math.min(this.#retryDelay * 2, LONGEST_RETRY);
    });
  }

  #receive({ engines, share, line, exited, rejected }) {
    if (engines) {
      this.engines = engines;
      this.#isOpen = true;
      this.#retryDelay = FIRST_RETRY;
      this.#ready.resolve();
      this.dispatchEvent(new Event("open"));
    } else if (share) {
      this.linkBase = share;
    } else if (line) {
      this.#listeners.get(line.process)?.onLine(line.line);
    } else if (exited) {
      this.#remove(exited.process, exited.status);
    } else if (rejected?.process) {
      this.#refuse(rejected.process, rejected.reason);
    } else if (rejected) {
      this.dispatchEvent(new CustomEvent("rejected", { detail: rejected.reason }));
    }
  }

  #remove(process, status) {
    const listener = this.#listeners.get(process);
    this.#listeners.delete(process);
    listener?.onExit(status);
  }

  /** The server has not started an engine. */
  #refuse(process, reason) {
    const listener = this.#listeners.get(process);
    this.#listeners.delete(process);
    listener?.onRefusal(reason);
  }

  #send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Resolves when engines can be started. */
  ready() {
    return this.#ready.promise;
  }

  /** Starts an engine of the list. `listener` has `onLine(text)`, `onExit(status)` and `onRefusal(reason)`. */
  start(engine, listener) {
    const process = this.#nextProcess++;
    this.#listeners.set(process, listener);
    this.#send({ start: { process, engine } });
    return {
      send: (line) => this.#send({ send: { process, line } }),
      end: () => {
        this.#listeners.delete(process);
        this.#send({ end: { process } });
      },
    };
  }
}

/** An engine of this page, in a worker for each `start`. Fires `open`, or `rejected` with a reason. */
class WorkerConnection extends EventTarget {
  engines = ["ratlla"];
  mostThreads = 1;
  linkBase = null;
  #EngineProcess = null;
  #wasmThreads;
  #ready = Promise.withResolvers();

  /** `wasmThreads` is where the module with threads is, if there is one. */
  constructor(url, wasmThreads) {
    super();
    this.#wasmThreads = wasmThreads;
    this.#load(url);
  }

  async #load(url) {
    try {
      const { EngineProcess, isSupported, mostThreads } = await import(url);
      if (!isSupported) throw new Error(t("error.browser"));
      if (this.#wasmThreads) this.mostThreads = await mostThreads();
      this.#EngineProcess = EngineProcess;
    } catch (error) {
      this.dispatchEvent(new CustomEvent("rejected", { detail: error.message }));
      return;
    }
    this.#ready.resolve();
    this.dispatchEvent(new Event("open"));
  }

  ready() {
    return this.#ready.promise;
  }

  /** Only an engine that gets several threads uses the module that has them, so that others need not fetch it. */
  start(_engine, listener, { threads = 1 } = {}) {
    return new this.#EngineProcess({ ...listener, wasmThreads: threads > 1 ? this.#wasmThreads : undefined });
  }
}
