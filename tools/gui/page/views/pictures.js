// Small pictures of positions, drawn as the boards are: for the choice of games and the rules.

import * as gravity from "./gravity-scene.js";
import * as kalah from "./kalah-scene.js";
import { piece, pictureId } from "./pieces.js";
import { create, h } from "./scene.js";
import * as wali from "./wali-scene.js";

const PIECES = { 1: "p1", 2: "p2", 4: "p1", 5: "p2" };
const GHOSTS = { a: "p1", b: "p2" };
const STROKE = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };

/** A stroke with an edge, visible on any colour. */
const outlined = (tag, attributes, width) => [
  h(tag, { ...STROKE, ...attributes, stroke: "var(--mark-edge)", "stroke-width": width + 8 }),
  h(tag, { ...STROKE, ...attributes, stroke: "var(--mark)", "stroke-width": width }),
];

/**
 * Cells from the top, one character each: `1` and `2` are pieces, `4` and `5` bombs, `a` and `b` pieces
 * yet to come. Cells of `line` are joined by a line, those of `cross` crossed out, those of `ring` ringed,
 * those of `arrow` joined by an arrow; `wood` is a board to lay stones on.
 */
export function gridPicture(rows, { wood = false, line = [], cross = [], ring = [], arrow = [] } = {}) {
  const id = pictureId();
  const bombs = { p1: bombOf(rows, "4"), p2: bombOf(rows, "5") };
  const names = Array.from(rows[0], () => "");
  const cells = rows.map((text) => Array.from(text, (cell) => PIECES[cell] ?? null));
  const board = { rows: cells, bombs, column_names: names, row_names: rows.map(() => "") };
  const { at, x, y } = wood ? wali : gravity;
  const { box, layers } = (wood ? wali : gravity).drawing({ board, name: "", result: "", last: null, ending: null }, id);
  const ghosts = rows.flatMap((text, row) =>
    Array.from(text).flatMap((cell, column) => (GHOSTS[cell] ? [h("g", { transform: at([row, column]), opacity: 0.5 }, piece(id, GHOSTS[cell]))] : [])),
  );
  const points = (list) => `M${list.map(([row, column]) => `${x(column)} ${y(row)}`).join("L")}`;
  const marks = [
    ...(line.length ? outlined("path", { d: points(line) }, 14) : []),
    ...(arrow.length ? outlined("path", { d: points(arrow) + head(arrow, x, y) }, 12) : []),
    ...cross.flatMap((cell) => outlined("path", { d: "M-20 -20L20 20M20 -20L-20 20", transform: at(cell) }, 12)),
    ...ring.flatMap((cell) => outlined("circle", { r: 44, transform: at(cell) }, 9)),
  ];
  return svg(box, [...layers, ...ghosts, ...marks]);
}

function bombOf(rows, mark) {
  const row = rows.findIndex((text) => text.includes(mark));
  return row < 0 ? null : { cell: [row, rows[row].indexOf(mark)], removes: [] };
}

/** The head of an arrow. */
function head([from, to], x, y) {
  const [right, down] = [Math.sign(to[1] - from[1]), Math.sign(to[0] - from[0])];
  const wing = (sign) => `${x(to[1]) - 26 * right + sign * 22 * down} ${y(to[0]) - 26 * down + sign * 22 * right}`;
  return `M${wing(1)}L${x(to[1])} ${y(to[0])}L${wing(-1)}`;
}

/** Kalah: the houses of the upper and lower row, the stores left and right, and houses that are marked. */
export function pitsPicture(upper, lower, [left, right], { marked = [], store = false } = {}) {
  const id = pictureId();
  const houses = upper.length;
  const layout = new kalah.Layout(houses, "p1", false);
  const { box, layers } = kalah.drawing({ board: { rows: [upper, lower], stores: { p1: right, p2: left } }, last: null }, id);
  const pits = marked.map((name) => (name[0] === "l" ? ["p1", Number(name[1])] : ["p2", houses - 1 - Number(name[1])]));
  const rings = [...pits, ...(store ? [["p1", houses]] : [])].flatMap((pit) => [
    kalah.outline(layout, ...pit, 5, { fill: "none", stroke: "var(--mark-edge)", "stroke-width": 20 }),
    kalah.outline(layout, ...pit, 5, { fill: "none", stroke: "var(--mark)", "stroke-width": 12 }),
  ]);
  return svg(box, [...layers, ...rings]);
}

function svg([left, top, width, height], layers) {
  const viewBox = [left - 4, top - 4, width + 8, height + 8].join(" ");
  return create(document.body, h("svg", { class: "picture", viewBox, "aria-hidden": "true" }, layers));
}
