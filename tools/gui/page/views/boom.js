// Conecta-4 BOOM: falling pieces, bombs and explosions.

import { animate, svg } from "../dom.js";
import { SIDES } from "../sides.js";
import { GravityBoard } from "./gravity.js";

export class Boom {
  static title = "Conecta-4 BOOM";
  #board;
  #state = null;

  constructor(root, play) {
    this.#board = new GravityBoard(root, play);
  }

  async show(state, previous, move) {
    this.#state = state;
    const { rows } = state.board;
    this.#board.resize(rows.length, rows[0].length);
    const pieces = this.#board.place(state);
    if (move) await this.#animate(state.last, pieces, previous);
    if (this.#state !== state) return;
    this.#board.markLast(state);
    if (state.result === "none") for (const side of SIDES) this.#markVictims(side);
  }

  /** Drops a piece, or removes the bomb and its victims and lets the pieces above them fall. */
  async #animate({ to, removed = [], falls = [] }, pieces, previous) {
    if (to) return this.#board.fall(pieces[to[0]][to[1]], to[0]);
    const exploding = removed.map(([row, column]) => this.#board.piece(previous.board, row, column));
    this.#board.add("pieces", ...exploding);
    const options = { duration: 420, easing: "ease-out", fill: "forwards" };
    const frames = [
      { transform: "scale(1)", opacity: 1 },
      { transform: "scale(1.35)", opacity: 0.9, offset: 0.35 },
      { transform: "scale(0.1)", opacity: 0 },
    ];
    const falling = falls.map(([, [row, column]]) => this.#board.fall(pieces[row][column], row, 1, 380));
    await Promise.all([...exploding.map((piece) => animate(piece.firstChild, frames, options)), ...falling]);
    exploding.forEach((piece) => piece.remove());
  }

  /** Crosses out the pieces that a side's bomb would remove. */
  #markVictims(side) {
    const { x, y } = this.#board;
    for (const [row, column] of this.#state.board.bombs[side]?.removes ?? []) {
      const [cx, cy] = [x(column), y(row)];
      this.#board.add(
        "marks",
        svg(
          "g",
          { class: `cross ${side}`, "data-victim": `${row},${column}` },
          svg("circle", { cx, cy, r: 36 }),
          svg("path", { d: `M${cx - 12} ${cy - 12}l24 24m0-24l-24 24` }),
        ),
      );
    }
  }

  annotate(annotations) {
    this.#board.annotate(annotations, this.#state);
  }

  actions({ moves }) {
    return moves.some(({ move }) => move === "boom") ? [{ move: "boom", label: "BOOM!" }] : [];
  }

  instruction({ board, moves }) {
    const left = board.moves_left === 2 ? "two moves" : "one move";
    const bomb = moves.some((move) => move.bomb) ? ", the next piece is a bomb" : "";
    return `${left} left in this turn${bomb}`;
  }
}
