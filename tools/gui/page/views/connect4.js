// Connect Four on boards of any size.

import { opponent } from "../sides.js";
import { GravityBoard, winningCells } from "./gravity.js";

const PIECES = { X: "p1", O: "p2" };

export class ConnectFour {
  static title = "Connect Four";
  #board;
  #cells = [];
  #state = null;

  constructor(root, play) {
    this.#board = new GravityBoard(root, play);
  }

  async show(state, _previous, move) {
    const rows = state.position.split(" ")[1].split("/");
    this.#cells = rows.map((row) => [...row].map((cell) => PIECES[cell] && { side: PIECES[cell] }));
    this.#state = state;
    const board = this.#board;
    board.resize(rows.length, rows[0].length);
    const pieces = board.place(this.#cells);
    if (move) {
      const column = Number(move) - 1;
      const row = this.#cells.findIndex((line) => line[column]);
      await board.fall(pieces[row][column], row);
      if (this.#state !== state) return;
      board.addRings([[row, column]], "last");
    }
    const length = Number(state.game.split(" ")[3]);
    if (/win$/.test(state.result)) {
      board.addRings(winningCells(this.#cells, state.result.slice(0, 2), length), "winning");
    }
  }

  annotate(annotations) {
    const { side } = this.#state;
    this.#board.annotate(annotations, this.#state, this.#cells, (at) => (at % 2 ? opponent(side) : side));
  }

  actions() {
    return [];
  }
}
