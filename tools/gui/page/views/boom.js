// Conecta-4 BOOM: falling pieces, bombs, and what an explosion removes.

import { animate, svg } from "../dom.js";
import { SIDES } from "../sides.js";
import { Gravity, linesOf } from "./gravity.js";

const PIECES = {
  1: { side: "p1", bomb: false },
  2: { side: "p2", bomb: false },
  4: { side: "p1", bomb: true },
  5: { side: "p2", bomb: true },
};
const LINE = 4;

/** The player who makes a move with this number. */
const moverOf = (number) => (Math.floor(number / 2) % 2 ? "p2" : "p1");

/** Whether it belongs to a turn in which bombs are dropped. */
const isBombTurn = (number) => (Math.floor(number / 4) + 1) % 4 === 0;

/** The cells, and the number of the next move. */
function read(state) {
  const [, rows, , number] = state.position.split(" ");
  return { cells: rows.split("/").map((row) => [...row].map((cell) => PIECES[cell])), number: Number(number) };
}

function bombOf(cells, side) {
  const row = cells.findIndex((line) => line.some((piece) => piece?.bomb && piece.side === side));
  return row < 0 ? null : { row, column: cells[row].findIndex((piece) => piece?.bomb && piece.side === side) };
}

/** The enemy pieces in the row of a bomb. */
function victims(cells, side) {
  const bomb = bombOf(cells, side);
  if (!bomb) return [];
  return cells[bomb.row].flatMap((piece, column) => (piece && piece.side !== side ? [[bomb.row, column]] : []));
}

export class Boom {
  static title = "Conecta-4 BOOM";
  #board;
  #state = null;
  #cells = [];
  #number = 1;

  constructor(root, play) {
    this.#board = new Gravity(root, play);
  }

  async show(state, before, move) {
    const { cells, number } = read(state);
    [this.#state, this.#cells, this.#number] = [state, cells, number];
    const board = this.#board;
    board.lay(cells.length, cells[0].length);
    board.clearMarks();
    const pieces = board.place(cells);
    if (move === "boom" && before) await this.#explode(read(before).cells, before.side, pieces);
    else if (move) await this.#drop(Number(move) - 1, pieces);
    if (this.#state !== state) return;
    if (move && move !== "boom") {
      const column = Number(move) - 1;
      board.rings([[cells.findIndex((line) => line[column]), column]], "last");
    }
    if (/win$/.test(state.result)) board.rings(linesOf(cells, state.result.slice(0, 2), LINE), "won");
    else for (const side of SIDES) this.#crosses(side);
  }

  async #drop(column, pieces) {
    const row = this.#cells.findIndex((line) => line[column]);
    await this.#board.fall(pieces[row][column], row);
  }

  /** What is removed flies apart, then what lay above falls. */
  async #explode(cells, side, pieces) {
    const bomb = bombOf(cells, side);
    if (!bomb) return;
    const gone = [[bomb.row, bomb.column], ...victims(cells, side)];
    const flying = gone.map(([row, column]) => this.#board.piece(cells[row][column], row, column, "flying"));
    this.#board.add("pieces", ...flying);
    const flash = { duration: 420, easing: "ease-out", fill: "forwards" };
    const frames = [
      { transform: "scale(1)", opacity: 1 },
      { transform: "scale(1.35)", opacity: 0.9, offset: 0.35 },
      { transform: "scale(0.1)", opacity: 0 },
    ];
    const falls = gone.flatMap(([row, column]) =>
      pieces.slice(0, row + 1).flatMap((line, at) => (line[column] ? [this.#board.fall(line[column], at, 1, 380)] : [])),
    );
    await Promise.all([...flying.map((piece) => animate(piece.firstChild, frames, flash)), ...falls]);
    flying.forEach((piece) => piece.remove());
  }

  /** Marks what a player's bomb would remove. */
  #crosses(side) {
    const { x, y } = this.#board;
    for (const [row, column] of victims(this.#cells, side)) {
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

  mark({ playable, worth, line, hint }) {
    const { side, moves } = this.#state;
    const landings = this.#board.landings(this.#cells);
    const columns = moves.filter((move) => move !== "boom").map((move) => Number(move) - 1);
    this.#board.offer(new Set(playable ? columns : []), side, landings);
    this.#board.values(worth);
    this.#board.ghosts(line, landings, (at) => moverOf(this.#number + at));
    this.#board.point(hint && hint !== "boom" ? Number(hint) - 1 : null);
  }

  actions(state) {
    return state.moves.includes("boom") ? [{ move: "boom", label: "BOOM!" }] : [];
  }

  /** A remark about the next move. */
  remark(state) {
    const { cells, number } = read(state);
    const again = moverOf(number + 1) === moverOf(number) ? "two moves" : "one move";
    const drops = isBombTurn(number) && !bombOf(cells, state.side) ? ", the next piece is a bomb" : "";
    return `${again} left in this turn${drops}`;
  }
}
