// The socket to the server: starts engines there and carries their lines.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** Fires `open`, with the names of the engines known, and `lost`. */
export class Link extends EventTarget {
  engines = [];
  #socket = null;
  #listeners = new Map();
  #next = 1;
  #wait = FIRST_WAIT;
  #isOpen = false;
  #ready = Promise.withResolvers();

  constructor(url) {
    super();
    this.#connect(url);
  }

  #connect(url) {
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#take(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.#isOpen) this.#ready = Promise.withResolvers();
      this.#isOpen = false;
      for (const id of [...this.#listeners.keys()]) this.#lose(id, "the connection was lost");
      this.dispatchEvent(new Event("lost"));
      setTimeout(() => this.#connect(url), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  #take(news) {
    if (news.engines) {
      this.engines = news.engines;
      this.#isOpen = true;
      this.#wait = FIRST_WAIT;
      this.#ready.resolve();
      this.dispatchEvent(new Event("open"));
    } else if (news.line) {
      this.#listeners.get(news.line.process)?.line(news.line.line);
    } else if (news.gone) {
      this.#lose(news.gone.process, news.gone.how);
    } else if (news.refused) {
      this.dispatchEvent(new CustomEvent("refused", { detail: news.refused.reason }));
    }
  }

  #lose(id, how) {
    const listener = this.#listeners.get(id);
    this.#listeners.delete(id);
    listener?.gone(how);
  }

  #write(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Resolves when engines can be started. */
  ready() {
    return this.#ready.promise;
  }

  /** Starts an engine of the list. `listener` has `line(text)` and `gone(how)`. */
  start(engine, listener) {
    const process = this.#next++;
    this.#listeners.set(process, listener);
    this.#write({ start: { process, engine } });
    return {
      send: (line) => this.#write({ send: { process, line } }),
      end: () => {
        this.#listeners.delete(process);
        this.#write({ end: { process } });
      },
    };
  }
}
