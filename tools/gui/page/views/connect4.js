// Connect Four, on a board of any size.

import { other } from "../sides.js";
import { Gravity, linesOf } from "./gravity.js";

const SIDES = { X: "p1", O: "p2" };

export class ConnectFour {
  static title = "Connect Four";
  #board;
  #cells = [];
  #state = null;

  constructor(root, play) {
    this.#board = new Gravity(root, play);
  }

  async show(state, before, move) {
    const rows = state.position.split(" ")[1].split("/");
    this.#cells = rows.map((row) => [...row].map((cell) => SIDES[cell] && { side: SIDES[cell] }));
    this.#state = state;
    const board = this.#board;
    board.lay(rows.length, rows[0].length);
    board.clearMarks();
    const pieces = board.place(this.#cells);
    if (move) {
      const column = Number(move) - 1;
      const row = this.#cells.findIndex((line) => line[column]);
      await board.fall(pieces[row][column], row);
      if (this.#state !== state) return;
      board.rings([[row, column]], "last");
    }
    const length = Number(state.game.split(" ")[3]);
    if (/win$/.test(state.result)) {
      board.rings(linesOf(this.#cells, state.result.slice(0, 2), length), "won");
    }
  }

  mark({ playable, worth, line, hint }) {
    const { side, moves } = this.#state;
    const landings = this.#board.landings(this.#cells);
    const columns = new Set(playable ? moves.map((move) => Number(move) - 1) : []);
    this.#board.offer(columns, side, landings);
    this.#board.values(worth);
    this.#board.ghosts(line, landings, (at) => (at % 2 ? other(side) : side));
    this.#board.point(hint ? Number(hint) - 1 : null);
  }

  actions() {
    return [];
  }
}
