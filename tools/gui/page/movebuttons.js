// A button for each move, with what the move is worth.

import { el, keep } from "./dom.js";
import { longLabel, tone } from "./score.js";

export class MoveButtons {
  #root;
  #play;

  constructor(root, play) {
    this.#root = root;
    this.#play = play;
  }

  /** Each move has a `move` text, a `label`, a `class`, and a `score` where it is known. */
  draw(moves, playable) {
    const make = (move) => el("button", { "data-move": move, onclick: () => this.#play(move) });
    const buttons = keep(this.#root, moves.map(({ move }) => move), make);
    buttons.forEach((button, at) => {
      const { move, label, score } = moves[at];
      const worth = score ? [el("small", { class: `worth ${tone(score)}`, "data-value": move }, longLabel(score))] : [];
      button.className = moves[at].class;
      button.disabled = !playable;
      button.replaceChildren(label, ...worth);
    });
  }
}
