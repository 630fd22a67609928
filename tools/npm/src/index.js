// The engine for programs: lines, and promises of what a few commands find.

import { EngineProcess } from "./process.js";
import { parseInfo, parseSearch } from "./replies.js";

/** The engine refused a command, or has ended. */
export class EngineError extends Error {
  name = "EngineError";
}

const LIMITS = ["depth", "nodes", "movetime"];
/** Milliseconds of a search without a limit. */
const DEFAULT_TIME = 1000;

/** `["4", "4"]`, `"4 4"` or, where moves are single characters, `"44"`. */
function moveWords(moves) {
  if (typeof moves !== "string") return moves;
  return /\s/.test(moves.trim()) ? moves.trim().split(/\s+/) : [...moves.trim()];
}

function limitWords(options) {
  return LIMITS.flatMap((name) => (options[name] === undefined ? [] : [name, options[name]]));
}

/** The options, with a time limit if there is no other. */
function limited(options) {
  const isLimited = LIMITS.some((name) => options[name] !== undefined);
  return isLimited ? options : { ...options, movetime: DEFAULT_TIME };
}

export class Engine {
  /** Called with each line of the engine. */
  onLine = () => {};
  /** Called when the engine has ended by itself, with the reason. */
  onExit = () => {};
  #process;
  #pending = null;
  #last = Promise.resolve();
  #exited = null;

  constructor(options = {}) {
    this.#process = new EngineProcess({
      ...options,
      onLine: (line) => {
        this.#pending?.onLine(line);
        this.onLine(line);
      },
      onExit: (status) => {
        this.#exit(status);
        this.onExit(status);
      },
    });
  }

  #exit(status) {
    this.#exited ??= new EngineError(`the engine has ended: ${status}`);
    this.#pending?.reject(this.#exited);
  }

  /** Sends a line of the protocol. */
  send(line) {
    this.#process.send(line);
  }

  /** Ends the engine at once. */
  end() {
    this.#process.end();
    this.#exit("end was called");
  }

  /** Sends lines and resolves to the replies up to the first for which `isLast` is true. */
  #exchange(lines, isLast, onReply = () => {}) {
    const start = () =>
      new Promise((resolve, reject) => {
        if (this.#exited) throw this.#exited;
        const replies = [];
        const onLine = (line) => {
          replies.push(line);
          onReply(line);
          if (isLast(line)) resolve(replies);
        };
        this.#pending = { onLine, reject };
        for (const line of lines) this.send(line);
      });
    const replies = this.#last.then(start).finally(() => (this.#pending = null));
    this.#last = replies.catch(() => {});
    return replies;
  }

  /** Sends commands that are answered at once, and resolves to the lines of their replies. */
  async ask(...lines) {
    const replies = await this.#exchange([...lines, "isready"], (line) => line === "readyok");
    const error = replies.find((line) => line.startsWith("error "));
    if (error) throw new EngineError(error.slice("error ".length));
    return replies.slice(0, -1);
  }

  async #search(command, { game, position = "startpos", moves = [], onInfo, signal, ...limits }) {
    signal?.throwIfAborted();
    const words = moveWords(moves);
    const setup = words.length > 0 ? `position ${position} moves ${words.join(" ")}` : `position ${position}`;
    await this.ask(...(game === undefined ? [] : [`newgame ${game}`]), setup);
    signal?.throwIfAborted();
    const onReply = (line) => {
      const info = onInfo && parseInfo(line);
      if (info) onInfo(info);
    };
    const isLast = (line) => line.startsWith("bestmove") || line.startsWith("error ");
    const replies = this.#exchange([[...command, ...limitWords(limits)].join(" ")], isLast, onReply);
    const stop = () => this.send("stop");
    signal?.addEventListener("abort", stop);
    try {
      const lines = await replies;
      if (lines.at(-1).startsWith("error ")) throw new EngineError(lines.at(-1).slice("error ".length));
      return parseSearch(lines);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Searches for the best move. Without a limit, for a second. */
  search(options = {}) {
    return this.#search(["go"], limited(options));
  }

  /** Scores every move: exactly where a solver finishes within the limits. Without a limit, for a second. */
  analyse(options = {}) {
    return this.#search(["analyze"], limited(options));
  }

  /** Solves the position. */
  solve(options = {}) {
    return this.#search(["go", "solve"], options);
  }
}
