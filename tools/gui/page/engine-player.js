// The player settings of a side, and the engine that plays it.

import { Engine, EngineError } from "./engine.js";
import { parseBestMove } from "./protocol.js";

/** How much longer than its move time an engine may take, in milliseconds. */
const GRACE_PERIOD = 15_000;

/** The settings besides the kind: those of an engine, which a person keeps for later. */
const SETTINGS = { engine: 0, strategy: "full", level: 5, seconds: 1, depth: 4, threads: 1, hash: 64 };

export const person = () => ({ kind: "person", ...SETTINGS });
export const computer = (changes = {}) => ({ kind: "engine", ...SETTINGS, ...changes });

/** Stored settings, completed by those that are missing. */
export const restoredPlayer = (stored) => ({ ...person(), ...stored });

export class EnginePlayer {
  #connection;
  #engine = null;
  /** Which engine it is, and whether it was started for several threads. */
  #kind = null;
  #known = {};

  constructor(connection) {
    this.#connection = connection;
  }

  #engineFor(player) {
    const kind = `${player.engine} ${player.threads > 1}`;
    if (this.#kind !== kind) {
      this.#engine?.end();
      this.#engine = new Engine(this.#connection, player.engine, { threads: player.threads });
      this.#kind = kind;
      this.#known = {};
    }
    return this.#engine;
  }

  /** The engine's options in a game; empty if it does not list them. */
  async options(player, game) {
    const engine = this.#engineFor(player);
    if (this.#known.game !== game) {
      try {
        const options = await engine.options(game);
        const threads = options.get("Threads");
        if (threads) threads.max = Math.min(threads.max, this.#connection.mostThreads);
        this.#known = { game, options };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        this.#known = { game, options: new Map() };
      }
    }
    return this.#known.options;
  }

  /** The engine's move; `undefined` if it is no longer current. */
  async bestMove(player, record, isCurrent) {
    const engine = this.#engineFor(player);
    const options = await this.options(player, record.game);
    const set = (name, value) => (options.has(name) ? [`setoption name ${name} value ${value}`] : []);
    const lines = [
      ...set("Strategy", player.strategy),
      ...set("Level", player.level),
      ...set("Depth", player.depth),
      ...set("Threads", player.threads),
      ...set("Hash", player.hash),
    ];
    await engine.setPosition(record.game, record.position(), lines);
    const time = Math.round(player.seconds * 1000);
    return parseBestMove(await engine.search(`go movetime ${time}`, { timeout: time + GRACE_PERIOD, isCurrent }));
  }

  stop() {
    this.#engine?.stop();
  }

  /** Ends the process, which is started again when needed. */
  end() {
    this.#engine?.end();
    this.#kind = null;
  }
}
