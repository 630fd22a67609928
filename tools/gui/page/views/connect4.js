// Connect Four on boards of any size.

import { GravityBoard } from "./gravity.js";

export class ConnectFour {
  static title = "Connect Four";
  #board;
  #state = null;

  constructor(root, play) {
    this.#board = new GravityBoard(root, play);
  }

  async show(state, _previous, move) {
    this.#state = state;
    const { rows } = state.board;
    this.#board.resize(rows.length, rows[0].length);
    const pieces = this.#board.place(state);
    if (move) {
      const [row, column] = state.last.to;
      await this.#board.fall(pieces[row][column], row);
      if (this.#state !== state) return;
    }
    this.#board.markLast(state);
  }

  annotate(annotations) {
    this.#board.annotate(annotations, this.#state);
  }

  actions() {
    return [];
  }
}
