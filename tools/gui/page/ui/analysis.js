// The analysis panel: the switch, the value of the position, the best lines and the graph. Nothing is
// shown while the analysis is off.

import { byId, coalesced, el, reconcile, setAttribute, setText } from "../dom.js";
import { language, t } from "../i18n.js";
import { isExact, longLabel, shortLabel, tone } from "../score.js";
import { sideName } from "../sides.js";
import { Graph } from "./graph.js";
import { resultText } from "./status.js";

/** The lines shown, and their moves. */
const LINES = 3;
const MOVES = 10;

export class AnalysisPanel {
  #controller;
  #analysis;
  #rules;
  #board;
  #graph;
  #count = new Intl.NumberFormat(language(), { notation: "compact", maximumFractionDigits: 1 });

  constructor(controller, analysis, rules, board) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#rules = rules;
    this.#board = board;
    this.#graph = new Graph(byId("graph"), (ply) => controller.goTo(ply));
    byId("analysis-on").addEventListener("change", (event) => controller.setAnalysis(event.target.checked));
    const update = coalesced(requestAnimationFrame, () => controller.state && this.#update());
    controller.addEventListener("change", update);
    analysis.addEventListener("change", update);
    this.#listenToLines(byId("lines"));
  }

  #update() {
    const { over, record } = this.#controller;
    const { info, on, positionScores } = this.#analysis;
    byId("analysis-on").checked = on;
    document.documentElement.toggleAttribute("data-analysis", on);
    if (!on) return;
    const known = positionScores.get(record.key());
    setText(byId("evaluation"), over ? resultText(this.#controller) : known ? this.#evaluation(known) : "");
    const parts = info && !over ? this.#searchInfo(info) : [];
    reconcile(byId("search-info"), [...parts.keys()], () => el("span")).forEach((node, at) => setText(node, parts[at]));
    byId("lines").hidden = over;
    this.#drawLines(over ? [] : this.#analysis.lines(LINES));
    this.#graph.draw(record, positionScores);
    byId("why").disabled = over;
  }

  #evaluation({ side, score }) {
    const text = t("analysis.balance", { side: sideName(side), words: longLabel(score) });
    return isExact(score) ? `${text} (${t("analysis.proved")})` : text;
  }

  /** What the search has done so far, the most important part first. */
  #searchInfo(info) {
    const parts = [];
    if (info.solved) parts.push(t("analysis.solved"));
    else if (info.depth !== undefined) parts.push(t("analysis.depth", { n: info.depth }));
    if (info.nodes !== undefined) parts.push(t("analysis.nodes", { count: this.#count.format(info.nodes) }));
    if (info.nps) parts.push(t("analysis.speed", { count: this.#count.format(info.nps) }));
    return parts.map((part, at) => (at ? ` · ${part}` : part));
  }

  #drawLines(lines) {
    const item = () => el("li", {}, el("span", { class: "score" }), el("span", { class: "line-moves" }));
    reconcile(byId("lines"), [...lines.keys()], item).forEach((node, at) => {
      const { score, moves } = lines[at];
      const [label, list] = node.children;
      setAttribute(label, "class", `score ${tone(score)}`);
      setText(label, shortLabel(score));
      setAttribute(label, "title", longLabel(score));
      const shown = moves.slice(0, MOVES);
      if (node.dataset.line === shown.join(" ")) return;
      node.dataset.line = shown.join(" ");
      // The buttons stay, so that a click is not lost if the line changes meanwhile.
      const create = () => el("button", {});
      reconcile(list, [...shown.keys()], create).forEach((button, index) => {
        setText(button, shown[index]);
        button.title = t("analysis.playLine", { move: shown[index] });
      });
    });
  }

  /** Hovering over a move of a line shows the line up to it on the board; a click plays it there. */
  #listenToLines(root) {
    const upTo = (target) => {
      const button = target.closest("button");
      const line = button?.closest("[data-line]")?.dataset.line.split(" ");
      return line ? line.slice(0, Number(button.dataset.key) + 1) : null;
    };
    const show = async (event) => {
      const moves = upTo(event.target);
      const { record } = this.#controller;
      if (!moves) return this.#board.preview(null);
      const line = await this.#rules.effects(record, moves).catch(() => null);
      if (record === this.#controller.record && root.matches(":hover, :focus-within")) this.#board.preview(line);
    };
    root.addEventListener("pointerover", show);
    root.addEventListener("focusin", show);
    for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, () => this.#board.preview(null));
    root.addEventListener("click", (event) => {
      const moves = upTo(event.target);
      if (moves) this.#controller.playLine(moves);
    });
  }
}
