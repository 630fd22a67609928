// "Why?" and the review of the game: reasons in words, and the mistakes with what was better.

import { byId, el, icon } from "../dom.js";
import { friendly } from "../errors.js";
import { reasonText, refutationText } from "../explanation.js";
import { t } from "../i18n.js";
import { keepPuzzle, puzzleIn } from "../puzzles.js";
import { bestOf, reviewLine } from "../review.js";
import { longLabel, shortLabel } from "../score.js";
import { sideName, SIDES } from "../sides.js";

/** The moves that are explained. */
const REASONS = 4;

export class ReviewPanel {
  #controller;
  #analysis;
  #assistant;
  #generation = 0;

  constructor(controller, analysis, assistant) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#assistant = assistant;
    byId("why").addEventListener("click", () => this.#explain());
    byId("review-game").addEventListener("click", () => this.start());
    // Reasons belong to the position that they explain.
    controller.addEventListener("position", () => byId("reasons").replaceChildren());
  }

  async #explain() {
    const { record } = this.#controller;
    const root = byId("reasons");
    root.replaceChildren(el("p", { class: "muted" }, t("analysis.asking")));
    const content = await this.#reasons(record);
    if (record === this.#controller.record) root.replaceChildren(content);
  }

  async #reasons(record) {
    try {
      const reasons = await this.#assistant.explain(record);
      const item = (reason) => {
        const value = reason.score ? shortLabel(reason.score) : "";
        return el("li", {}, el("b", { title: value }, reason.move), el("span", {}, reasonText(reason, reasons[0])));
      };
      return el("ol", { class: "reasons" }, ...reasons.slice(0, REASONS).map(item));
    } catch (error) {
      return el("p", { class: "bad" }, friendly(error));
    }
  }

  /** Reviews the line on the board. */
  async start() {
    const { record, tree } = this.#controller;
    const generation = (this.#generation += 1);
    const isCurrent = () => generation === this.#generation && tree === this.#controller.tree;
    const root = byId("review");
    const text = el("p", { class: "muted" });
    const bar = el("progress", { max: Math.max(record.moves.length, 1), value: 0, "aria-label": t("review.title") });
    const stop = el("button", { onclick: () => this.#close() }, t("review.stop"));
    root.hidden = false;
    root.replaceChildren(this.#head(), text, bar, stop);
    root.scrollIntoView({ block: "nearest" });
    const onMove = (node, ply, scores) => {
      bar.value = ply + 1;
      text.textContent = t("review.running", { n: ply + 1, all: record.moves.length });
      this.#note(record, node, ply, scores);
    };
    try {
      await reviewLine(this.#assistant, record, onMove, isCurrent);
      if (isCurrent()) this.#showMistakes(record);
    } catch (error) {
      if (isCurrent()) root.replaceChildren(this.#head(), el("p", { class: "bad" }, friendly(error)));
    }
  }

  /** Passes what was found to the analysis, and keeps a missed win as a puzzle. */
  #note(record, node, ply, scores) {
    if (!scores.size || !node.side) return;
    this.#analysis.noteScore(record.key(ply), node.side, bestOf(scores)[1]);
    if (node.review.mark === "?" && puzzleIn(scores) && this.#controller.isPerson(node.side)) keepPuzzle(record, ply);
  }

  #head() {
    const close = el("button", { class: "icon plain", "aria-label": t("button.close"), onclick: () => this.#close() }, icon("close"));
    return el("h2", {}, t("review.title"), close);
  }

  #close() {
    this.#generation += 1;
    this.#assistant.end();
    byId("review").hidden = true;
  }

  #showMistakes(record) {
    const nodes = record.nodes.slice(1);
    const marked = (mark) => nodes.filter((node) => node.review?.mark === mark);
    const count = (side, mark) => marked(mark).filter((node) => node.side === side).length;
    const summary = SIDES.map((side) => {
      const mistakes = t("review.mistakes", { n: count(side, "?") });
      const slips = t("review.slips", { n: count(side, "?!") });
      return el("p", {}, t("review.summary", { side: sideName(side), mistakes, slips }));
    });
    const shown = nodes.filter((node) => ["?", "?!"].includes(node.review?.mark));
    const list = el("ol", { class: "mistakes" }, ...shown.map((node) => this.#mistake(record, node)));
    byId("review").replaceChildren(this.#head(), ...summary, ...(shown.length ? [list] : [el("p", {}, t("review.none"))]));
    this.#controller.setAnalysis(true);
  }

  #mistake(record, node) {
    const { mark, before, best } = node.review;
    const label = t("review.item", { number: node.number, move: node.move, mark });
    const go = el("button", { class: `move ${node.side}`, title: t(`mark.${mark}`), onclick: () => this.#controller.goToNode(node.parent) }, label);
    const why = el("button", { onclick: () => this.#whyNot(item, record, node) }, t("analysis.why"));
    const item = el("li", { "data-mistake": node.ply }, go, el("span", {}, t("explain.better", { best, words: longLabel(before) })), why);
    return item;
  }

  async #whyNot(item, record, node) {
    item.querySelector("p")?.remove();
    const text = el("p", { class: "muted" }, t("analysis.asking"));
    item.append(text);
    try {
      text.textContent = refutationText(await this.#assistant.whyNot(record, node.ply - 1, node.move));
    } catch (error) {
      text.textContent = friendly(error);
    }
  }
}
