// The analysis card: the switch, the gauge, the numbers, the expected line and the graph.

import { byId } from "../dom.js";
import { isExact, longLabel, strength } from "../score.js";
import { Graph } from "./graph.js";
import { nameOf } from "./names.js";

const count = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export class AnalysisPanel {
  #table;
  #analysis;
  #graph;
  #queued = false;

  constructor(table, analysis) {
    this.#table = table;
    this.#analysis = analysis;
    this.#graph = new Graph(byId("graph"), (ply) => table.goTo(ply));
    byId("analyse").addEventListener("change", (event) => table.analyse(event.target.checked));
    const later = () => {
      if (this.#queued) return;
      this.#queued = true;
      requestAnimationFrame(() => {
        this.#queued = false;
        if (table.state) this.#update();
      });
    };
    table.addEventListener("change", later);
    analysis.addEventListener("change", later);
  }

  #update() {
    const { record, state } = this.#table;
    const { info, on, scores } = this.#analysis;
    byId("analyse").checked = on;
    document.documentElement.toggleAttribute("data-analysis", on);
    const known = scores.get(record.key());
    this.#gauge(known);
    byId("verdict").textContent = known && (on || this.#table.over) ? this.#verdict(known) : "";
    byId("numbers").textContent = on && info && !this.#table.over ? this.#numbers(info) : "";
    const line = on && !this.#table.over ? this.#analysis.line : [];
    byId("line").textContent = line.join(" ");
    byId("line").dataset.side = state.side;
    this.#graph.draw(record, scores);
  }

  #gauge(known) {
    const share = known ? (known.side === "p1" ? 1 : -1) * strength(known.score) : 0;
    const percent = 50 + 50 * share;
    byId("gauge").firstElementChild.style.width = `${percent}%`;
    byId("gauge").setAttribute("aria-label", `${nameOf("p1")} ${Math.round(percent)} of 100`);
  }

  #verdict({ side, score }) {
    if (this.#table.over) return byId("status").textContent;
    const truth = isExact(score) ? "proved" : "opinion";
    return `${nameOf(side)}: ${longLabel(score)} (${truth})`;
  }

  #numbers(info) {
    const parts = [];
    if (info.depth !== undefined) parts.push(`depth ${info.depth}`);
    if (info.nodes !== undefined) parts.push(`${count.format(info.nodes)} nodes`);
    if (info.nps) parts.push(`${count.format(info.nps)} nodes/s`);
    if (info.solved) parts.push("solved");
    return parts.join(" · ");
  }
}
