// Positions of any game as pictures of their own.

import { drawing as gravity } from "./gravity-scene.js";
import { drawing as kalah } from "./kalah-scene.js";
import { pictureId } from "./pieces.js";
import { h } from "./scene.js";
import { drawing as wali } from "./wali-scene.js";

const DRAWINGS = { connect4: gravity, boom: gravity, wali, kalah };
const MARGIN = 24;
const LINE = 26;

/** Any game: the engine's text drawing. */
function text({ drawing }) {
  const lines = drawing.map((line, at) => h("text", { y: (at + 1) * LINE, "font-family": "monospace", "font-size": 20, fill: "var(--text)", "xml:space": "preserve" }, line));
  const width = Math.max(...drawing.map((line) => line.length)) * 12.2;
  return { box: [0, 0, width, (drawing.length + 0.5) * LINE], layers: lines };
}

/** The `<svg>` of a position as data, on the colour of the page, with the houses of `side` at the bottom. */
export function drawingOf(state, side = null) {
  const { box: [left, top, width, height], layers } = (DRAWINGS[state.name] ?? text)(state, pictureId(), side ?? "p1");
  const [x, y, wide, tall] = [left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
  const attributes = { xmlns: "http://www.w3.org/2000/svg", viewBox: [x, y, wide, tall].join(" "), width: wide, height: tall, "font-family": "Figtree, system-ui, sans-serif" };
  return h("svg", attributes, h("rect", { x, y, width: wide, height: tall, fill: "var(--background)" }), layers);
}
