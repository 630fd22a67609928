// The scores over the game, upwards for player 1, each stretch in the colour of the side that is ahead:
// solid where both ends are proved, dashed where one is judged, open where nothing is known. A click goes
// to that position.

import { reconcile, svg } from "../dom.js";
import { t } from "../i18n.js";
import { isExact, longLabel, strength } from "../score.js";
import { sideName } from "../sides.js";

const WIDTH = 400;
const HEIGHT = 84;
const EDGE = 8;

const ahead = (value) => (value > 0.02 ? "p1" : value < -0.02 ? "p2" : "even");

export class Graph {
  #goTo;
  #plot = svg("g");
  #zones = svg("g");
  #drawn = "";

  constructor(root, goTo) {
    this.#goTo = goTo;
    const attributes = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("analysis.graph") };
    root.replaceChildren(svg("svg", attributes, this.#plot, this.#zones));
  }

  draw(record, scores) {
    const last = record.moves.length;
    const points = Array.from({ length: last + 1 }, (_, ply) => {
      const known = scores.get(record.key(ply));
      if (!known) return null;
      const value = (known.side === "p1" ? 1 : -1) * strength(known.score);
      return { ply, value, proved: isExact(known.score), label: `${sideName(known.side)}: ${longLabel(known.score)}` };
    });
    const wanted = JSON.stringify([points, record.ply]);
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(last, 1);
    const y = (value) => HEIGHT / 2 - (HEIGHT / 2 - EDGE) * value;
    const parts = [svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` })];
    for (let ply = 1; ply <= last; ply += 1) {
      const [from, to] = [points[ply - 1], points[ply]];
      if (!from || !to) continue;
      const certainty = from.proved && to.proved ? "proved" : "judged";
      const d = `M${x(ply - 1)} ${y(from.value)}L${x(ply)} ${y(to.value)}`;
      parts.push(svg("path", { class: `curve ${certainty} ${ahead((from.value + to.value) / 2)}`, d }));
    }
    parts.push(svg("path", { class: "cursor", d: `M${x(record.ply)} 0V${HEIGHT}` }));
    for (const { ply, value, proved } of points.filter(Boolean)) {
      const r = ply === record.ply ? 5 : last > 60 ? 1.5 : 3;
      parts.push(svg("circle", { class: `dot ${proved ? "proved" : "judged"} ${ahead(value)}`, cx: x(ply), cy: y(value), r }));
    }
    this.#plot.replaceChildren(...parts);
    this.#drawZones(points, x);
  }

  /** The clickable areas: a stripe with a tooltip for each position. */
  #drawZones(points, x) {
    const create = (ply) =>
      svg("rect", { class: "zone", "data-point": ply, y: 0, height: HEIGHT, onclick: () => this.#goTo(ply) }, svg("title"));
    const width = (WIDTH - 2 * EDGE) / Math.max(points.length - 1, 1);
    reconcile(this.#zones, [...points.keys()], create).forEach((zone, ply) => {
      zone.setAttribute("x", x(ply) - width / 2);
      zone.setAttribute("width", width);
      const label = points[ply] ? `, ${points[ply].label}` : "";
      zone.firstElementChild.textContent = t("analysis.graphPoint", { n: ply }) + label;
    });
  }
}
