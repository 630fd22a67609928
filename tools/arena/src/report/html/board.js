// Boards. A board is a list of numbers: the cells row by row from the top, then what lies beside it.
// `changed` are the cells that the last move changed, `winning` those that won the game.

const CELL = 100;

/** The side of a piece, 1 or 2; bombs are 3 and 4. */
const sideOf = (content) => (content > 2 ? content - 2 : content);

function frame(kind, width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `board ${kind}`, role: "img" }, ...children);
}

function piece(content, x, y, radius) {
  const side = sideOf(content);
  const nodes = [svg("circle", { class: `piece p${side}`, cx: x, cy: y, r: radius })];
  if (content > 2) nodes.push(svg("text", { class: "bomb", x, y: y + 16 }, "✹"));
  return nodes;
}

/** Marks where the last move ended; a bomb stays visible. */
const lastMark = (content, x, y) => (content > 2 ? ring("last bombed", x, y, 34) : ring("last", x, y, 14));

const ring = (kind, x, y, radius) => svg("circle", { class: kind, cx: x, cy: y, r: radius });

/** Pieces in columns, with the names of the columns below. */
function columnsBoard(layout, cells, changed, winning) {
  const { rows, columns, column_names } = layout;
  const [width, height] = [columns * CELL + 20, rows * CELL + 70];
  const center = (cell) => [10 + (cell % columns) * CELL + 50, 10 + Math.floor(cell / columns) * CELL + 50];
  const nodes = [svg("rect", { class: "wall", x: 0, y: 0, width, height: rows * CELL + 20, rx: 24 })];
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const [x, y] = center(cell);
    nodes.push(...(cells[cell] ? piece(cells[cell], x, y, 40) : [svg("circle", { class: "hole", cx: x, cy: y, r: 40 })]));
  }
  for (const cell of changed) if (cells[cell]) nodes.push(lastMark(cells[cell], ...center(cell)));
  for (const cell of winning) nodes.push(ring("won", ...center(cell), 36));
  column_names.forEach((name, at) => nodes.push(svg("text", { class: "label", x: 60 + at * CELL, y: height - 10 }, name)));
  return frame("columns", width, height, ...nodes);
}

/** Pieces on squares, with names at the edges and the pieces in hand above and below. */
function squaresBoard(layout, cells, changed, winning) {
  const { rows, columns, row_names, column_names } = layout;
  const [left, top] = [50, 60];
  const [width, height] = [left + columns * CELL + 10, top + rows * CELL + 100];
  const center = (cell) => [left + (cell % columns) * CELL + 50, top + Math.floor(cell / columns) * CELL + 50];
  const nodes = [];
  for (let cell = 0; cell < rows * columns; cell += 1) {
    const [x, y] = center(cell);
    nodes.push(svg("rect", { class: changed.includes(cell) && !cells[cell] ? "square left" : "square", x: x - 46, y: y - 46, width: 92, height: 92, rx: 14 }));
    if (cells[cell]) nodes.push(...piece(cells[cell], x, y, 34));
  }
  for (const cell of changed) if (cells[cell] && cell < rows * columns) nodes.push(lastMark(cells[cell], ...center(cell)));
  for (const cell of winning) nodes.push(ring("won", ...center(cell), 38));
  row_names.forEach((name, at) => nodes.push(svg("text", { class: "label", x: left / 2, y: top + at * CELL + 62 }, name)));
  column_names.forEach((name, at) => nodes.push(svg("text", { class: "label", x: left + at * CELL + 50, y: height - 60 }, name)));
  const hand = (side, y) => {
    const count = cells[rows * columns + side - 1] ?? 0;
    if (!count) return;
    nodes.push(...piece(side, left + 24, y, 15), svg("text", { class: "label start", x: left + 50, y: y + 11 }, `${count} in hand`));
  };
  hand(2, 30);
  hand(1, height - 24);
  return frame("squares", width, height, ...nodes);
}

/** Houses with seeds between two stores. */
function housesBoard(layout, cells, changed) {
  const { columns } = layout;
  const [width, height] = [columns * 110 + 270, 300];
  const nodes = [svg("rect", { class: "wood", x: 2, y: 2, width: width - 4, height: height - 4, rx: 60 })];
  const seeds = (count, x, y, room, stretch) => {
    for (let at = 0; at < Math.min(count, 60); at += 1) {
      const distance = count === 1 ? 0 : room * Math.sqrt((at + 0.5) / Math.max(count, 6));
      const angle = at * 2.39996;
      nodes.push(svg("circle", { class: "seed", cx: x + distance * Math.cos(angle), cy: y + distance * Math.sin(angle) * stretch, r: 7 }));
    }
  };
  for (let cell = 0; cell < 2 * columns; cell += 1) {
    const upper = cell < columns;
    const [x, y] = [135 + (cell % columns) * 110 + 55, upper ? 88 : 212];
    nodes.push(svg("circle", { class: `pit p${upper ? 2 : 1}${changed.includes(cell) ? " changed" : ""}`, cx: x, cy: y, r: 46 }));
    seeds(cells[cell], x, y, 32, 1);
    nodes.push(svg("text", { class: "label count", x, y: upper ? 32 : 288 }, String(cells[cell])));
  }
  [1, 2].forEach((side) => {
    const cell = 2 * columns + side - 1;
    const x = side === 1 ? width - 72 : 72;
    nodes.push(svg("rect", { class: `pit p${side}${changed.includes(cell) ? " changed" : ""}`, x: x - 44, y: 46, width: 88, height: 182, rx: 44 }));
    seeds(cells[cell], x, 137, 30, 2.2);
    nodes.push(svg("text", { class: "label count", x, y: 264 }, String(cells[cell])));
  });
  return frame("houses", width, height, ...nodes);
}

/** The board of a game as a picture, if the game has one. */
function drawBoard(layout, cells, changed, winning) {
  if (!cells.length) return html("p", { class: "muted" }, "No board to show.");
  const draw = { columns: columnsBoard, squares: squaresBoard, houses: housesBoard }[layout.kind];
  return draw ? draw(layout, cells, changed, winning) : html("p", { class: "muted" }, "This game has no board to show.");
}
