// Wali as a picture: a wooden board with a hollow for each cell, and stones.

import { piece, pieceDefinitions } from "./pieces.js";
import { h } from "./scene.js";
import { hollow, plank } from "./wood.js";

export const CELL = 100;
const MARGIN = 46;

export const x = (column) => MARGIN + column * CELL + CELL / 2;
export const y = (row) => MARGIN / 2 + row * CELL + CELL / 2;
export const at = ([row, column]) => `translate(${x(column)} ${y(row)})`;

export const size = ({ rows }) => ({ width: rows[0].length * CELL + 1.5 * MARGIN, height: rows.length * CELL + 1.5 * MARGIN + 10 });

export const nameOf = ({ column_names: columns, row_names: rows }, [row, column]) => columns[column] + rows[row];

/** The cells of the board by name. */
export function cellsByName(board) {
  return new Map(board.rows.flatMap((line, row) => line.map((_, column) => [nameOf(board, [row, column]), [row, column]])));
}

const text = (left, top, content) => h("text", { x: left, y: top + 9, "font-size": 26, "font-weight": 600, "text-anchor": "middle", fill: "var(--wood-text)" }, content);

/** The board without stones. */
export function board({ rows, row_names, column_names }, id) {
  const { width, height } = size({ rows });
  return [
    h("defs", {}, pieceDefinitions(id)),
    ...plank(id, width, height - 10, 30),
    rows.map((line, row) => line.map((_, column) => hollow(x(column), y(row), 41))),
    column_names.map((name, column) => text(x(column), height - 10 - MARGIN / 2 - 5, name)),
    row_names.map((name, row) => text(MARGIN / 2 + 4, y(row), name)),
  ];
}

/** The stones. */
export function stones(state, id) {
  const { rows } = state.board;
  return rows.flatMap((line, row) =>
    line.flatMap((side, column) => {
      if (!side) return [];
      const name = nameOf(state.board, [row, column]);
      return [h("g", { key: `${name} ${side}`, class: `piece ${side}`, "data-stone": name, transform: at([row, column]) }, h("g", {}, stone(id, side)))];
    }),
  );
}

/** A stone around the origin, with its shadow. */
export const stone = (id, side) => [h("circle", { r: 37, cy: 5, fill: "var(--hollow-edge)", opacity: 0.55 }), piece(id, side, false, { transform: "scale(0.88)" })];

const ring = (cell, r, attributes) => h("circle", { r, transform: at(cell), fill: "none", ...attributes });

/** Where the last move went, came from, and captured. */
export function lastMove({ last }) {
  if (!last?.to) return [];
  const both = (cell, r, dash) => [
    ring(cell, r, { stroke: "var(--mark-edge)", "stroke-width": 8, "stroke-dasharray": dash }),
    ring(cell, r, { stroke: "var(--mark)", "stroke-width": 4.5, "stroke-dasharray": dash }),
  ];
  const captured = (last.removed ?? []).map((cell) =>
    h("g", { key: "captured", transform: at(cell), "stroke-linecap": "round" }, h("path", { d: "M-15 -15L15 15M15 -15L-15 15", stroke: "var(--mark-edge)", "stroke-width": 10 }), h("path", { d: "M-15 -15L15 15M15 -15L-15 15", stroke: "var(--mark)", "stroke-width": 5 })),
  );
  return [
    h("g", { key: "to", class: "last", "data-last": last.move }, both(last.to, 41)),
    last.from && h("g", { key: "from", class: "last" }, both(last.from, 34, "10 9")),
    ...captured,
  ].filter(Boolean);
}

/** The whole picture of a position, for export. */
export function drawing(state, id) {
  const { width, height } = size(state.board);
  return { box: [0, 0, width, height], layers: [board(state.board, id), lastMove(state), stones(state, id)].flat(2) };
}
