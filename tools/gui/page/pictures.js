// Small pictures of positions, for the choice of games and the rules.

import { svg } from "./dom.js";

const CELL = 20;
const SIDE = { 1: "p1", 2: "p2", 4: "p1", 5: "p2" };
const centre = (at) => at * CELL + CELL / 2;

/**
 * Cells from the top, one character each: `1` and `2` are pieces, `4` and `5` bombs, `a` and `b` pieces
 * yet to come. Cells of `line` are joined by a line, those of `cross` crossed out, those of `ring` ringed,
 * those of `arrow` joined by an arrow; `wood` is a board to lay stones on.
 */
export function gridPicture(rows, { wood = false, line = [], cross = [], ring = [], arrow = [] } = {}) {
  const [width, height] = [rows[0].length * CELL, rows.length * CELL];
  const parts = [svg("rect", { class: wood ? "picture-wood" : "picture-plate", width, height, rx: 5 })];
  rows.forEach((cells, row) =>
    [...cells].forEach((cell, column) => {
      const place = { cx: centre(column), cy: centre(row) };
      if (wood) parts.push(svg("rect", { class: "picture-square", x: column * CELL + 1.5, y: row * CELL + 1.5, width: CELL - 3, height: CELL - 3, rx: 3 }));
      else parts.push(svg("circle", { class: "picture-hole", r: 8, ...place }));
      const ghost = { a: "p1", b: "p2" }[cell];
      if (ghost) parts.push(svg("circle", { class: `picture-ghost ${ghost}`, r: 7, ...place }));
      if (SIDE[cell]) parts.push(svg("circle", { class: `picture-piece ${SIDE[cell]}`, r: 7.5, ...place }));
      if (cell === "4" || cell === "5") {
        parts.push(svg("circle", { class: "picture-bomb", r: 4.5, ...place }), svg("circle", { class: "picture-spark", r: 1.6, cx: place.cx + 4, cy: place.cy - 5 }));
      }
    }),
  );
  const points = (cells) => cells.map(([row, column]) => `${centre(column)} ${centre(row)}`).join("L");
  if (line.length) parts.push(svg("path", { class: "picture-line", d: `M${points(line)}` }));
  if (arrow.length) parts.push(arrowPath(arrow));
  for (const [row, column] of cross) parts.push(svg("path", { class: "picture-cross", d: `M${centre(column) - 5} ${centre(row) - 5}l10 10m0-10l-10 10` }));
  for (const [row, column] of ring) parts.push(svg("circle", { class: "picture-ring", cx: centre(column), cy: centre(row), r: 9 }));
  return svg("svg", { class: "picture", viewBox: `-2 -2 ${width + 4} ${height + 4}`, "aria-hidden": "true" }, ...parts);
}

function arrowPath([[fromRow, fromColumn], [toRow, toColumn]]) {
  const [x, y] = [centre(toColumn), centre(toRow)];
  const [right, down] = [Math.sign(toColumn - fromColumn), Math.sign(toRow - fromRow)];
  const side = (sign) => `${x - 5 * right + sign * 4 * down} ${y - 5 * down + sign * 4 * right}`;
  return svg("path", { class: "picture-arrow", d: `M${centre(fromColumn)} ${centre(fromRow)}L${x} ${y}M${side(1)}L${x} ${y}L${side(-1)}` });
}

/** Kalah: the houses of the upper and lower row, the stores left and right, and houses that are marked. */
export function pitsPicture(upper, lower, stores, { marked = [], store = false } = {}) {
  const width = (upper.length + 2) * CELL;
  const parts = [svg("rect", { class: "picture-wood", width, height: 52, rx: 10 })];
  const pit = (x, y, count, isMarked) => {
    parts.push(svg("circle", { class: isMarked ? "picture-pit marked" : "picture-pit", cx: x, cy: y, r: 8.5 }));
    parts.push(svg("text", { class: "picture-count", x, y: y + 3.5 }, String(count)));
  };
  upper.forEach((count, at) => pit(centre(at + 1), 15, count, marked.includes(`u${at}`)));
  lower.forEach((count, at) => pit(centre(at + 1), 37, count, marked.includes(`l${at}`)));
  [10, width - 10].forEach((x, at) => {
    const isMarked = store && at === 1;
    parts.push(svg("rect", { class: isMarked ? "picture-pit marked" : "picture-pit", x: x - 7.5, y: 8, width: 15, height: 36, rx: 7.5 }));
    parts.push(svg("text", { class: "picture-count", x, y: 29.5 }, String(stores[at])));
  });
  return svg("svg", { class: "picture", viewBox: `-2 -2 ${width + 4} 56`, "aria-hidden": "true" }, ...parts);
}
