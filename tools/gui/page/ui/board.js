// The board: the view of the game, the moves without a place on it, and the status line.

import { byId, coalesced, el } from "../dom.js";
import { MoveButtons } from "../move-buttons.js";
import { sideName } from "../sides.js";
import { titleOf, viewOf } from "../views/index.js";

export class BoardPanel {
  #controller;
  #analysis;
  #actions;
  #view = null;
  #game = null;
  #update;

  constructor(controller, analysis) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#actions = new MoveButtons(byId("actions"), (move) => controller.play(move));
    this.#update = coalesced(queueMicrotask, () => controller.state && this.#annotate(controller.personToMove));
    controller.addEventListener("position", (event) => this.#show(event.detail));
    controller.addEventListener("change", this.#update);
    analysis.addEventListener("change", this.#update);
  }

  #show({ previous, move }) {
    const { state, record } = this.#controller;
    const { name } = record;
    if (this.#game !== name) {
      this.#game = name;
      const root = el("div");
      byId("board").replaceChildren(root);
      this.#view = new (viewOf(name))(root, (chosen) => this.#controller.play(chosen));
    }
    const size = record.game.split(" ").slice(1).join(" × ").replace(/^(\d+ × \d+) × (\d+)$/, "$1, line of $2");
    byId("game-title").textContent = [titleOf(name), size].filter(Boolean).join(" ");
    document.title = `${titleOf(name)} – ratlla`;
    this.#controller.shown = this.#view.show(state, previous, move).then(this.#update);
    this.#annotate(false);
  }

  #annotate(playable) {
    const { state, record, result, over, hinted } = this.#controller;
    const { moveScores, pv, line, on } = this.#analysis;
    const analyzed = on && !over;
    this.#view.annotate({
      playable,
      moveScores: analyzed ? moveScores : new Map(),
      pv: analyzed ? pv : [],
      line: analyzed ? line : [],
      hint: hinted,
    });
    byId("board").dataset.ply = record.ply;
    const actions = over ? [] : this.#view.actions(state);
    this.#actions.draw(actions.map((action) => this.#action(action)), playable);
    byId("status").textContent = this.#status();
    byId("status").dataset.result = result;
  }

  #action({ move, label }) {
    const score = this.#analysis.on ? this.#analysis.moveScores.get(move) : undefined;
    return { move, label, class: this.#controller.hinted === move ? "hint primary" : "primary", score };
  }

  #status() {
    const { over, record, result, state, thinking, waiting } = this.#controller;
    if (result === "draw") return state.ending ? `Draw: ${state.ending.reason}.` : "Draw.";
    if (over) return `${sideName(result.slice(0, 2))} wins${record.resigned ? " by resignation" : ""}.`;
    const side = sideName(state.side);
    if (waiting) return `${side} to move: press Continue to let the engine play.`;
    if (thinking) return `${side} is thinking …`;
    const instruction = this.#view.instruction?.(state);
    return instruction ? `${side} to move: ${instruction}.` : `${side} to move.`;
  }
}
