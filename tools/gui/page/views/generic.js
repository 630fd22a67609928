// Any game: the engine's drawing, and a button for each move.

import { el } from "../dom.js";
import { MoveButtons } from "../movebuttons.js";

export class Generic {
  #board = el("pre", { class: "drawing", "data-board": "" });
  #moves;
  #state = null;

  constructor(root, play) {
    const moves = el("div", { class: "move-buttons" });
    this.#moves = new MoveButtons(moves, play);
    root.append(el("div", { class: "generic" }, this.#board, moves));
  }

  async show(state) {
    this.#state = state;
    this.#board.textContent = state.drawing.join("\n");
  }

  mark({ playable, worth, line, hint }) {
    const moves = this.#state.moves.map((move) => {
      const marks = `${hint === move ? "hint" : ""} ${line[0] === move ? "best" : ""}`;
      return { move, label: move, class: marks.trim(), score: worth.get(move) };
    });
    this.#moves.draw(moves, playable);
  }

  actions() {
    return [];
  }
}
