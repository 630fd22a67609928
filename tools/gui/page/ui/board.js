// The board: the view of the game, what the analysis says on it, and the evaluation bar beside it.

import { byId, coalesced, el, setAttribute, setText } from "../dom.js";
import { gameSize, gameTitle } from "../games.js";
import { t } from "../i18n.js";
import { longLabel, shortLabel, strength } from "../score.js";
import { sideName } from "../sides.js";
import { viewOf } from "../views/index.js";
import { Zoom } from "./zoom.js";

export class BoardPanel {
  #controller;
  #analysis;
  #view = null;
  #game = null;
  #zoom = new Zoom(byId("board"));
  #update;
  /** A line that is shown instead of the principal variation, or null. */
  #preview = null;

  constructor(controller, analysis) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#update = coalesced(requestAnimationFrame, () => controller.state && this.#annotate());
    controller.addEventListener("position", (event) => this.#show(event.detail));
    controller.addEventListener("change", this.#update);
    analysis.addEventListener("change", this.#update);
  }

  /** What the side to move may do, in a few words. */
  instruction(state) {
    return this.#view?.instruction?.(state) ?? "";
  }

  /** The moves without a place on the board. */
  actions(state) {
    return this.#view?.actions(state) ?? [];
  }

  /** Shows what the moves of a line do; null shows the principal variation again. */
  preview(line) {
    this.#preview = line;
    this.#update();
  }

  #show({ previous, move }) {
    const { state, record, people } = this.#controller;
    const { name } = record;
    this.#preview = null;
    if (this.#game !== name) {
      this.#game = name;
      this.#view?.destroy?.();
      const root = el("div");
      byId("board").replaceChildren(root);
      this.#view = new (viewOf(name))(root, (chosen) => this.#controller.play(chosen));
    }
    this.#view.side = people.length === 1 ? people[0] : null;
    const size = gameSize(name, state.parameters);
    byId("game-title").replaceChildren(gameTitle(name), ...(size ? [el("small", {}, size)] : []));
    document.title = `${gameTitle(name)} – ratlla`;
    this.#controller.shown = this.#view.show(state, previous, move);
    byId("board").dataset.ply = record.ply;
    this.#fit(record.game);
    this.#annotate();
  }

  /** Gives the board the room that its shape needs where the window is higher than wide. */
  #fit(game) {
    const aspect = this.#view.aspect ?? 1;
    byId("board").parentElement.style.setProperty("--aspect", Math.max(aspect, 0.6));
    this.#zoom.reset(game);
  }

  #annotate() {
    const { state, over, hinted, isShown, personToMove } = this.#controller;
    const analyzed = this.#analysis.on && !over;
    this.#view.annotate({
      playable: personToMove && isShown,
      moveScores: analyzed ? this.#analysis.moveScores : new Map(),
      best: analyzed ? this.#analysis.best() : new Set(),
      pv: analyzed ? this.#analysis.pv : [],
      line: analyzed ? (this.#preview ?? this.#analysis.line) : [],
      hint: hinted,
    });
    this.#drawBar(state);
  }

  #drawBar({ result }) {
    const bar = byId("evaluation-bar");
    const known = this.#analysis.on ? this.#analysis.positionScores.get(this.#controller.record.key()) : undefined;
    const value = known ? (known.side === "p1" ? 1 : -1) * strength(known.score) : 0;
    const share = `${(50 + 50 * value).toFixed(1)}%`;
    if (bar.style.getPropertyValue("--share") !== share) bar.style.setProperty("--share", share);
    setText(bar.querySelector("b"), known && result === "none" ? shortLabel(known.score) : "");
    const words = known ? t("analysis.balance", { side: sideName(known.side), words: longLabel(known.score) }) : t("analysis.even");
    setAttribute(bar, "aria-label", t("analysis.bar", { words }));
  }
}
