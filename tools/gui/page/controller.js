// The game controller: the game, the players, and whose turn it is. Knows no rules and draws nothing.

import { EngineError, EngineExited } from "./engine.js";
import { computer, EnginePlayer, person } from "./engine-player.js";
import { GameRecord } from "./game-record.js";
import { opponent, SIDES } from "./sides.js";

/** How often an engine that exits is restarted before the game is paused. */
const TRIES = 3;

/**
 * Fires `position` when the position has changed, `change` when anything else has, and `message` with
 * a text for the user.
 */
export class GameController extends EventTarget {
  record = new GameRecord("connect4 6 7 4");
  players = { p1: person(), p2: computer() };
  state = null;
  paused = false;
  /** The side whose engine is searching, or null. */
  thinking = null;
  /** The move recommended by a hint, or null. */
  hinted = null;
  /** Resolves when the board has animated the last move. */
  shown = Promise.resolve();
  #rules;
  #analysis;
  #engines;
  /** Results of anything that began in an earlier generation are discarded. */
  #generation = 0;
  /** The number of calls of `open`, of which the last one counts. */
  #opened = 0;

  constructor(connection, rules, analysis) {
    super();
    this.#rules = rules;
    this.#analysis = analysis;
    this.#engines = { p1: new EnginePlayer(connection), p2: new EnginePlayer(connection) };
  }

  get over() {
    return this.record.resigned !== null || this.state?.result !== "none";
  }

  /** `p1win`, `p2win`, `draw` or `none`. */
  get result() {
    const { resigned } = this.record;
    return resigned ? `${opponent(resigned)}win` : (this.state?.result ?? "none");
  }

  /** Whether it is a person's turn. */
  get personToMove() {
    return !this.over && this.#isPerson(this.state.side);
  }

  /** Whether it is an engine's turn, but it waits for "Continue". */
  get waiting() {
    return !this.over && !this.personToMove && (this.paused || !this.record.atEnd);
  }

