// Scores for all moves of a position: heuristic ones that grow deeper, and exact ones where the game
// has a solver.
//
// Two engines work at the same time: one searches all moves without a limit, the other runs the
// solver. The first one also searches the other positions of the game briefly, for the graph.

import { Engine, EngineExited } from "./engine.js";
import { parseAnalysis, parseBestMove, parseInfo } from "./protocol.js";
import { finalScore, isExact, scoreIn, strength } from "./score.js";

/** Search times in milliseconds: before the rest of the game, of its other positions, of a hint. */
const FIRST_TIME = 300;
const OTHER_TIME = 100;
const HINT_TIME = 1000;
const TRIES = 3;
/** The moves of a line that boards show, and the positions that are remembered. */
const SHOWN_MOVES = 7;
const MEMORY = 400;

const nothing = () => ({ moveScores: new Map(), variations: new Map(), info: null, pv: [], line: [] });

/**
 * Fires `change` when a score has changed, `exited` with the error when an engine has exited, and `failed`
 * with one that it reports.
 */
export class Analysis extends EventTarget {
  on = false;
  /** The score of each position searched so far, by key, with its side to move. */
  positionScores = new Map();
  /** What is known of the position on the board. */
  #found = nothing();
  /** The same of earlier positions, by key: values stay when the board returns to them. */
  #memory = new Map();
  #searcher;
  #solver;
  #generation = 0;

  constructor(connection) {
    super();
    this.#searcher = new Engine(connection);
    this.#solver = new Engine(connection);
  }

  /** The score of each move. */
  get moveScores() {
    return this.#found.moveScores;
  }

  /** The last `info`, and `solved` if the solver has finished. */
  get info() {
    return this.#found.info;
  }

  get pv() {
    return this.#found.pv;
  }

  /** What the first moves of the principal variation do. */
  get line() {
    return this.#found.line;
  }

  /** The best lines, as `{ move, score, moves }`. */
  lines(limit) {
    const { moveScores, variations } = this.#found;
    const known = [...moveScores].map(([move, score]) => ({ move, score, moves: variations.get(move) ?? [move] }));
    return known.sort((one, other) => strength(other.score) - strength(one.score)).slice(0, limit);
  }

  /** The moves with the best score. */
  best() {
    const scores = [...this.moveScores];
    const top = Math.max(...scores.map(([, score]) => strength(score)));
    return new Set(scores.filter(([, score]) => strength(score) === top).map(([move]) => move));
  }

  /** Stops. What is known of the position is no longer shown, but remembered. */
  stop() {
    this.#generation += 1;
    this.#searcher.stop();
    this.#solver.stop();
    this.#found = nothing();
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
    this.#noteResult(record, record.key(), state);
    if (!this.on) return;
    const generation = this.#generation;
    const isCurrent = () => this.#generation === generation;
    this.#recall(record.key());
    const trace = this.#tracer(record, rules, isCurrent);
    const stateAt = (ply) => rules.stateAt(record, ply);
    this.#retry(isCurrent, () => this.#search(record, state, stateAt, trace, isCurrent));
    const solved = this.info?.solved;
    if (state.solver && !solved) this.#retry(isCurrent, () => this.#solve(record, state, trace, isCurrent));
  }

  #recall(key) {
    this.#found = this.#memory.get(key) ?? nothing();
    if (this.#memory.size >= MEMORY) this.#memory.clear();
    this.#memory.set(key, this.#found);
  }

  /** A function that asks what the principal variation does, if it has changed. */
  #tracer(record, rules, isCurrent) {
    let traced = "";
    const found = this.#found;
    return oneAtATime(async () => {
      const shown = found.pv.slice(0, SHOWN_MOVES);
      if (!isCurrent() || shown.join(" ") === traced) return;
      traced = shown.join(" ");
      // Without an answer the board shows scores alone.
      const line = await rules.effects(record, shown).catch(() => []);
      if (!isCurrent()) return;
      found.line = line;
      this.#changed();
    });
  }

  #noteResult({ game }, key, { result, side }) {
    if (result !== "none") this.positionScores.set(key, { side, score: scoreIn(game, finalScore(result, side)) });
  }

  /** Updates the score of a position. A heuristic score never replaces an exact one. */
  noteScore(key, side, score) {
    const known = this.positionScores.get(key);
    if (known && isExact(known.score) && !isExact(score)) return;
    this.positionScores.set(key, { side, score });
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
        if (!isCurrent()) return;
        const exited = error instanceof EngineExited;
        this.dispatchEvent(new CustomEvent(exited ? "exited" : "failed", { detail: error }));
        if (!exited) return;
      }
    }
  }

  async #search(record, state, stateAt, trace, isCurrent) {
    const over = state.result !== "none";
    if (!over && !this.info?.solved) await this.#searchPosition(record, record.ply, state, `go movetime ${FIRST_TIME}`, trace, isCurrent);
    for (let ply = 0; ply <= record.moves.length && isCurrent(); ply += 1) {
      if (this.positionScores.has(record.key(ply))) continue;
      const other = await stateAt(ply);
      this.#noteResult(record, record.key(ply), other);
      if (other.result === "none" && isCurrent()) {
        await this.#searchPosition(record, ply, other, `go movetime ${OTHER_TIME}`, trace, isCurrent);
      }
    }
    // Once the solver has finished there is nothing left to find.
    if (!over && isCurrent() && !this.info?.solved) {
      await this.#searchPosition(record, record.ply, state, "go infinite", trace, isCurrent);
    }
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
      if (info.score && info.pv.length) {
        info.score = scoreIn(record.game, info.score);
        this.#applyInfo(info, key, state.side, isShown);
      } else if (isShown && info.nodes > (this.info?.nodes ?? Infinity)) {
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
    const found = this.#found;
    if (info.multipv === 1) {
      this.noteScore(key, side, info.score);
      if (isShown) {
        found.info = info;
        found.pv = info.pv;
      }
    }
    if (!isShown) return;
    const [move] = info.pv;
    const known = found.moveScores.get(move);
    if (known && isExact(known) && !isExact(info.score)) return;
    found.moveScores.set(move, info.score);
    found.variations.set(move, info.pv);
  }

  async #solve(record, state, trace, isCurrent) {
    await this.#solver.setPosition(record.game, record.position());
    const lines = await this.#solver.search("analyze", { isCurrent });
    if (!isCurrent()) return;
    const info = lines.map(parseInfo).findLast((found) => found?.score && found.multipv === 1 && found.pv.length);
    const moves = lines.map(parseAnalysis).filter(Boolean);
    if (!moves.length || !moves.every(({ score }) => isExact(score))) return;
    const found = this.#found;
    for (const { move, score } of moves) found.moveScores.set(move, scoreIn(record.game, score));
    if (info) {
      info.score = scoreIn(record.game, info.score);
      found.info = { ...info, solved: true };
      found.pv = info.pv;
      found.variations.set(info.pv[0], info.pv);
      trace();
      this.noteScore(record.key(), state.side, info.score);
      // The search has nothing to add.
      this.#searcher.stop();
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
