// Any game: the engine's text drawing, and a button for each move.

import { el } from "../dom.js";
import { MoveButtons } from "../move-buttons.js";

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

  annotate({ playable, moveScores, pv, hint }) {
    const moves = this.#state.moves.map(({ move }) => {
      const classes = `${hint === move ? "hint" : ""} ${pv[0] === move ? "best" : ""}`;
      return { move, label: move, class: classes.trim(), score: moveScores.get(move) };
    });
    this.#moves.draw(moves, playable);
  }

  actions() {
    return [];
  }
}
