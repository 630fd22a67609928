// A button for each move, with the score of the move.

import { el, reconcile } from "./dom.js";
import { longLabel, tone } from "./score.js";

export class MoveButtons {
  #root;
  #play;

  constructor(root, play) {
    this.#root = root;
    this.#play = play;
  }

  /** Each move has a `move`, a `label`, a `class`, and a `score` if it is known. */
  draw(moves, playable) {
    const create = (move) => el("button", { "data-move": move, onclick: () => this.#play(move) });
    const buttons = reconcile(this.#root, moves.map(({ move }) => move), create);
    buttons.forEach((button, at) => {
      const { move, label, score } = moves[at];
      const scores = score ? [el("small", { class: `score ${tone(score)}`, "data-score": move }, longLabel(score))] : [];
      button.className = moves[at].class;
      button.disabled = !playable;
      button.replaceChildren(label, ...scores);
    });
  }
}
