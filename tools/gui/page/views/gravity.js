// A board whose pieces fall, to play on.

import { BoardView } from "./board-view.js";
import * as scene from "./gravity-scene.js";
import { t } from "../i18n.js";
import { longLabel } from "../score.js";
import { fall } from "./motion.js";
import { piece, pictureId, RADIUS } from "./pieces.js";
import { h } from "./scene.js";
import { pill } from "./values.js";

const { CELL } = scene;
/** The room above the plate, for the piece in the hand, and below it, for the values. */
const HEAD = 90;
const FOOT = 72;

export class GravityView extends BoardView {
  #id = pictureId();

  get #columns() {
    return this.state.board.column_names;
  }

  picture() {
    const { state } = this;
    const { board, ending } = state;
    const { width, height } = scene.size(board);
    const shape = `${board.rows.length} ${board.rows[0].length}`;
    const layer = (name, children, own) => h("g", { class: name, key: name, own }, children);
    const layers = [
      this.memo("back", [shape], () => layer("back", scene.back(board, this.#id))),
      this.memo("pieces", [state, this.landed], () => layer("pieces", scene.pieces(board, this.#id, this.landed ? ending : null))),
      this.memo("line", [this.annotations.line], () => layer("line", this.#line())),
      this.memo("landing", [this.#drop, state], () => layer("landing", this.#landing())),
      this.memo("plate", [shape], () => layer("plate", scene.plate(board, this.#id))),
      this.memo("marks", [state, this.landed], () => layer("marks", this.landed ? [...scene.victims(board, state.result), ...scene.marks(state)] : [])),
      this.memo("values", [state, this.annotations], () => layer("values", this.#values(height))),
      this.memo("hand", [this.#drop, this.annotations.hint], () => layer("hand", [...this.#hand(), ...this.#hint()])),
      layer("effects", [], true),
    ];
    return { box: [0, -HEAD, width, height + HEAD + FOOT], layers };
  }

  places() {
    const { state, annotations } = this;
    const columns = this.memo("columns", [state, annotations], () => this.#columnPlaces());
    return this.memo("places", [columns], () => [columns, ...this.memo("cells", [state], () => this.#cellPlaces())]);
  }

  #box(column, top, height) {
    const { width, height: plate } = scene.size(this.state.board);
    const all = plate + HEAD + FOOT;
    return [(scene.x(column) - CELL / 2) / width, (top + HEAD) / all, CELL / width, height / all];
  }

  #columnPlaces() {
    const { state: { board, moves }, annotations: { playable, moveScores } } = this;
    const { height } = scene.size(board);
    const drops = new Map(moves.filter(({ to }) => to).map(({ to, move }) => [to[1], move]));
    return this.#columns.map((name, column) => {
      const stack = board.rows.map((line) => line[column]).filter(Boolean);
      const counted = stack.length === board.rows.length ? "view.column.full" : stack.length ? "view.column.stack" : "view.column.empty";
      const label = t(counted, { column: name, n: stack.length, top: stack.length ? t(`side.${stack[0]}`) : "" });
      const move = drops.get(column);
      const score = moveScores.get(move);
      return {
        key: `column ${column}`,
        label,
        title: score && longLabel(score),
        box: this.#box(column, -HEAD, height + HEAD + FOOT),
        active: playable && move !== undefined,
        data: { "data-move": move },
        class: "column",
      };
    });
  }

  #cellPlaces() {
    const { state: { board } } = this;
    const { rows } = board;
    const bombs = new Set(Object.values(board.bombs ?? {}).map((bomb) => String(bomb?.cell)));
    return rows.map((line, row) =>
      line.map((side, column) => {
        const content = !side ? t("view.empty") : bombs.has(`${row},${column}`) ? t("view.bomb", { side: t(`side.${side}`) }) : t(`side.${side}`);
        return {
          key: `cell ${row} ${column}`,
          label: t("view.cell", { column: this.#columns[column], row: rows.length - row, content }),
          box: this.#box(column, scene.y(row) - CELL / 2, CELL),
          reads: true,
        };
      }),
    );
  }

  label() {
    const { state: { board, name } } = this;
    return t("view.label", { game: t(`game.${name}`), rows: board.rows.length, columns: board.rows[0].length });
  }

  /** The move of a column, whichever of its places was chosen. */
  #moveAt(key) {
    const column = Number(key?.split(" ").at(-1) ?? NaN);
    return this.annotations.playable ? this.state.moves.find(({ to }) => to?.[1] === column) : undefined;
  }

  activate(key) {
    const drop = this.#moveAt(key);
    if (drop) this.play(drop.move);
  }

  /** The move that would be played at the place that has the user's attention. */
  get #drop() {
    return this.landed ? this.#moveAt(this.attended) : undefined;
  }

  #hand() {
    const drop = this.#drop;
    return drop ? [h("g", { transform: `translate(${scene.x(drop.to[1])} ${-RADIUS - 3})` }, piece(this.#id, drop.side, drop.bomb))] : [];
  }

  #landing() {
    const drop = this.#drop;
    return drop ? [h("g", { class: "landing-piece", transform: scene.at(drop.to), opacity: 0.34 }, piece(this.#id, drop.side, drop.bomb))] : [];
  }

  #hint() {
    const { state, annotations: { hint } } = this;
    const hinted = state.moves.find(({ move, to }) => move === hint && to);
    if (!hinted) return [];
    const d = "M0 -4L-30 -42H-11V-84H11V-42H30z";
    return [h("path", { key: "hint", "data-hint": hint, class: "hint", transform: `translate(${scene.x(hinted.to[1])} -2)`, d, fill: "var(--accent)", stroke: "var(--accent-text)", "stroke-width": 3 })];
  }

  #values(height) {
    const { state, annotations: { moveScores, best } } = this;
    return state.moves.flatMap(({ move, to }) => (to && moveScores.has(move) ? [pill(move, moveScores.get(move), best.has(move), scene.x(to[1]), height + 44)] : []));
  }

  /** The drops of the principal variation, up to an explosion, as numbered ghosts. */
  #line() {
    const { line } = this.annotations;
    const end = line.findIndex(({ to }) => !to);
    return line.slice(0, end < 0 ? line.length : end).map(({ to, side, bomb }, index) =>
      h(
        "g",
        { key: `${index} ${to}`, class: "ghost", transform: scene.at(to) },
        h("g", { opacity: 0.3 }, piece(this.#id, side, bomb)),
        h("text", { y: 14, "font-size": 40, "font-weight": 700, "text-anchor": "middle", fill: "var(--text)", stroke: "var(--hole)", "stroke-width": 9, "paint-order": "stroke", "stroke-linejoin": "round" }, index + 1),
      ),
    );
  }

  /** Lets the piece of a cell fall from above the board, or from a number of cells higher. */
  async fall([row, column], cells = row + 1.5, delay = 0) {
    const { frames, duration } = fall(cells * CELL);
    const body = this.find(`.piece[data-at="${row},${column}"] > g`);
    if (body) await this.motion.play(body, frames, { duration, delay, fill: "backwards" });
  }

  async animate() {
    const { to } = this.state.last;
    if (to) await this.fall(to);
  }

  async celebrate() {
    const lines = [...this.find(".marks").querySelectorAll("[data-winning] path")];
    const frames = [{ strokeDasharray: "1 1", strokeDashoffset: 1 }, { strokeDasharray: "1 1", strokeDashoffset: 0 }];
    await Promise.all(lines.map((line) => this.motion.play(line, frames, { duration: 380, easing: "ease-out" })));
  }
}
