// The analysis panel: the switch, the evaluation bar, the numbers, the principal variation and the graph.

import { byId, coalesced } from "../dom.js";
import { isExact, longLabel, strength } from "../score.js";
import { sideName } from "../sides.js";
import { Graph } from "./graph.js";

const count = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export class AnalysisPanel {
  #controller;
  #analysis;
  #graph;

  constructor(controller, analysis) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#graph = new Graph(byId("graph"), (ply) => controller.goTo(ply));
    byId("analysis-on").addEventListener("change", (event) => controller.setAnalysis(event.target.checked));
    const update = coalesced(requestAnimationFrame, () => controller.state && this.#update());
    controller.addEventListener("change", update);
    analysis.addEventListener("change", update);
  }

  #update() {
    const { over, record } = this.#controller;
    const { info, on, positionScores, pv } = this.#analysis;
    byId("analysis-on").checked = on;
    document.documentElement.toggleAttribute("data-analysis", on);
    const known = positionScores.get(record.key());
    this.#drawBar(known);
    byId("evaluation").textContent = known && (on || over) ? this.#evaluation(known) : "";
    byId("search-info").textContent = on && info && !over ? this.#searchInfo(info) : "";
    byId("pv").textContent = on && !over ? pv.join(" ") : "";
    this.#graph.draw(record, positionScores);
  }

  #drawBar(known) {
    const value = known ? (known.side === "p1" ? 1 : -1) * strength(known.score) : 0;
    const percent = 50 + 50 * value;
    byId("evaluation-bar").firstElementChild.style.width = `${percent}%`;
    byId("evaluation-bar").setAttribute("aria-label", `${sideName("p1")} ${Math.round(percent)} of 100`);
  }

  #evaluation({ side, score }) {
    if (this.#controller.over) return byId("status").textContent;
    return `${sideName(side)}: ${longLabel(score)} (${isExact(score) ? "proved" : "estimate"})`;
  }

  #searchInfo(info) {
    const parts = [];
    if (info.depth !== undefined) parts.push(`depth ${info.depth}`);
    if (info.nodes !== undefined) parts.push(`${count.format(info.nodes)} nodes`);
    if (info.nps) parts.push(`${count.format(info.nps)} nodes/s`);
    if (info.solved) parts.push("solved");
    return parts.join(" · ");
  }
}
