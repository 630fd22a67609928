// Scores for all moves of a position: heuristic ones that grow deeper, and exact ones where the game
// has a solver.
//
// Two engines work at the same time: one searches all moves without a limit, the other runs the
// solver. The first one also searches the other positions of the game briefly, for the graph.

import { Engine, EngineExited } from "./engine.js";
import { parseAnalysis, parseBestMove, parseInfo } from "./protocol.js";
import { finalScore, isExact } from "./score.js";

/** Search times in milliseconds: before the rest of the game, of its other positions, of a hint. */
const FIRST_TIME = 300;
const OTHER_TIME = 100;
const HINT_TIME = 1000;
const TRIES = 3;
/** The moves of the principal variation that boards show. */
const SHOWN_MOVES = 7;

/** Fires `change` when a score has changed, and `exited` with the error when an engine has exited. */
export class Analysis extends EventTarget {
  on = false;
  /** The position on the board: the score of each move, the last `info`, the principal variation. */
  moveScores = new Map();
  info = null;
  pv = [];
  /** What the first moves of the principal variation do. */
  line = [];
  /** The score of each position searched so far, by key, with its side to move. */
  positionScores = new Map();
  #searcher;
  #solver;
  #generation = 0;

  constructor(connection) {
    super();
    this.#searcher = new Engine(connection);
    this.#solver = new Engine(connection);
  }

  /** Stops, and clears the scores of the current position. */
  stop() {
    this.#generation += 1;
    this.#searcher.stop();
    this.#solver.stop();
    this.moveScores = new Map();
    this.info = null;
    this.pv = [];
    this.line = [];
    this.#changed();
  }

  /** Ends both engines. */
  end() {
    this.stop();
    this.#searcher.end();
    this.#solver.end();
  }

  /** Analyzes a position until stopped. */
  start(record, state, rules) {
    this.stop();
    this.#noteResult(record.key(), state);
    if (!this.on) return;
    const generation = this.#generation;
    const isCurrent = () => this.#generation === generation;
    const trace = this.#tracer(record, rules, isCurrent);
    const stateAt = (ply) => rules.stateAt(record, ply);
    this.#retry(isCurrent, () => this.#search(record, state, stateAt, trace, isCurrent));
    if (state.solver) this.#retry(isCurrent, () => this.#solve(record, state, trace, isCurrent));
  }

  /** A function that asks what the principal variation does, if it has changed. */
  #tracer(record, rules, isCurrent) {
    let traced = "";
    return oneAtATime(async () => {
      const shown = this.pv.slice(0, SHOWN_MOVES);
      if (!isCurrent() || shown.join(" ") === traced) return;
      traced = shown.join(" ");
      // Without an answer the board shows scores alone.
      const line = await rules.effects(record, shown).catch(() => []);
      if (!isCurrent()) return;
      this.line = line;
      this.#changed();
    });
  }

  #noteResult(key, { result, side }) {
    if (result !== "none") this.positionScores.set(key, { side, score: finalScore(result, side) });
  }

  /** Updates the score of a position. A heuristic score never replaces an exact one. */
  updateScore(key, side, score) {
    const known = this.positionScores.get(key);
    if (known && isExact(known.score) && !isExact(score)) return;
    this.positionScores.set(key, { side, score });
    this.#changed();
  }

  /** The best move of a short search. */
  async hint(record) {
    this.stop();
    await this.#searcher.setPosition(record.game, record.position(), ["setoption name MultiPV value 1"]);
    return parseBestMove(await this.#searcher.search(`go movetime ${HINT_TIME}`, { timeout: HINT_TIME + 10_000 }));
  }

  async #retry(isCurrent, work) {
    for (let tries = TRIES; tries > 0 && isCurrent(); tries -= 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof EngineExited)) throw error;
        if (isCurrent()) this.dispatchEvent(new CustomEvent("exited", { detail: error }));
      }
    }
  }

  async #search(record, state, stateAt, trace, isCurrent) {
    const over = state.result !== "none";
    if (!over) await this.#searchPosition(record, record.ply, state, `go movetime ${FIRST_TIME}`, trace, isCurrent);
    for (let ply = 0; ply <= record.moves.length && isCurrent(); ply += 1) {
      if (this.positionScores.has(record.key(ply))) continue;
      const other = await stateAt(ply);
      this.#noteResult(record.key(ply), other);
      if (other.result === "none" && isCurrent()) {
        await this.#searchPosition(record, ply, other, `go movetime ${OTHER_TIME}`, trace, isCurrent);
      }
    }
    if (!over && isCurrent()) await this.#searchPosition(record, record.ply, state, "go infinite", trace, isCurrent);
    this.#changed();
  }

  async #searchPosition(record, ply, state, command, trace, isCurrent) {
    const isShown = ply === record.ply;
    const lines = isShown ? Math.min(state.moves.length, 500) : 1;
    await this.#searcher.setPosition(record.game, record.position(ply), [`setoption name MultiPV value ${lines}`]);
    const key = record.key(ply);
    const onLine = (line) => {
      const info = isCurrent() ? parseInfo(line) : null;
      if (!info) return;
      if (info.score && info.pv.length) this.#applyInfo(info, key, state.side, isShown);
      else if (isShown && info.nodes > (this.info?.nodes ?? Infinity)) {
        Object.assign(this.info, { nodes: info.nodes, nps: info.nps, time: info.time });
      }
      if (isShown) trace();
      this.#changed();
    };
    await this.#searcher.search(command, { onLine, isCurrent });
  }

  #applyInfo(info, key, side, isShown) {
    // In some games the solver's score says more: by how much a position is won.
    if (isShown && this.info?.solved) return;
    if (info.multipv === 1) {
      this.updateScore(key, side, info.score);
      if (isShown) {
        this.info = info;
        this.pv = info.pv;
      }
    }
    if (!isShown) return;
    const known = this.moveScores.get(info.pv[0]);
    if (!known || isExact(info.score) || !isExact(known)) this.moveScores.set(info.pv[0], info.score);
  }

  async #solve(record, state, trace, isCurrent) {
    await this.#solver.setPosition(record.game, record.position());
    const lines = await this.#solver.search("analyze", { isCurrent });
    if (!isCurrent()) return;
    const info = lines.map(parseInfo).findLast((found) => found?.score && found.multipv === 1 && found.pv.length);
    const moves = lines.map(parseAnalysis).filter(Boolean);
    if (!moves.length || !moves.every(({ score }) => isExact(score))) return;
    for (const { move, score } of moves) this.moveScores.set(move, score);
    if (info) {
      this.info = { ...info, solved: true };
      this.pv = info.pv;
      trace();
      this.updateScore(record.key(), state.side, info.score);
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** A function that calls `work`, again and again if it is called meanwhile, but never twice at once. */
function oneAtATime(work) {
  let [running, wanted] = [false, false];
  return async () => {
    wanted = true;
    if (running) return;
    running = true;
    while (wanted) {
      wanted = false;
      await work();
    }
    running = false;
  };
}
