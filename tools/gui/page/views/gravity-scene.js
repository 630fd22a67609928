// Boards whose pieces fall, as pictures: an upright plate with holes, pieces behind it, marks on top.

import { burst, piece, pieceDefinitions, RADIUS } from "./pieces.js";
import { h } from "./scene.js";

export const CELL = 100;
/** The rim of the plate; the lower one has the numbers of the columns. */
const RIM = 20;
const FOOT = 46;
const HOLE = 40;

export const x = (column) => RIM + column * CELL + CELL / 2;
export const y = (row) => RIM + row * CELL + CELL / 2;
export const at = ([row, column]) => `translate(${x(column)} ${y(row)})`;

export const size = ({ rows }) => ({ width: rows[0].length * CELL + 2 * RIM, height: rows.length * CELL + RIM + FOOT });

const circle = (cx, cy, r) => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const rounded = (width, height, r) => `M0 ${r}a${r} ${r} 0 0 1 ${r} ${-r}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}z`;

/** What is behind the pieces, and the definitions. */
export function back(board, id) {
  const { width, height } = size(board);
  const gradient = h(
    "linearGradient",
    { id: `${id}-plate`, x1: 0, y1: 0, x2: 0, y2: 1 },
    h("stop", { offset: 0, "stop-color": "var(--plate-light)" }),
    h("stop", { offset: 1, "stop-color": "var(--plate)" }),
  );
  return [
    h("defs", {}, gradient, pieceDefinitions(id)),
    h("rect", { y: 12, width, height: height - 2, rx: 30, fill: "var(--plate-edge)" }),
    h("rect", { x: 8, y: 8, width: width - 16, height: height - 30, rx: 24, fill: "var(--hole)" }),
  ];
}

/** The plate, with the numbers of its columns. */
export function plate(board, id) {
  const { rows, column_names: names } = board;
  const { width, height } = size(board);
  const centres = rows.flatMap((line, row) => line.map((_, column) => [x(column), y(row)]));
  const holes = (r, dy = 0) => centres.map(([cx, cy]) => circle(cx, cy + dy, r)).join("");
  const rim = { fill: "none", "stroke-width": 4 };
  return [
    h("path", { class: "plate", fill: `url(#${id}-plate)`, "fill-rule": "evenodd", d: rounded(width, height, 30) + holes(HOLE) }),
    h("path", { ...rim, stroke: "var(--plate-light)", d: holes(HOLE + 2, 1.5), opacity: 0.9 }),
    h("path", { ...rim, stroke: "var(--plate-edge)", d: holes(HOLE + 1) }),
    names.map((name, column) => h("text", { class: "number", x: x(column), y: height - FOOT / 2 + 7, fill: "var(--plate-text)", "font-size": 25, "font-weight": 600, "text-anchor": "middle" }, name)),
  ];
}

/** The pieces; at the end of a game those without a part in it are dimmed. */
export function pieces(board, id, ending = null) {
  const winning = new Set(ending?.cells?.map(String));
  const bombs = new Set(Object.values(board.bombs ?? {}).map((bomb) => String(bomb?.cell)));
  return board.rows.flatMap((line, row) =>
    line.flatMap((side, column) => {
      if (!side) return [];
      const cell = `${row},${column}`;
      const opacity = winning.size && !winning.has(cell) ? 0.32 : undefined;
      const use = piece(id, side, bombs.has(cell));
      return [h("g", { key: `${cell} ${side} ${bombs.has(cell)}`, class: `piece ${side}`, "data-at": cell, transform: at([row, column]), opacity }, h("g", {}, use))];
    }),
  );
}

/** The ring around the last piece, and the winning line. */
export function marks({ last, ending, parameters }) {
  const winning = ending?.cells ?? [];
  const ring = last?.to && !winning.length ? [lastRing(last.to)] : [];
  const lines = winning.length ? linesThrough(winning, parameters?.line ?? 4).map(winningLine) : [];
  // The line hides a ring; the last piece is the one with the dot.
  const dot = last?.to && winning.length ? [lastDot(last.to)] : [];
  const crater = last?.from ? [exploded(last.from)] : [];
  return [...crater, ...ring, ...lines, ...dot];
}

/** Where a bomb exploded. */
const exploded = (cell) =>
  h("path", { key: "last", class: "last", "data-last": cell.join(), transform: at(cell), d: burst(12, 33, 19), fill: "none", stroke: "var(--spark)", "stroke-width": 6, "stroke-linejoin": "round" });

const lastRing = (cell) =>
  h(
    "g",
    { key: "last", class: "last", "data-last": cell.join(), transform: at(cell), fill: "none" },
    h("circle", { r: RADIUS - 7, stroke: "var(--mark-edge)", "stroke-width": 10 }),
    h("circle", { r: RADIUS - 7, stroke: "var(--mark)", "stroke-width": 5.5 }),
  );

const lastDot = (cell) =>
  h("circle", { key: "last", class: "last", "data-last": cell.join(), transform: at(cell), r: 13, fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": 4 });

function winningLine([from, to], index) {
  const d = `M${x(from[1])} ${y(from[0])}L${x(to[1])} ${y(to[0])}`;
  const stroke = { d, fill: "none", "stroke-linecap": "round", pathLength: 1 };
  return h(
    "g",
    { key: `line ${index}`, "data-winning": `${from} ${to}` },
    h("path", { ...stroke, stroke: "var(--mark-edge)", "stroke-width": 19 }),
    h("path", { ...stroke, stroke: "var(--mark)", "stroke-width": 12 }),
  );
}

/** The first and last cells of the runs of at least `length` among the cells. */
function linesThrough(cells, length) {
  const known = new Set(cells.map(String));
  const has = (row, column) => known.has(`${row},${column}`);
  return [[0, 1], [1, 0], [1, 1], [1, -1]].flatMap(([down, right]) =>
    cells.flatMap(([row, column]) => {
      if (has(row - down, column - right)) return [];
      let steps = 0;
      while (has(row + (steps + 1) * down, column + (steps + 1) * right)) steps += 1;
      return steps + 1 >= length ? [[[row, column], [row + steps * down, column + steps * right]]] : [];
    }),
  );
}

/** The pieces that a bomb would remove, crossed out in the colour of its owner. */
export function victims({ bombs = {} }, result) {
  if (result !== "none") return [];
  return Object.entries(bombs).flatMap(([side, bomb]) =>
    (bomb?.removes ?? []).map((cell) =>
      h(
        "g",
        { key: `${side} ${cell}`, "data-victim": cell.join(), transform: at(cell), "stroke-linecap": "round" },
        h("path", { d: "M-17 -17L17 17M17 -17L-17 17", stroke: "var(--mark)", "stroke-width": 13 }),
        h("path", { d: "M-17 -17L17 17M17 -17L-17 17", stroke: `var(--${side}-deep)`, "stroke-width": 7 }),
      ),
    ),
  );
}

/** The whole picture of a position, for export. */
export function drawing(state, id) {
  const { width, height } = size(state.board);
  const layers = [
    ...back(state.board, id),
    ...pieces(state.board, id, state.ending),
    ...plate(state.board, id),
    ...victims(state.board, state.result),
    ...marks(state),
  ];
  return { box: [0, 0, width, height + 12], layers };
}
