// Wali: stones are dropped, moved and captured by choosing cells.

import { t } from "../i18n.js";
import { longLabel, strength } from "../score.js";
import { opponent, sideName } from "../sides.js";
import { BoardView } from "./board-view.js";
import { discPicture, pictureId } from "./pieces.js";
import { create, h } from "./scene.js";
import { badge, pill } from "./values.js";
import * as scene from "./wali-scene.js";

const { at, CELL, x, y } = scene;
/** The moves of the principal variation that are shown. */
const SHOWN_MOVES = 2;

export class Wali extends BoardView {
  #id = pictureId();
  #cells = new Map();
  /** The cells of the move chosen so far, by name. */
  #selected = [];

  constructor(root, play) {
    super(root, play, "wali");
    this.node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#selected.length) return;
      event.stopPropagation();
      this.#select([]);
    });
  }

  get aspect() {
    // In a wide window the bars are beside the board.
    return window.innerWidth > window.innerHeight ? Math.max(super.aspect, 1.43) : super.aspect;
  }

  reset() {
    this.#cells = scene.cellsByName(this.state.board);
    this.#selected = [];
  }

  #name = (cell) => scene.nameOf(this.state.board, cell);

  /** The cells of a move, in the order in which they are chosen. */
  #cellsOf({ from, to, removed = [] }) {
    return [from, to, ...removed].filter(Boolean).map(this.#name);
  }

  /** The legal moves that begin with these cells. */
  #movesFrom(cells) {
    return this.state.moves.filter((move) => cells.every((cell, index) => this.#cellsOf(move)[index] === cell));
  }

  /** What is to be chosen next: `drop`, `move`, `target` or `capture`. */
  get #step() {
    if (this.state.board.phase === "drop") return "drop";
    return ["move", "target", "capture"][this.#selected.length];
  }

  /** The cells that can be chosen next, each with the score of the best move that they lead to. */
  #choices() {
    const { moveScores } = this.annotations;
    const choices = new Map();
    for (const move of this.#movesFrom(this.#selected)) {
      const cell = this.#cellsOf(move)[this.#selected.length];
      const [score, known] = [moveScores.get(move.move), choices.get(cell)?.score];
      if (cell && (!choices.has(cell) || (score && (!known || strength(score) > strength(known))))) choices.set(cell, { score, move: move.move });
    }
    return choices;
  }

  picture() {
    const { state, annotations } = this;
    const { board } = state;
    const { width, height } = scene.size(board);
    const layer = (name, children, own) => h("g", { class: name, key: name, own }, children);
    const choices = this.memo("choices", [state, annotations, this.#selected], () => this.#choices());
    const layers = [
      this.memo("board", [`${board.rows.length} ${board.rows[0].length}`], () => layer("wood", scene.board(board, this.#id))),
      this.memo("last", [state, this.landed], () => layer("marks", this.landed ? scene.lastMove(state) : [])),
      this.memo("stones", [state], () => layer("pieces", scene.stones(state, this.#id))),
      this.memo("line", [annotations.line, this.#selected], () => layer("line", this.#selected.length ? [] : this.#line())),
      this.memo("targets", [choices], () => layer("targets", this.#targets(choices))),
      this.memo("values", [choices], () => layer("values", this.#values(choices))),
      layer("effects", [], true),
    ];
    return { box: [0, 0, width, height], layers };
  }

  #targets(choices) {
    const { state: { side, moves }, annotations: { playable, hint } } = this;
    const step = this.#step;
    const names = playable ? [...choices.keys()] : [];
    const target = (name) => {
      const attributes = { key: `target ${name}`, class: `target ${step}`, transform: at(this.#cells.get(name)) };
      if (step === "capture") return h("circle", { ...attributes, r: 42, fill: "none", stroke: "var(--bad)", "stroke-width": 8 });
      if (step === "move") return h("circle", { ...attributes, r: 42, fill: "none", stroke: "var(--mark)", "stroke-width": 3.5, "stroke-dasharray": "9 8" });
      return h("circle", { ...attributes, r: 11, fill: `var(--${side})`, stroke: "var(--mark-edge)", "stroke-width": 2.5 });
    };
    const selected = this.#selected.map((name) => h("circle", { key: `selected ${name}`, class: "selected", transform: at(this.#cells.get(name)), r: 42, fill: "none", stroke: "var(--accent)", "stroke-width": 9 }));
    const hinted = moves.find(({ move }) => move === hint);
    const rings = (hinted ? this.#cellsOf(hinted) : []).map((name) =>
      h("circle", { key: `hint ${name}`, class: "hint", "data-hint": name, transform: at(this.#cells.get(name)), r: 45, fill: "none", stroke: "var(--accent)", "stroke-width": 8, "stroke-dasharray": "4 10", "stroke-linecap": "round" }),
    );
    return [...names.map(target), ...selected, ...rings];
  }

  #values(choices) {
    const { best } = this.annotations;
    return [...choices].flatMap(([name, { score, move }]) => {
      if (!score) return [];
      const [row, column] = this.#cells.get(name);
      return [pill(name, score, best.has(move), x(column), y(row) + 32, { size: 27, width: 70, height: 36 })];
    });
  }

  /** The principal variation: numbered rings for drops, arrows for moves. */
  #line() {
    const drawn = this.annotations.line.slice(0, SHOWN_MOVES).filter(({ to }) => to);
    return drawn.flatMap(({ from, to, removed = [], side }, index) => {
      const [right, down] = [x(to[1]), y(to[0])];
      const stroke = { fill: "none", stroke: "var(--accent)", "stroke-width": 8, "stroke-linecap": "round", "stroke-linejoin": "round" };
      const way = from ? h("path", { ...stroke, key: `way ${index}`, class: "arrow", d: arrow(from, to) }) : h("g", { key: `way ${index}`, class: "ghost", transform: at(to), opacity: 0.4 }, scene.stone(this.#id, side));
      const captured = removed.map((cell) => h("circle", { ...stroke, key: `captured ${index}`, transform: at(cell), r: 38, "stroke-dasharray": "8 10", "stroke-width": 5 }));
      return [way, ...captured, badge(`badge ${index}`, right + 28, down - 28, index + 1)];
    });
  }

  places() {
    const { state, annotations } = this;
    return this.memo("places", [state, annotations, this.#selected], () => this.#rows());
  }

  #rows() {
    const { state: { board }, annotations: { playable } } = this;
    const { width, height } = scene.size(board);
    const choices = this.#choices();
    return board.rows.map((line, row) =>
      line.map((side, column) => {
        const name = this.#name([row, column]);
        const selected = this.#selected.includes(name);
        const score = choices.get(name)?.score;
        const content = side ? sideName(side) : t("view.empty");
        const label = t(this.#step === "capture" && choices.has(name) ? "view.capture" : selected ? "view.selected" : "view.at", { cell: name, content });
        return {
          key: name,
          label,
          title: score && longLabel(score),
          box: [(x(column) - CELL / 2) / width, (y(row) - CELL / 2) / height, CELL / width, CELL / height],
          active: playable && (choices.has(name) || selected),
          data: { "data-cell": name },
          class: "round",
        };
      }),
    );
  }

  label() {
    const { rows } = this.state.board;
    return t("view.label", { game: t("game.wali"), rows: rows.length, columns: rows[0].length });
  }

  activate(cell) {
    if (!this.annotations.playable) return;
    const selected = [...this.#selected, cell];
    const moves = this.#movesFrom(selected);
    const complete = moves.find((move) => this.#cellsOf(move).length === selected.length);
    if (complete && moves.length === 1) this.play(complete.move);
    else if (moves.length) this.#select(selected);
    else this.#select(this.#movesFrom([cell]).length && cell !== this.#selected[0] ? [cell] : []);
  }

  #select(cells) {
    this.#selected = cells;
    this.drawNow();
  }

  async animate(previous) {
    const { from, to, removed = [] } = this.state.last;
    if (!to) return;
    // Captured stones are seen until they go.
    const victims = removed.map((cell) => this.#victim(cell, previous.board.rows[cell[0]][cell[1]]));
    const stone = this.find(`[data-stone="${this.#name(to)}"] > g`);
    const start = from ? `translate(${(from[1] - to[1]) * CELL}px, ${(from[0] - to[0]) * CELL}px)` : "translateY(-60px) scale(1.25)";
    const frames = [{ transform: start, opacity: from ? 1 : 0 }, { transform: "none", opacity: 1 }];
    const finished = await this.motion.play(stone, frames, { duration: from ? 300 : 240, easing: from ? "ease-in-out" : "cubic-bezier(0.3, 0, 0.8, 0.6)" });
    if (finished) await Promise.all(victims.map((victim) => this.#remove(victim)));
  }

  #victim(cell, side) {
    const { effects } = this;
    const victim = h("g", { transform: at(cell) }, h("g", {}, scene.stone(this.#id, side), h("circle", { r: 42, fill: "none", stroke: "var(--bad)", "stroke-width": 8 })));
    return effects.appendChild(create(effects, victim));
  }

  async #remove(victim) {
    const frames = [{ transform: "none", opacity: 1 }, { transform: "scale(1.12)", opacity: 1, offset: 0.35 }, { transform: "scale(0.2) rotate(40deg)", opacity: 0 }];
    await this.motion.play(victim.firstChild, frames, { duration: 460, easing: "ease-in", fill: "forwards" });
    victim.remove();
  }

  bars() {
    const { state, side } = this;
    const near = side ?? "p1";
    const far = opponent(near);
    return this.memo("bars", [state, near, this.#step], () => [[this.#tray(far), this.#phases()], [this.#tray(near)]]);
  }

  /** The stones in a side's hand, then those on the board. */
  #tray(side) {
    const { board, parameters } = this.state;
    const dropping = board.phase === "drop";
    const left = dropping ? board.in_hand[side] : board.rows.flat().filter((stone) => stone === side).length;
    const text = t(dropping ? "view.inHand" : "view.onBoard", { n: left });
    const shown = dropping ? parameters.stones : 1;
    const stones = Array.from({ length: shown }, (_, index) => h("i", { class: index < left ? "" : "used", key: index }, discPicture(side)));
    return h("span", { class: `tray ${side}`, key: side, role: "img", "aria-label": `${sideName(side)}: ${text}` }, h("span", { class: "stones" }, stones), h("b", {}, text));
  }

  /** The phases of the game, of which one is the present one. */
  #phases() {
    const step = this.#step;
    const now = this.state.result !== "none" ? "" : step === "target" ? "move" : step;
    const phase = (name) => h("li", { class: name === now ? "now" : "", "aria-current": name === now ? "step" : undefined, key: name }, t(`view.phase.${name}`));
    return h("ol", { class: "phases", key: "phases" }, ["drop", "move", "capture"].map(phase));
  }

  actions({ moves }) {
    return moves.some(({ move }) => move === "pass") ? [{ move: "pass", label: t("view.pass") }] : [];
  }

  instruction({ board, moves, side }) {
    if (moves.every(({ move }) => move === "pass")) return t("view.wali.pass");
    return board.phase === "drop" ? t("view.wali.drop", { n: board.in_hand[side] }) : t("view.wali.move");
  }
}

/** An arrow from the edge of a stone to the centre of the next cell. */
function arrow(from, to) {
  const [right, down] = [to[1] - from[1], to[0] - from[0]];
  const [left, top] = [x(to[1]), y(to[0])];
  const wing = (sign) => `${left - 20 * right + sign * 16 * down} ${top - 20 * down + sign * 16 * right}`;
  return `M${x(from[1]) + 36 * right} ${y(from[0]) + 36 * down}L${left} ${top}M${wing(1)}L${left} ${top}L${wing(-1)}`;
}
