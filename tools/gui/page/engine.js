// One engine, which is started when it is first used, and again after it has exited.

import { parseOptions } from "./protocol.js";

/** Reply timeout of all commands but searches, in milliseconds. */
const TIMEOUT = 10_000;

/** The engine has exited or does not reply. The next command starts it again. */
export class EngineExited extends Error {}

/** The engine replied with an error, or must not be started. */
export class EngineError extends Error {}

export class Engine {
  #connection;
  #index;
  #settings;
  #process = null;
  #pending = null;
  #last = Promise.resolve();
  #game = null;

  /** `settings` has `threads`, the number that the engine will be told to use, unless it is 1. */
  constructor(connection, index = 0, settings = {}) {
    this.#connection = connection;
    this.#index = index;
    this.#settings = settings;
  }

  /**
   * Sends lines and resolves to the replies up to the first for which `isLast` is true. Exchanges run
   * one after the other; one that is no longer current when its turn comes is skipped.
   */
  exchange(lines, { isLast, onLine = () => {}, timeout = TIMEOUT, isCurrent = () => true }) {
    const start = () => (isCurrent() ? this.#exchange(lines, isLast, onLine, timeout) : []);
    const replies = this.#last.then(() => this.#connection.ready()).then(start);
    this.#last = replies.catch(() => {});
    return replies;
  }

  async #exchange(lines, isLast, onLine, timeout) {
    this.#process ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers();
    const replies = [];
    const expire = () => {
      this.end();
      reject(new EngineExited("no reply"));
    };
    const timer = Number.isFinite(timeout) ? setTimeout(expire, timeout) : 0;
    this.#pending = {
      onLine: (text) => {
        replies.push(text);
        onLine(text);
        if (isLast(text)) resolve(replies);
      },
      onExit: (status) => reject(new EngineExited(status)),
      onRefusal: (reason) => reject(new EngineError(reason)),
    };
    for (const line of lines) this.#process.send(line);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending = null;
    }
  }

  #start() {
    const forget = () => {
      this.#process = null;
      this.#game = null;
    };
    const listener = {
      onLine: (text) => this.#pending?.onLine(text),
      onExit: (status) => {
        forget();
        this.#pending?.onExit(status);
      },
      onRefusal: (reason) => {
        forget();
        this.#pending?.onRefusal(reason);
      },
    };
    return this.#connection.start(this.#index, listener, this.#settings);
  }

  /** Sends commands that are answered at once and resolves to the replies. */
  async ask(lines) {
    const replies = await this.exchange([...lines, "isready"], { isLast: (line) => line === "readyok" });
    const error = replies.find((line) => line.startsWith("error "));
    if (error) throw new EngineError(error.slice("error ".length));
    return replies.slice(0, -1);
  }

  /** Sets up a game and a position, and sends more commands. */
  async setPosition(game, position, lines = []) {
    const newGame = this.#game === game ? [] : [`newgame ${game}`];
    this.#game = null;
    const replies = await this.ask([...newGame, position, ...lines]);
    this.#game = game;
    return replies;
  }

  /** Searches with a `go` or `analyze` command and resolves to the replies. */
  search(command, { onLine, timeout = Infinity, isCurrent }) {
    const isLast = (text) => /^(bestmove\b|error (go|analyze)\b)/.test(text);
    return this.exchange([command], { isLast, onLine, timeout, isCurrent });
  }

  /** Stops a search, which then ends with its best move. */
  stop() {
    if (this.#pending) this.#process?.send("stop");
  }

  /** The engine's options in a game. */
  async options(game) {
    return parseOptions(await this.setPosition(game, "position startpos", ["options"]));
  }

  /** Ends the process. */
  end() {
    this.#process?.end();
    this.#process = null;
    this.#game = null;
    this.#pending?.onExit("ended");
  }
}
