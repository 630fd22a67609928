// The table: the game, who plays, and whose turn it is. Knows no game and draws nothing.

import { EngineError, EngineGone } from "./engine.js";
import { engineSeat, person, Player } from "./players.js";
import { Record } from "./record.js";
import { other, SIDES } from "./sides.js";

/** So often in a row an engine may end before it is left alone. */
const PATIENCE = 3;

/**
 * Fires `position` when the board is to be drawn anew, `change` when anything else is different,
 * `message` with a text for people.
 */
export class Table extends EventTarget {
  record = new Record("connect4 6 7 4");
  seats = { p1: person(), p2: engineSeat() };
  state = null;
  paused = false;
  /** The side whose engine is thinking, or null. */
  thinking = null;
  /** The move that was recommended, or null. */
  hinted = null;
  #referee;
  #analysis;
  #players;
  /** Anything that was begun before the last change is out of date. */
  #time = 0;
  /** Of several games that are opened at once, the last is meant. */
  #openings = 0;
  /** Resolves when the board has shown the last move. */
  shown = Promise.resolve();

  constructor(link, referee, analysis) {
    super();
    this.#referee = referee;
    this.#analysis = analysis;
    this.#players = { p1: new Player(link), p2: new Player(link) };
  }

  get over() {
    return this.record.resigned !== null || this.state?.result !== "none";
  }

  /** `p1win`, `p2win`, `draw` or `none`. */
  get result() {
    const { resigned } = this.record;
    return resigned ? `${other(resigned)}win` : (this.state?.result ?? "none");
  }

  /** Whether it is a person's turn. */
  get personMoves() {
    return !this.over && this.seats[this.state.side].kind === "person";
  }

  /** Whether an engine would move, but waits to be told. */
  get waiting() {
    return !this.over && !this.personMoves && (this.paused || !this.record.atEnd);
  }

