// Any game: the engine's drawing, and a button for each move.

import { el } from "../dom.js";
import { longLabel, tone } from "../score.js";

export class Generic {
  #board = el("pre", { class: "drawing", "data-board": "" });
  #moves = el("div", { class: "move-buttons" });
  #state = null;
  #play;

  constructor(root, play) {
    this.#play = play;
    root.append(el("div", { class: "generic" }, this.#board, this.#moves));
  }

  async show(state) {
    this.#state = state;
    this.#board.textContent = state.drawing.join("\n");
  }

  mark({ playable, worth, line, hint }) {
    const focused = document.activeElement?.dataset?.move;
    this.#moves.replaceChildren(
      ...this.#state.moves.map((move) => {
        const score = worth.get(move);
        const label = score ? [el("small", { class: `worth ${tone(score)}` }, longLabel(score))] : [];
        const marks = `${hint === move ? "hint" : ""} ${line[0] === move ? "best" : ""}`;
        const attributes = { "data-move": move, class: marks.trim(), disabled: !playable };
        return el("button", { ...attributes, onclick: () => this.#play(move) }, move, ...label);
      }),
    );
    if (focused) this.#moves.querySelector(`[data-move="${CSS.escape(focused)}"]`)?.focus();
  }

  actions() {
    return [];
  }
}
