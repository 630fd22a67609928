// Conecta-4 BOOM: falling pieces, bombs and explosions.

import { animate, svg } from "../dom.js";
import { SIDES } from "../sides.js";
import { GravityBoard, winningCells } from "./gravity.js";

const PIECES = {
  1: { side: "p1", bomb: false },
  2: { side: "p2", bomb: false },
  4: { side: "p1", bomb: true },
  5: { side: "p2", bomb: true },
};
const LINE_LENGTH = 4;

/** The side that makes the move with this number. */
const moverOf = (number) => (Math.floor(number / 2) % 2 ? "p2" : "p1");

/** Whether bombs are dropped in the turn of this move. */
const isBombTurn = (number) => (Math.floor(number / 4) + 1) % 4 === 0;

/** The cells, and the number of the next move. */
function parse(state) {
  const [, rows, , number] = state.position.split(" ");
  return { cells: rows.split("/").map((row) => [...row].map((cell) => PIECES[cell])), number: Number(number) };
}

function bombOf(cells, side) {
  const row = cells.findIndex((line) => line.some((piece) => piece?.bomb && piece.side === side));
  return row < 0 ? null : { row, column: cells[row].findIndex((piece) => piece?.bomb && piece.side === side) };
}

/** The opponent's pieces in the row of a bomb. */
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
    this.#board = new GravityBoard(root, play);
  }

  async show(state, previous, move) {
    const { cells, number } = parse(state);
    [this.#state, this.#cells, this.#number] = [state, cells, number];
    const board = this.#board;
    board.resize(cells.length, cells[0].length);
    const pieces = board.place(cells);
    if (move === "boom" && previous) await this.#explode(parse(previous).cells, previous.side, pieces);
    else if (move) await this.#drop(Number(move) - 1, pieces);
    if (this.#state !== state) return;
    if (move && move !== "boom") {
      const column = Number(move) - 1;
      board.addRings([[cells.findIndex((line) => line[column]), column]], "last");
    }
    if (/win$/.test(state.result)) board.addRings(winningCells(cells, state.result.slice(0, 2), LINE_LENGTH), "winning");
    else for (const side of SIDES) this.#markVictims(side);
  }

  async #drop(column, pieces) {
    const row = this.#cells.findIndex((line) => line[column]);
    await this.#board.fall(pieces[row][column], row);
  }

  /** Removes the bomb and its victims, then lets the pieces above them fall. */
  async #explode(cells, side, pieces) {
    const bomb = bombOf(cells, side);
    if (!bomb) return;
    const removed = [[bomb.row, bomb.column], ...victims(cells, side)];
    const exploding = removed.map(([row, column]) => this.#board.piece(cells[row][column], row, column));
    this.#board.add("pieces", ...exploding);
    const options = { duration: 420, easing: "ease-out", fill: "forwards" };
    const frames = [
      { transform: "scale(1)", opacity: 1 },
      { transform: "scale(1.35)", opacity: 0.9, offset: 0.35 },
      { transform: "scale(0.1)", opacity: 0 },
    ];
    const falls = removed.flatMap(([row, column]) =>
      pieces.slice(0, row + 1).flatMap((line, at) => (line[column] ? [this.#board.fall(line[column], at, 1, 380)] : [])),
    );
    await Promise.all([...exploding.map((piece) => animate(piece.firstChild, frames, options)), ...falls]);
    exploding.forEach((piece) => piece.remove());
  }

  /** Crosses out the pieces that a side's bomb would remove. */
  #markVictims(side) {
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

  annotate(annotations) {
    this.#board.annotate(annotations, this.#state, this.#cells, (at) => moverOf(this.#number + at));
  }

  actions(state) {
    return state.moves.includes("boom") ? [{ move: "boom", label: "BOOM!" }] : [];
  }

  instruction(state) {
    const { cells, number } = parse(state);
    const left = moverOf(number + 1) === moverOf(number) ? "two moves" : "one move";
    const bomb = isBombTurn(number) && !bombOf(cells, state.side) ? ", the next piece is a bomb" : "";
    return `${left} left in this turn${bomb}`;
  }
}
