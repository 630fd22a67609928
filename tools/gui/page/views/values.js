// The values of moves, as pills of text.

import { shortLabel, tone } from "../score.js";
import { h } from "./scene.js";

const INKS = { good: "var(--good)", bad: "var(--bad)", even: "var(--text)", open: "var(--text)" };

/** The score of a move, centred on a point. The best ones are filled, estimates have no outline. */
export function pill(key, score, isBest, x, y, { size = 32, width = 88, height = 46 } = {}) {
  const [text, kind] = [shortLabel(score), tone(score)];
  const ink = isBest ? "var(--accent-text)" : INKS[kind];
  const fill = isBest ? "var(--accent)" : "var(--card)";
  // Long texts get smaller instead of wider.
  const fitted = Math.min(size, (1.7 * (width - 8)) / text.length);
  return h(
    "g",
    { key: `value ${key}`, class: `value ${kind}${isBest ? " best" : ""}`, transform: `translate(${x} ${y})` },
    h("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 2, fill, stroke: kind === "open" ? "none" : ink, "stroke-width": 2.5 }),
    h("text", { "data-score": key, y: +(fitted * 0.35).toFixed(1), fill: ink, "font-size": +fitted.toFixed(1), "font-weight": kind === "open" ? 500 : 700, "text-anchor": "middle" }, text),
  );
}

/** A number on a badge: where the principal variation goes. */
export const badge = (key, x, y, number) =>
  h(
    "g",
    { key, class: "badge", transform: `translate(${x} ${y})` },
    h("circle", { r: 17, fill: "var(--accent)", stroke: "var(--accent-text)", "stroke-width": 2 }),
    h("text", { y: 7.5, fill: "var(--accent-text)", "font-size": 21, "font-weight": 700, "text-anchor": "middle" }, number),
  );
