// The rules of the games, as the engine knows them.

import { Engine, EngineExited } from "./engine.js";
import { parseGames, parseState } from "./protocol.js";

/** Positions kept in the cache. */
const CACHE_SIZE = 3000;
/** How often a query is tried if the engine exits. */
const TRIES = 3;

export class Rules {
  #engine;
  #cache = new Map();
  #onExit;

  /** `onExit` is called with the error when the engine has exited. */
  constructor(connection, onExit) {
    this.#engine = new Engine(connection);
    this.#onExit = onExit;
  }

  /** The available games. */
  async games() {
    return parseGames(await this.#query((engine) => engine.ask(["games"])));
  }

  /** The position after `ply` moves of the record. Throws if a move is illegal. */
  async stateAt(record, ply = record.ply) {
    const key = record.key(ply);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const query = (engine) => engine.setPosition(record.game, record.position(ply), ["state"]);
    const state = parseState(await this.#query(query));
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    this.#cache.set(key, state);
    return state;
  }

  /** What each of these moves does if they are played after the moves on the board. */
  async effects(record, moves) {
    const after = (_, at) => this.stateAt(record.continued(...moves.slice(0, at + 1)));
    const states = await Promise.all(moves.map(after));
    return states.map(({ last }) => last);
  }

  async #query(query) {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await query(this.#engine);
      } catch (error) {
        if (!(error instanceof EngineExited) || left === 1) throw error;
        this.#onExit(error);
      }
    }
  }
}
