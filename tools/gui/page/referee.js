// Knows the rules, by asking the engine. What it was told once it remembers.

import { Engine, EngineGone } from "./engine.js";
import { gamesOf, stateOf } from "./words.js";

/** So many positions are remembered. */
const MEMORY = 3000;
/** So often a question is put again to an engine that has ended. */
const TRIES = 3;

export class Referee {
  #engine;
  #states = new Map();
  #tell;

  /** `tell` hears of an engine that has ended. */
  constructor(link, tell) {
    this.#engine = new Engine(link);
    this.#tell = tell;
  }

  /** The games that there are. */
  async games() {
    return gamesOf(await this.#ask((engine) => engine.ask(["games"])));
  }

  /** The state of the board after `ply` moves of the record. Throws if a move is illegal. */
  async look(record, ply = record.ply) {
    const key = record.key(ply);
    const known = this.#states.get(key);
    if (known) return known;
    const question = (engine) => engine.setUp(record.words, record.position(ply), ["d", "moves"]);
    const state = stateOf(await this.#ask(question));
    if (this.#states.size >= MEMORY) this.#states.clear();
    this.#states.set(key, state);
    return state;
  }

  async #ask(question) {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await question(this.#engine);
      } catch (error) {
        if (!(error instanceof EngineGone) || left === 1) throw error;
        this.#tell(error);
      }
    }
  }
}
