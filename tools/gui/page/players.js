// Who plays: a person or an engine on each side, and how an engine finds its move.

import { Engine, EngineError } from "./engine.js";
import { bestOf, infoOf } from "./words.js";

/** How much longer than asked for an engine may take, in milliseconds. */
const GRACE = 15_000;

export const person = () => ({ kind: "person", engine: 0, strategy: "full", level: 10, seconds: 1 });
export const engineSeat = () => ({ ...person(), kind: "engine" });

/** One side's engine. */
export class Player {
  #link;
  #engine = null;
  #index = -1;
  #known = {};

  constructor(link) {
    this.#link = link;
  }

  /** The engine that sits there, started if need be. */
  #of(seat) {
    if (this.#index !== seat.engine) {
      this.#engine?.end();
      this.#engine = new Engine(this.#link, seat.engine);
      this.#index = seat.engine;
      this.#known = {};
    }
    return this.#engine;
  }

  /** The options that the engine has in a game; none if it does not tell. */
  async options(seat, words) {
    const engine = this.#of(seat);
    if (this.#known.words !== words) {
      try {
        this.#known = { words, options: await engine.options(words) };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        this.#known = { words, options: new Map() };
      }
    }
    return this.#known.options;
  }

  /** The move that the engine chooses, `undefined` if it is not `wanted` any more. */
  async choose(seat, record, hear, wanted) {
    const engine = this.#of(seat);
    const options = await this.options(seat, record.words);
    const set = (name, value) => (options.has(name) ? [`setoption name ${name} value ${value}`] : []);
    const lines = [...set("Strategy", seat.strategy), ...set("Level", seat.level)];
    await engine.setUp(record.words, record.position(), lines);
    const time = Math.round(seat.seconds * 1000);
    const listen = (line) => {
      const info = infoOf(line);
      if (info) hear(info);
    };
    const patience = time + GRACE;
    return bestOf(await engine.search(`go movetime ${time}`, { hear: listen, patience, wanted }));
  }

  stop() {
    this.#engine?.stop();
  }

  /** Ends the process: it is started again when needed. */
  end() {
    this.#engine?.end();
    this.#index = -1;
  }
}
