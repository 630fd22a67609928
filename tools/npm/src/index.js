// The engine for programs: lines, and promises of what a few commands find.

import { askable, checkNames, limited, searchCommands, singleLine } from "./commands.js";
import { EngineProcess } from "./process.js";
import { parseInfo, parseSearch } from "./replies.js";

const ENGINE_OPTIONS = ["wasm", "wasmThreads", "worker"];
const ERROR = "error ";
const QUESTION = "isready";
const ANSWER = "readyok";

/** The engine refused a command, or has ended. */
export class EngineError extends Error {
  name = "EngineError";
}

/** The replies, unless one is an error. */
function accepted(replies) {
  const error = replies.find((line) => line.startsWith(ERROR));
  if (error) throw new EngineError(error.slice(ERROR.length));
  return replies;
}

export class Engine {
  /** Called with each line of the engine. */
  onLine = () => {};
  /** Called when the engine has ended by itself, with the reason. */
  onExit = () => {};
  #process;
  #pending = null;
  /** How often `isready` was sent, by whomever, without an answer so far. */
  #unanswered = 0;
  /** Resolves when all calls so far are done. */
  #last = Promise.resolve();
  #exited = null;

  constructor(options = {}) {
    checkNames(options, ENGINE_OPTIONS);
    this.#process = new EngineProcess({
      ...options,
      onLine: (line) => {
        if (line === ANSWER) this.#unanswered -= 1;
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
    const command = singleLine(line);
    if (command.trim() === QUESTION) this.#unanswered += 1;
    this.#process.send(command);
  }

  /** Ends the engine at once. */
  end() {
    this.#process.end();
    this.#exit("end was called");
  }

  /**
   * Does `work`, all of a call's commands and replies, when the earlier calls are done. If the signal is aborted
   * before, it is not done.
   */
  async #inTurn(work, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal?.addEventListener("abort", abort);
      const begin = () => {
        signal?.removeEventListener("abort", abort);
        signal?.throwIfAborted();
        return work();
      };
      this.#last = this.#last.then(begin).then(resolve, reject);
    });
  }

  /** Sends lines and resolves to the replies up to the first for which `isLast` is true. */
  async #exchange(lines, isLast) {
    try {
      return await new Promise((resolve, reject) => {
        if (this.#exited) throw this.#exited;
        const replies = [];
        const onLine = (line) => {
          replies.push(line);
          if (isLast(line)) resolve(replies);
        };
        this.#pending = { onLine, reject };
        for (const line of lines) this.send(line);
      });
    } finally {
      this.#pending = null;
    }
  }

  /** Sends commands that are answered at once, and resolves to the lines of their replies. */
  async #questions(lines) {
    // Others may have asked the same, in `lines` or with `send`: the last answer is that to the question added here.
    const isLast = (line) => line === ANSWER && this.#unanswered === 0;
    return accepted(await this.#exchange([...lines, QUESTION], isLast)).slice(0, -1);
  }

  /** Sends commands that are answered at once, and resolves to the lines of their replies. */
  async ask(...lines) {
    const commands = askable(lines);
    return this.#inTurn(() => this.#questions(commands));
  }

  async #search(command, options) {
    const { setup, search } = searchCommands(command, options);
    const { onInfo, signal } = options;
    const work = async () => {
      await this.#questions(setup);
      signal?.throwIfAborted();
      return this.#answer(search, onInfo, signal);
    };
    return this.#inTurn(work, signal);
  }

  /** Sends the command of a search, and resolves to what it finds. */
  async #answer(command, onInfo, signal) {
    const stop = () => this.send("stop");
    let failure = null;
    const report = (info) => {
      try {
        onInfo(info);
      } catch (error) {
        failure = { error };
        stop();
      }
    };
    const isLast = (line) => {
      const info = onInfo && !failure && parseInfo(line);
      if (info) report(info);
      return line.startsWith("bestmove") || line.startsWith(ERROR);
    };
    signal?.addEventListener("abort", stop);
    try {
      const replies = await this.#exchange([command], isLast);
      if (failure) throw failure.error;
      return parseSearch(accepted(replies));
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Searches for the best move. Without a limit, for a second. */
  async search(options = {}) {
    return this.#search("go", limited(options));
  }

  /** Scores every move: exactly where a solver finishes within the limits. Without a limit, for a second. */
  async analyse(options = {}) {
    return this.#search("analyze", limited(options));
  }

  /** Solves the position. */
  async solve(options = {}) {
    return this.#search("go solve", options);
  }
}
