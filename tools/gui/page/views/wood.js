// Boards of wood.

import { h } from "./scene.js";

/** A plank with its grain. */
export function plank(id, width, height, radius) {
  const gradient = h(
    "linearGradient",
    { id: `${id}-wood`, x1: 0, y1: 0, x2: 0.25, y2: 1 },
    h("stop", { offset: 0, "stop-color": "var(--wood-light)" }),
    h("stop", { offset: 1, "stop-color": "var(--wood)" }),
  );
  const clip = h("clipPath", { id: `${id}-clip` }, h("rect", { width, height, rx: radius }));
  return [
    h("defs", {}, gradient, clip),
    h("rect", { y: 10, width, height, rx: radius, fill: "var(--wood-edge)" }),
    h("rect", { width, height, rx: radius, fill: `url(#${id}-wood)` }),
    h("g", { "clip-path": `url(#${id}-clip)` }, grain(width, height)),
    h("rect", { x: 2, y: 2, width: width - 4, height: height - 4, rx: radius - 2, fill: "none", stroke: "var(--wood-shine)", "stroke-width": 3, opacity: 0.6 }),
  ];
}

function grain(width, height) {
  const lines = Math.round(height / 26);
  return Array.from({ length: lines }, (_, at) => {
    const y = ((at + 0.5) * height) / lines + 7 * Math.sin(at * 2.4);
    const bend = 9 * Math.sin(at * 1.7 + 1);
    const d = `M0 ${y.toFixed(1)}C${width * 0.3} ${(y + bend).toFixed(1)} ${width * 0.6} ${(y - 1.4 * bend).toFixed(1)} ${width} ${(y + bend / 2).toFixed(1)}`;
    return h("path", { d, fill: "none", stroke: "var(--wood-grain)", "stroke-width": 1.5 + (at % 3), opacity: 0.35 });
  });
}

/** A round hollow, darker at its upper edge. */
export const hollow = (x, y, r, attributes = {}) => [
  h("circle", { cx: x, cy: y + 2.5, r: r + 2.5, fill: "var(--wood-shine)", opacity: 0.7 }),
  h("circle", { cx: x, cy: y, r: r + 2, fill: "var(--hollow-edge)" }),
  h("circle", { cx: x, cy: y + 3, r: r - 1.5, fill: "var(--hollow)", ...attributes }),
];
