// The board: the view of the game on the table, its extra moves, and whose turn it is.

import { byId, el } from "../dom.js";
import { MoveButtons } from "../movebuttons.js";
import { titleOf, viewOf } from "../views/index.js";
import { nameOf } from "./names.js";

export class BoardPanel {
  #table;
  #analysis;
  #actions;
  #view = null;
  #game = null;
  #queued = false;

  constructor(table, analysis) {
    this.#table = table;
    this.#analysis = analysis;
    this.#actions = new MoveButtons(byId("actions"), (move) => table.playAsPerson(move));
    table.addEventListener("position", (event) => this.#show(event.detail));
    table.addEventListener("change", () => this.#later());
    analysis.addEventListener("change", () => this.#later());
  }

  #show({ before, move }) {
    const { state, record } = this.#table;
    const name = record.words.split(" ")[0];
    if (this.#game !== name) {
      this.#game = name;
      const root = el("div", { class: "board-root" });
      byId("board").replaceChildren(root);
      this.#view = new (viewOf(name))(root, (chosen) => this.#table.playAsPerson(chosen));
      byId("board").dataset.game = name;
    }
    const size = record.words.split(" ").slice(1).join(" × ").replace(/^(\d+ × \d+) × (\d+)$/, "$1, line of $2");
    byId("game-title").textContent = [titleOf(name), size].filter(Boolean).join(" ");
    document.title = `${titleOf(name)} – ratlla`;
    this.#table.shown = this.#view.show(state, before, move).then(() => this.#later());
    this.#mark(false);
  }

  /** Many things may change at once: they are drawn together. */
  #later() {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      if (this.#table.state) this.#mark(this.#table.personMoves);
    });
  }

  #mark(playable) {
    const table = this.#table;
    const { state } = table;
    const { worth, line, on } = this.#analysis;
    const open = !table.over;
    this.#view.mark({
      playable,
      worth: on && open ? worth : new Map(),
      line: on && open ? line : [],
      hint: table.hinted,
    });
    byId("board").dataset.ply = table.record.ply;
    const actions = open ? this.#view.actions(state) : [];
    this.#actions.draw(actions.map((action) => this.#action(action)), playable);
    byId("status").textContent = this.#status();
    byId("status").dataset.result = table.result;
  }

  #action({ move, label }) {
    const score = this.#analysis.on ? this.#analysis.worth.get(move) : undefined;
    return { move, label, class: this.#table.hinted === move ? "hint strong" : "strong", score };
  }

  #status() {
    const table = this.#table;
    const { state, record } = table;
    if (table.result === "draw") return "The game is drawn.";
    if (table.over) {
      const winner = table.result.slice(0, 2);
      const why = record.resigned ? " by resignation" : "";
      return `${nameOf(winner)} wins${why}.`;
    }
    const who = nameOf(state.side);
    if (table.waiting) return `${who}'s engine waits: press Continue.`;
    if (table.thinking) return `${who} is thinking …`;
    const remark = this.#view.remark?.(state);
    return remark ? `${who} to move: ${remark}.` : `${who} to move.`;
  }
}