  #isPerson(side) {
    return this.players[side].kind === "person";
  }

  get #people() {
    return SIDES.filter((side) => this.#isPerson(side));
  }

  /** Opens a game. Throws if it is illegal; then nothing changes. */
  async open(record, { paused = false } = {}) {
    const opened = ++this.#opened;
    // The whole game must be legal, not just the moves on the board.
    await this.#rules.stateAt(record, record.moves.length);
    const state = await this.#rules.stateAt(record);
    if (opened !== this.#opened) return;
    this.record = record;
    this.paused = paused;
    this.#show(state);
  }

  /** Opens the first legal game of several. Throws if all are illegal. */
  async openFirst(records, options) {
    for (const [at, record] of records.entries()) {
      try {
        return await this.open(record, options);
      } catch (error) {
        if (!(error instanceof EngineError) || at === records.length - 1) throw error;
      }
    }
  }

  async #play(move) {
    if (this.over || !this.state.moves.some((legal) => legal.move === move)) return;
    const generation = this.#interrupt();
    const record = this.record.continued(move);
    const state = await this.#rules.stateAt(record);
    if (generation !== this.#generation) return;
    this.record = record;
    this.#show(state, move);
  }

  /** Plays a move if it is a person's turn and the move is legal. */
  async play(move) {
    if (this.personToMove) await this.#play(move);
  }

  /** Goes to any point of the game. There, engines wait for "Continue". */
  async goTo(ply) {
    const generation = this.#interrupt();
    const target = Math.max(0, Math.min(ply, this.record.moves.length));
    const state = await this.#rules.stateAt(this.record, target);
    if (generation !== this.#generation) return;
    const move = target === this.record.ply + 1 ? this.record.moves[target - 1] : null;
    if (target < this.record.ply) this.record.resigned = null;
    this.record.ply = target;
    if (this.record.atEnd && !this.#people.length) this.paused = true;
    this.#show(state, move);
  }

  /** Takes back a resignation or a move; against an engine, back to the person's last turn. */
  async undo() {
    if (!this.record.resigned) return this.goTo(await this.#personsPly(-1));
    this.record.resigned = null;
    this.#show();
  }

  /** The opposite of undo. */
  async redo() {
    await this.goTo(await this.#personsPly(1));
  }

  async #personsPly(step) {
    const last = this.record.moves.length;
    let ply = this.record.ply + step;
    while (this.#people.length && ply > 0 && ply < last) {
      const { side } = await this.#rules.stateAt(this.record, ply);
      if (this.#isPerson(side)) break;
      ply += step;
    }
    return ply;
  }

  /** Resigns for the only person, or else for the side to move. */
  resign() {
    if (this.over) return;
    const people = this.#people;
    this.record = this.record.continued();
    this.record.resigned = people.length === 1 ? people[0] : this.state.side;
    this.#show();
  }

  /** Swaps the players' sides. */
  swap() {
    this.players = { p1: this.players.p2, p2: this.players.p1 };
    this.#engines = { p1: this.#engines.p2, p2: this.#engines.p1 };
    this.#show();
  }

  /** Changes the player of a side, or an engine's settings. */
  setPlayer(side, changes) {
    this.players[side] = { ...this.players[side], ...changes };
    if (this.#isPerson(side)) this.#engines[side].end();
    this.#show();
  }

  /** The options of the engine on this side. */
  options(side) {
    return this.#engines[side].options(this.players[side], this.record.game);
  }

  /** Pauses the engines, or lets them continue from the position on the board. */
  pause(paused) {
    if (!paused && this.waiting && !this.record.atEnd) this.record = this.record.continued();
    this.paused = paused;
    this.#show();
  }

  /** Recommends a move. */
  async hint() {
    if (this.over) return;
    const generation = this.#generation;
    const known = this.#analysis.pv[0];
    try {
      const move = known ?? (await this.#analysis.hint(this.record));
      if (generation !== this.#generation || !move) return;
      this.hinted = move;
      this.#changed();
      if (!known) this.#analyze();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Turns the analysis on or off. */
  setAnalysis(on) {
    this.#analysis.on = on;
    if (on) this.#analyze();
    else this.#analysis.end();
    this.#changed();
  }

  /** Suspends the analysis while the page is hidden. */
  setHidden(hidden) {
    if (!this.#analysis.on || !this.state) return;
    if (hidden) this.#analysis.stop();
    else this.#analyze();
  }

  #analyze() {
    this.#analysis.start(this.record, this.state, this.#rules);
  }

  /** Stops the engines and starts a new generation. */
  #interrupt() {
    this.#generation += 1;
    for (const side of SIDES) this.#engines[side].stop();
    this.thinking = null;
    this.hinted = null;
    return this.#generation;
  }

  /** Shows a position, reached by `move` if given, and lets the engines work on it. */
  #show(state = this.state, move = null) {
    const generation = this.#interrupt();
    const previous = this.state;
    this.state = state;
    this.dispatchEvent(new CustomEvent("position", { detail: { previous, move } }));
    this.#changed();
    this.#analyze();
    this.#think(generation);
  }

  async #think(generation) {
    const isCurrent = () => generation === this.#generation;
    await this.shown;
    if (!isCurrent() || this.over || this.personToMove || this.waiting) return;
    const { side } = this.state;
    this.thinking = side;
    this.#changed();
    const key = this.record.key();
    const onInfo = (info) => {
      if (isCurrent() && info.score && info.multipv === 1) this.#analysis.updateScore(key, side, info.score);
    };
    for (let tries = 1; isCurrent(); tries += 1) {
      try {
        const move = await this.#engines[side].bestMove(this.players[side], this.record, onInfo, isCurrent);
        if (isCurrent() && move) await this.#play(move);
        return;
      } catch (error) {
        if (!isCurrent()) return;
        this.#report(error);
        if (!(error instanceof EngineExited) || tries === TRIES) return this.pause(true);
      }
    }
  }

  #report(error) {
    const text = error instanceof EngineExited ? exitMessage(error) : error.message;
    this.dispatchEvent(new CustomEvent("message", { detail: text }));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The message for the user when an engine has exited. */
export const exitMessage = (error) => `The engine has exited (${error.message}); restarting it. The game is not lost.`;
