// The game controller: the game, the players, and whose turn it is. Knows no rules and draws nothing.

import { EngineExited } from "./engine.js";
import { computer, EnginePlayer, person } from "./engine-player.js";
import { friendly } from "./errors.js";
import { GameTree } from "./game-tree.js";
import { opponent, SIDES } from "./sides.js";

/** How often an engine that exits is restarted before the game is paused. */
const TRIES = 3;

/**
 * Fires `position` when the position has changed, `change` when anything else has, `shown` when the board
 * has animated the last move, `opened` with the game that another one has replaced, and `message` with a
 * text for the user.
 */
export class GameController extends EventTarget {
  tree = new GameTree("connect4 6 7 4");
  players = { p1: person(), p2: computer() };
  state = null;
  paused = false;
  /** The side whose engine is searching, or null. */
  thinking = null;
  /** The move recommended by a hint, or null. */
  hinted = null;
  /** Resolves when the board has animated the last move. */
  shown = Promise.resolve();
  /** Whether the board has animated the last move. */
  isShown = true;
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

  /** The line of the game tree through the position on the board. */
  get record() {
    return this.tree.record;
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
    return !this.over && this.isPerson(this.state.side);
  }

  /** Whether it is an engine's turn, but it waits for "Continue". */
  get waiting() {
    return !this.over && !this.personToMove && (this.paused || !this.record.atEnd);
  }

  isPerson(side) {
    return this.players[side].kind === "person";
  }

  /** The sides that people play. */
  get people() {
    return SIDES.filter((side) => this.isPerson(side));
  }

  /**
   * Opens a game, a line or a tree, with the players given or the present ones. Throws if it is illegal;
   * then nothing changes.
   */
  async open(game, { paused = false, players = this.players, replaces = false } = {}) {
    const opened = ++this.#opened;
    const tree = game instanceof GameTree ? game : GameTree.fromRecord(game);
    // The whole game must be legal, not just the moves on the board.
    await this.#rules.stateAt(tree.record, tree.record.moves.length);
    const state = await this.#rules.stateAt(tree.record);
    if (opened !== this.#opened) return;
    const previous = { game: this.tree, players: this.players };
    this.tree = tree;
    this.players = players;
    this.paused = paused;
    this.#show(state);
    if (replaces) this.dispatchEvent(new CustomEvent("opened", { detail: previous }));
  }

  async #play(move) {
    if (this.over || !this.state.moves.some((legal) => legal.move === move)) return;
    const generation = this.#interrupt();
    const state = await this.#rules.stateAt(this.record.continued(move));
    if (generation !== this.#generation) return;
    this.tree.play(move);
    this.#show(state, move);
  }

  /** Plays a move if it is a person's turn and the move is legal. Then engines may answer it. */
  async play(move) {
    if (!this.personToMove) return;
    this.paused = false;
    await this.#play(move);
  }

  /** Adds a line of moves to the game as a variation and goes to its end. */
  async playLine(moves) {
    const generation = this.#interrupt();
    const state = await this.#rules.stateAt(this.record.continued(...moves));
    if (generation !== this.#generation) return;
    this.paused = true;
    for (const move of moves) this.tree.play(move);
    this.#show(state, moves.length === 1 ? moves[0] : null);
  }

  /** Goes to any point of the line. There, engines wait for "Continue". */
  goTo(ply) {
    const { nodes } = this.record;
    return this.goToNode(nodes[Math.max(0, Math.min(ply, nodes.length - 1))]);
  }

  /** Goes to any position of the game tree. */
  async goToNode(node) {
    const generation = this.#interrupt();
    const before = this.tree.current;
    this.tree.goTo(node);
    const record = this.record;
    this.tree.goTo(before);
    const state = await this.#rules.stateAt(record);
    if (generation !== this.#generation) return;
    this.tree.goTo(node);
    if (!this.people.length) this.paused = true;
    this.#show(state, node.parent === before ? node.move : null);
  }

  /** Takes back a resignation or a move; against an engine, back to the person's last turn. */
  async undo() {
    if (!this.record.resigned) return this.goTo(await this.#personsPly(-1));
    this.tree.resign(null);
    this.#show();
  }

  /** The opposite of undo. */
  async redo() {
    await this.goTo(await this.#personsPly(1));
  }

  async #personsPly(step) {
    const last = this.record.moves.length;
    let ply = this.record.ply + step;
    while (this.people.length && ply > 0 && ply < last) {
      const { side } = await this.#rules.stateAt(this.record, ply);
      if (this.isPerson(side)) break;
      ply += step;
    }
    return ply;
  }

  /** The side for which `resign` resigns: the only person's, or else the side to move. */
  get resigning() {
    return this.people.length === 1 ? this.people[0] : this.state.side;
  }

  resign() {
    if (this.over) return;
    this.tree.resign(this.resigning);
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
    this.players = { ...this.players, [side]: { ...this.players[side], ...changes } };
    if (this.isPerson(side)) this.#engines[side].end();
    this.#show();
  }

  /** The options of the engine on this side, in the present game or another one. */
  options(side, player = this.players[side], game = this.record.game) {
    return this.#engines[side].options(player, game);
  }

  /** Pauses the engines, or lets them continue from the position on the board. */
  pause(paused) {
    // In the middle of a line, the engine's move continues it or starts a variation.
    if (!paused && this.waiting) this.tree.endLine();
    this.paused = paused;
    this.#show();
  }

  /** Recommends a move. */
  async hint() {
    if (this.over) return;
    const generation = this.#generation;
    const known = this.#analysis.on ? this.#analysis.pv[0] : undefined;
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
    if (this.tree.current.parent) this.tree.current.side = state.last?.side ?? null;
    this.#analysis.stop();
    this.state = state;
    this.isShown = false;
    this.dispatchEvent(new CustomEvent("position", { detail: { previous, move } }));
    this.#changed();
    this.#analyze();
    this.#settle(generation);
    this.#think(generation);
  }

  async #settle(generation) {
    await this.shown;
    if (generation !== this.#generation) return;
    this.isShown = true;
    this.dispatchEvent(new Event("shown"));
    this.#changed();
  }

  async #think(generation) {
    const isCurrent = () => generation === this.#generation;
    await this.shown;
    if (!isCurrent() || this.over || this.personToMove || this.waiting) return;
    const { side } = this.state;
    this.thinking = side;
    this.#changed();
    for (let tries = 1; isCurrent(); tries += 1) {
      try {
        const move = await this.#engines[side].bestMove(this.players[side], this.record, isCurrent);
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
    this.dispatchEvent(new CustomEvent("message", { detail: friendly(error) }));
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
