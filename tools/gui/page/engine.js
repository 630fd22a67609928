// A conversation with one engine. It is started when it is needed, and again when it has ended.

import { optionsOf } from "./words.js";

/** No answer but that of a search takes longer, in milliseconds. */
const PATIENCE = 10_000;

/** The engine has ended or does not answer. The next question starts it again. */
export class EngineGone extends Error {}

/** The engine says that something is wrong with what it was told. */
export class EngineError extends Error {}

export class Engine {
  #link;
  #index;
  #process = null;
  #waiting = null;
  #last = Promise.resolve();
  #game = null;

  constructor(link, index = 0) {
    this.#link = link;
    this.#index = index;
  }

  /**
   * Sends lines and collects the answers up to the line for which `until` is true. One
   * conversation waits for the one before; if it is not `wanted` any more when its turn comes,
   * it does not begin.
   */
  talk(lines, { until, hear = () => {}, patience = PATIENCE, wanted = () => true }) {
    const begin = () => (wanted() ? this.#exchange(lines, until, hear, patience) : []);
    const answers = this.#last.then(() => this.#link.ready()).then(begin);
    this.#last = answers.catch(() => {});
    return answers;
  }

  async #exchange(lines, until, hear, patience) {
    this.#process ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers();
    const heard = [];
    const late = () => {
      this.end();
      reject(new EngineGone("it does not answer"));
    };
    const timer = Number.isFinite(patience) ? setTimeout(late, patience) : 0;
    this.#waiting = {
      line: (text) => {
        heard.push(text);
        hear(text);
        if (until(text)) resolve(heard);
      },
      gone: (how) => reject(new EngineGone(how)),
    };
    for (const line of lines) this.#process.send(line);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }

  #start() {
    return this.#link.start(this.#index, {
      line: (text) => this.#waiting?.line(text),
      gone: (how) => {
        this.#process = null;
        this.#game = null;
        this.#waiting?.gone(how);
      },
    });
  }

  /** Sends lines that are obeyed in silence, or questions with short answers. */
  async ask(lines) {
    const heard = await this.talk([...lines, "isready"], { until: (line) => line === "readyok" });
    const error = heard.find((line) => line.startsWith("error "));
    if (error) throw new EngineError(error.slice("error ".length));
    return heard.slice(0, -1);
  }

  /** Sets a position up, and options of the game; lines may follow. */
  async setUp(words, position, lines = []) {
    const begin = this.#game === words ? [] : [`newgame ${words}`];
    this.#game = null;
    const heard = await this.ask([...begin, position, ...lines]);
    this.#game = words;
    return heard;
  }

  /** Searches, with a `go` or `analyze` line, and resolves to the lines of the answer, if any. */
  search(line, { hear, patience = Infinity, wanted }) {
    const until = (text) => text.startsWith("bestmove") || text.startsWith("error go");
    return this.talk([line], { until, hear, patience, wanted });
  }

  /** Asks a search for its answer. */
  stop() {
    if (this.#waiting) this.#process?.send("stop");
  }

  /** The options of a game. */
  async options(words) {
    return optionsOf(await this.setUp(words, "position startpos", ["options"]));
  }

  /** Ends the process. */
  end() {
    this.#process?.end();
    this.#process = null;
    this.#game = null;
    this.#waiting?.gone("it was ended");
  }
}
