// Any game: the engine's text drawing, and a button for each move.

import { longLabel } from "../score.js";
import { create, h, patch } from "./scene.js";

export class Generic {
  #node;
  #state = null;
  #frame = 0;
  #annotations = { playable: false, moveScores: new Map(), best: new Set(), hint: null };

  constructor(root, play) {
    this.#node = create(root, h("div", { class: "generic", "data-board": "" }));
    root.replaceChildren(this.#node);
    this.#node.addEventListener("click", (event) => {
      const move = event.target.closest("[data-move]")?.dataset.move;
      if (move !== undefined && this.#annotations.playable) play(move);
    });
  }

  async show(state) {
    this.#state = state;
    this.#draw();
  }

  annotate(annotations) {
    this.#annotations = annotations;
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { playable, moveScores, best, hint } = this.#annotations;
    const button = ({ move }) => {
      const score = moveScores.get(move);
      const classes = `${hint === move ? "hint" : ""} ${best.has(move) ? "best" : ""}`.trim();
      const attributes = { key: move, type: "button", class: classes, "data-move": move, "data-hint": hint === move ? move : undefined, disabled: !playable };
      return h("button", attributes, move, score && h("small", { class: "score", "data-score": move }, longLabel(score)));
    };
    patch(this.#node, [h("pre", { class: "drawing" }, this.#state.drawing.join("\n")), h("div", { class: "move-buttons" }, this.#state.moves.map(button))]);
  }

  focus() {
    this.#node.querySelector("button:enabled")?.focus();
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#node.remove();
  }

  actions() {
    return [];
  }
}
