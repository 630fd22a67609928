// What each move is worth: opinions that grow deeper, and the truth where the engine can find it.
//
// Two engines work at the same time: one searches all moves without end, the other asks the
// solver of the game, if it has one. While nothing is known about other positions of the game,
// the first one looks at them for a moment, so that the graph is complete.

import { Engine, EngineGone } from "./engine.js";
import { finalScore, isExact } from "./score.js";
import { bestOf, infoOf, worthOf } from "./words.js";

const FIRST_LOOK = 300;
const SHORT_LOOK = 100;
const HINT = 1000;

/** Fires `change` when there is something new about the position, `gone` when an engine ended. */
export class Analysis extends EventTarget {
  /** What is known about the position on the board. */
  worth = new Map();
  info = null;
  line = [];
  on = false;
  /** The best score of each position that was looked at, with the side it is for. */
  scores = new Map();
  #live;
  #exact;
  #solvers = new Map();
  #round = 0;

  constructor(link) {
    super();
    this.#live = new Engine(link);
    this.#exact = new Engine(link);
  }

  /** Forgets what belongs to the last position, and stops. */
  rest() {
    this.#round += 1;
    this.#live.stop();
    this.#exact.stop();
    this.worth = new Map();
    this.info = null;
    this.line = [];
    this.#changed();
  }

  /** Ends both engines. */
  end() {
    this.rest();
    this.#live.end();
    this.#exact.end();
  }

  /** Studies a position until told otherwise. `look` tells the state of any position. */
  study(record, state, look) {
    this.rest();
    this.note(record.key(), state);
    if (!this.on) return;
    const round = this.#round;
    const isNow = () => this.#round === round;
    this.#guard(isNow, () => this.#search(record, state, look, isNow));
    if (state.result === "none") this.#guard(isNow, () => this.#solve(record, state, isNow));
  }

  /** Remembers what is known of a position that is over. */
  note(key, state) {
    if (state.result !== "none") {
      this.scores.set(key, { side: state.side, score: finalScore(state.result, state.side) });
    }
  }

  /** Remembers what somebody thinks of a position, unless the truth is known. */
  learn(key, side, score) {
    const known = this.scores.get(key);
    if (known && isExact(known.score) && !isExact(score)) return;
    this.scores.set(key, { side, score });
    this.#changed();
  }

  /** The best move, as far as it can be found in a second. */
  async hint(record) {
    this.rest();
    await this.#live.setUp(record.words, record.position(), ["setoption name MultiPV value 1"]);
    return bestOf(await this.#live.search(`go movetime ${HINT}`, { patience: HINT + 10_000 }));
  }

  async #guard(isNow, work) {
    for (let tries = 3; tries > 0 && isNow(); tries -= 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof EngineGone)) throw error;
        if (isNow()) this.dispatchEvent(new CustomEvent("gone", { detail: error }));
      }
    }
  }

  async #search(record, state, look, isNow) {
    const here = record.ply;
    const over = state.result !== "none";
    if (!over) await this.#visit(record, here, state, `go movetime ${FIRST_LOOK}`, isNow);
    for (let ply = 0; ply <= record.moves.length && isNow(); ply += 1) {
      if (this.scores.has(record.key(ply))) continue;
      const other = await look(record, ply);
      this.note(record.key(ply), other);
      if (other.result === "none" && isNow()) {
        await this.#visit(record, ply, other, `go movetime ${SHORT_LOOK}`, isNow);
      }
    }
    if (!over && isNow()) await this.#visit(record, here, state, "go infinite", isNow);
    this.#changed();
  }

  /** Searches one position. What is found about the one on the board is shown at once. */
  async #visit(record, ply, state, go, isNow) {
    const isHere = ply === record.ply;
    const lines = isHere ? Math.min(state.moves.length, 500) : 1;
    await this.#live.setUp(record.words, record.position(ply), [`setoption name MultiPV value ${lines}`]);
    const key = record.key(ply);
    const hear = (line) => {
      const info = isNow() ? infoOf(line) : null;
      if (!info) return;
      if (info.score && info.pv.length) this.#take(info, key, state.side, isHere);
      else if (isHere && info.nodes > (this.info?.nodes ?? Infinity)) {
        Object.assign(this.info, { nodes: info.nodes, nps: info.nps, time: info.time });
      }
      this.#changed();
    };
    await this.#live.search(go, { hear, wanted: isNow });
  }

  #take(info, key, side, isHere) {
    // The solver knows more than who wins and when: by how much, in some games.
    if (isHere && this.info?.solved) return;
    if (info.multipv === 1) {
      this.learn(key, side, info.score);
      if (isHere) {
        this.info = info;
        this.line = info.pv;
      }
    }
    if (isHere) this.#setWorth(info.pv[0], info.score);
  }

  /** An opinion never replaces the truth. */
  #setWorth(move, score) {
    const known = this.worth.get(move);
    if (!known || isExact(score) || !isExact(known)) this.worth.set(move, score);
  }

  async #solve(record, state, isNow) {
    if (!(await this.#hasSolver(record.words)) || !isNow()) return;
    await this.#exact.setUp(record.words, record.position());
    const lines = await this.#exact.search("analyze", { wanted: isNow });
    if (!isNow()) return;
    const info = lines.map(infoOf).findLast((found) => found?.score && found.multipv === 1 && found.pv.length);
    const worths = lines.map(worthOf).filter(Boolean);
    if (!worths.length || !worths.every(({ score }) => isExact(score))) return;
    for (const { move, score } of worths) this.worth.set(move, score);
    if (info) {
      this.info = { ...info, solved: true };
      this.line = info.pv;
      this.learn(record.key(), state.side, info.score);
    }
    this.#changed();
  }

  async #hasSolver(words) {
    if (!this.#solvers.has(words)) {
      await this.#exact.setUp(words, "position startpos");
      const lines = await this.#exact.search("go solve movetime 0", { patience: 10_000 });
      this.#solvers.set(words, !lines.some((line) => line.startsWith("error")));
    }
    return this.#solvers.get(words);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