  /** Begins a game, or takes one up. If it is not legal, says why and changes nothing. */
  async open(record, { paused = false } = {}) {
    const opening = ++this.#openings;
    // The whole game must be legal, not just the part on the board.
    await this.#referee.look(record, record.moves.length);
    const state = await this.#referee.look(record);
    if (opening !== this.#openings) return;
    this.record = record;
    this.paused = paused;
    this.#show(state, null);
  }

  /** Opens the first of several games that is legal; throws the reason of the last. */
  async openFirst(records, options) {
    for (const [at, record] of records.entries()) {
      try {
        return await this.open(record, options);
      } catch (error) {
        if (!(error instanceof EngineError) || at === records.length - 1) throw error;
      }
    }
  }

  /** Plays a move of the side whose turn it is. */
  async play(move) {
    if (this.over || !this.state.moves.includes(move)) return;
    const time = this.#begin();
    const next = new Record(this.record.words, this.record.setup, this.record.moves, this.record.ply);
    next.play(move);
    const state = await this.#referee.look(next);
    if (time !== this.#time) return;
    this.record = next;
    this.#show(state, move);
  }

  /** A person's move: only in turn. */
  async playAsPerson(move) {
    if (this.personMoves) await this.play(move);
  }

  /** Goes to any point of the game. Engines there wait until told to go on. */
  async goTo(ply) {
    const time = this.#begin();
    const target = Math.max(0, Math.min(ply, this.record.moves.length));
    const state = await this.#referee.look(this.record, target);
    if (time !== this.#time) return;
    const forward = target === this.record.ply + 1 ? this.record.moves[target - 1] : null;
    if (target < this.record.ply) this.record.resigned = null;
    this.record.ply = target;
    if (this.record.atEnd && !this.#hasPerson) this.paused = true;
    this.#show(state, forward);
  }

  get #hasPerson() {
    return SIDES.some((side) => this.seats[side].kind === "person");
  }

  /** Takes a move back; against an engine, back to the person's last turn. */
  async undo() {
    if (this.record.resigned) {
      this.#begin();
      this.record.resigned = null;
      return this.#show(this.state, null);
    }
    await this.goTo(await this.#personsPly(-1));
  }

  /** The opposite of undo. */
  async redo() {
    await this.goTo(await this.#personsPly(1));
  }

  async #personsPly(step) {
    const last = this.record.moves.length;
    let ply = this.record.ply + step;
    while (this.#hasPerson && ply > 0 && ply < last) {
      const { side } = await this.#referee.look(this.record, ply);
      if (this.seats[side].kind === "person") break;
      ply += step;
    }
    return ply;
  }

  /** The side to move, or the person, gives up. */
  resign() {
    if (this.over) return;
    const people = SIDES.filter((side) => this.seats[side].kind === "person");
    this.#begin();
    this.record = new Record(this.record.words, this.record.setup, this.record.moves.slice(0, this.record.ply));
    this.record.resigned = people.length === 1 ? people[0] : this.state.side;
    this.#show(this.state, null);
  }

  /** The players change places. */
  swap() {
    this.#begin();
    this.seats = { p1: this.seats.p2, p2: this.seats.p1 };
    this.#players = { p1: this.#players.p2, p2: this.#players.p1 };
    this.#show(this.state, null);
  }

  /** Somebody else sits down. */
  seat(side, changes) {
    this.#begin();
    this.seats[side] = { ...this.seats[side], ...changes };
    if (this.seats[side].kind === "person") this.#players[side].end();
    this.#show(this.state, null);
  }

  /** The options of the engine at this side. */
  options(side) {
    return this.#players[side].options(this.seats[side], this.record.words);
  }

  /** Engines wait, or go on from the position on the board. */
  pause(paused) {
    this.#begin();
    const goesOn = !paused && this.waiting;
    this.paused = paused;
    if (goesOn && !this.record.atEnd) {
      this.record = new Record(this.record.words, this.record.setup, this.record.moves.slice(0, this.record.ply));
    }
    this.#show(this.state, null);
  }

  /** Recommends a move. */
  async hint() {
    if (this.over) return;
    const time = this.#time;
    const known = this.#analysis.line[0];
    try {
      const move = known ?? (await this.#analysis.hint(this.record));
      if (time !== this.#time || !move) return;
      this.hinted = move;
      this.#changed();
      if (!known) this.#analysis.study(this.record, this.state, this.#look);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Analysis on or off. */
  analyse(on) {
    this.#analysis.on = on;
    if (on) this.#analysis.study(this.record, this.state, this.#look);
    else this.#analysis.end();
    this.#changed();
  }

  /** Nobody looks: the analysis rests until somebody does. */
  hide(hidden) {
    if (!this.#analysis.on || !this.state) return;
    if (hidden) this.#analysis.rest();
    else this.#analysis.study(this.record, this.state, this.#look);
  }

  #look = (record, ply) => this.#referee.look(record, ply);

  /** Whatever is going on is out of date. */
  #begin() {
    this.#time += 1;
    for (const side of SIDES) this.#players[side].stop();
    this.thinking = null;
    this.hinted = null;
    return this.#time;
  }

  #show(state, move) {
    const time = this.#begin();
    const before = this.state;
    this.state = state;
    this.dispatchEvent(new CustomEvent("position", { detail: { before, move } }));
    this.#changed();
    this.#analysis.study(this.record, state, this.#look);
    this.#think(time);
  }

  async #think(time) {
    const isNow = () => time === this.#time;
    await this.shown;
    if (!isNow() || this.over || this.personMoves || this.waiting) return;
    const { side } = this.state;
    this.thinking = side;
    this.#changed();
    const key = this.record.key();
    const hear = (info) => {
      if (isNow() && info.score && info.multipv === 1) this.#analysis.learn(key, side, info.score);
    };
    for (let tries = 1; isNow(); tries += 1) {
      try {
        const move = await this.#players[side].choose(this.seats[side], this.record, hear, isNow);
        if (isNow() && move) await this.play(move);
        return;
      } catch (error) {
        if (!isNow()) return;
        this.#report(error);
        if (!(error instanceof EngineGone) || tries === PATIENCE) return this.pause(true);
      }
    }
  }

  #report(error) {
    const text =
      error instanceof EngineGone
        ? `The engine has ended (${error.message}). It is started again; the game goes on.`
        : error.message;
    this.dispatchEvent(new CustomEvent("message", { detail: text }));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
