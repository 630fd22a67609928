// The WebSocket to the server, which starts engines and forwards their lines.

const FIRST_RETRY = 300;
const LONGEST_RETRY = 5000;

/** Fires `open` once the list of engines is known, `lost`, and `rejected` with a reason. */
export class Connection extends EventTarget {
  /** The names of the engines. */
  engines = [];
  #socket = null;
  #listeners = new Map();
  #nextProcess = 1;
  #retryDelay = FIRST_RETRY;
  #isOpen = false;
  #ready = Promise.withResolvers();

  constructor(url) {
    super();
    this.#connect(url);
  }

  #connect(url) {
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.#isOpen) this.#ready = Promise.withResolvers();
      this.#isOpen = false;
      for (const process of [...this.#listeners.keys()]) this.#remove(process, "connection lost");
      this.dispatchEvent(new Event("lost"));
      setTimeout(() => this.#connect(url), this.#retryDelay);
      this.#retryDelay = Math.min(this.#retryDelay * 2, LONGEST_RETRY);
    });
  }

  #receive({ engines, line, exited, rejected }) {
    if (engines) {
      this.engines = engines;
      this.#isOpen = true;
      this.#retryDelay = FIRST_RETRY;
      this.#ready.resolve();
      this.dispatchEvent(new Event("open"));
    } else if (line) {
      this.#listeners.get(line.process)?.onLine(line.line);
    } else if (exited) {
      this.#remove(exited.process, exited.status);
    } else if (rejected) {
      this.dispatchEvent(new CustomEvent("rejected", { detail: rejected.reason }));
    }
  }

  #remove(process, status) {
    const listener = this.#listeners.get(process);
    this.#listeners.delete(process);
    listener?.onExit(status);
  }

  #send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Resolves when engines can be started. */
  ready() {
    return this.#ready.promise;
  }

  /** Starts an engine of the list. `listener` has `onLine(text)` and `onExit(status)`. */
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
