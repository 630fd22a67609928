// Below the players: whose turn it is or how the game ended, moves without a place on the board, and at
// the end what to do next.

import { byId, coalesced, el, icon, reconcile, setAttribute, setText } from "../dom.js";
import { t } from "../i18n.js";
import { longLabel, shortLabel, tone } from "../score.js";
import { sideName } from "../sides.js";

/** How a game ended, in words; empty while it goes on. */
export function resultText({ over, record, result, state }) {
  if (!over) return "";
  const values = { ...state.board?.stores, side: record.resigned ? sideName(record.resigned) : "" };
  const reason = record.resigned ? "resigned" : state.ending?.reason;
  // Everybody sees the line.
  const words = reason && reason !== "line" ? t(`reason.${reason}`, values) : "";
  if (result === "draw") return words ? t("status.drawBy", { reason: words }) : t("status.draw");
  const side = sideName(result.slice(0, 2));
  return words ? t("status.winsBy", { side, reason: words }) : t("status.wins", { side });
}

export class StatusCard {
  #controller;
  #analysis;
  #board;
  #endings;

  /** `endings` are the buttons at the end of a game, as `{ name, label, act }`. */
  constructor(controller, analysis, board, endings) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#board = board;
    this.#endings = new Map(endings.map((ending) => [ending.name, ending]));
    const update = coalesced(requestAnimationFrame, () => controller.state && this.#update());
    controller.addEventListener("change", update);
    analysis.addEventListener("change", update);
  }

  #update() {
    const { over, isShown, result, state } = this.#controller;
    // The result is told when the last piece has landed.
    const ended = over && isShown;
    setText(byId("status"), this.#text(ended));
    setAttribute(byId("status"), "data-result", ended ? result : "none");
    if (ended) this.#drawEndings();
    else this.#drawActions(over ? [] : this.#board.actions(state));
  }

  #text(ended) {
    const { over, state, thinking, waiting } = this.#controller;
    if (ended) return resultText(this.#controller);
    if (over) return "";
    const side = sideName(state.side);
    if (waiting) return t("status.waiting", { side });
    if (thinking) return t("status.thinking", { side });
    const hint = this.#board.instruction(state);
    return hint ? t("status.toMoveHint", { side, hint }) : t("status.toMove", { side });
  }

  #drawEndings() {
    const create = (name) => {
      const { label, act } = this.#endings.get(name);
      return el("button", { class: name === "rematch" ? "primary" : "", "data-ending": name, onclick: act }, icon(name), label);
    };
    reconcile(byId("actions"), [...this.#endings.keys()], create);
  }

  #drawActions(actions) {
    const { hinted, isShown, personToMove } = this.#controller;
    const create = (move) => el("button", { "data-move": move, onclick: () => this.#controller.play(move) });
    reconcile(byId("actions"), actions.map(({ move }) => move), create).forEach((button, at) => {
      const { move, label } = actions[at];
      const score = this.#analysis.on ? this.#analysis.moveScores.get(move) : undefined;
      setAttribute(button, "class", `primary${hinted === move ? " hint" : ""}`);
      button.disabled = !(personToMove && isShown);
      const parts = score ? [el("small", { class: `score ${tone(score)}`, "data-score": move, title: longLabel(score) }, shortLabel(score))] : [];
      if (button.dataset.drawn === `${label} ${score && shortLabel(score)}`) return;
      button.dataset.drawn = `${label} ${score && shortLabel(score)}`;
      button.replaceChildren(label, ...parts);
    });
  }
}
