// The scores over the game: up is good for player 1. A click goes to that position.

import { reconcile, svg } from "../dom.js";
import { longLabel, strength } from "../score.js";
import { sideName } from "../sides.js";

const WIDTH = 400;
const HEIGHT = 110;
const EDGE = 8;

export class Graph {
  #goTo;
  #plot = svg("g");
  #zones = svg("g");
  #drawn = "";

  constructor(root, goTo) {
    this.#goTo = goTo;
    const attributes = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Scores over the game" };
    root.replaceChildren(svg("svg", attributes, this.#plot, this.#zones));
  }

  draw(record, scores) {
    const last = record.moves.length;
    const points = Array.from({ length: last + 1 }, (_, ply) => {
      const known = scores.get(record.key(ply));
      if (!known) return null;
      const value = (known.side === "p1" ? 1 : -1) * strength(known.score);
      return { ply, value, label: `${sideName(known.side)}: ${longLabel(known.score)}` };
    });
    const wanted = JSON.stringify([points, record.ply]);
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(last, 1);
    const y = (value) => HEIGHT / 2 - (HEIGHT / 2 - EDGE) * value;
    const known = points.filter(Boolean);
    const path = known.map(({ ply, value }) => `${x(ply)} ${y(value)}`).join("L");
    const parts = [svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` })];
    if (known.length > 1) {
      const [first, end] = [x(known[0].ply), x(known.at(-1).ply)];
      parts.push(
        svg("path", { class: "area", d: `M${first} ${HEIGHT / 2}L${path}L${end} ${HEIGHT / 2}z` }),
        svg("path", { class: "curve", d: `M${path}` }),
      );
    }
    parts.push(svg("path", { class: "cursor", d: `M${x(record.ply)} 0V${HEIGHT}` }));
    for (const { ply, value } of known) {
      const isCurrent = ply === record.ply;
      parts.push(svg("circle", { class: isCurrent ? "dot current" : "dot", cx: x(ply), cy: y(value), r: isCurrent ? 5 : 3 }));
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
      zone.firstElementChild.textContent = `after ${ply} moves${label}`;
    });
  }
}
