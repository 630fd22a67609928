// Boards where pieces fall: a plate with holes, columns to choose, marks on top.

import { animate, svg } from "../dom.js";
import { longLabel, shortLabel, tone } from "../score.js";

const CELL = 100;
const PAD = 22;
const HEAD = 90;
const FOOT = 108;
const HOLE = 41;
/** Up to so many columns there is room for long labels. */
const ROOMY = 9;
/** So many moves of the expected line are drawn. */
const SHOWN_LINE = 7;

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export class Gravity {
  #root;
  #size = "";
  #layers = {};
  #zones = [];
  rows = 0;
  columns = 0;

  constructor(root, play) {
    this.#root = root;
    root.addEventListener("click", (event) => {
      const move = event.target.closest("[data-move]")?.dataset.move;
      if (move) play(move);
    });
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      const move = event.target.closest("[data-move]")?.dataset.move;
      if (!move) return;
      event.preventDefault();
      play(move);
    });
  }

  x = (column) => PAD + column * CELL + CELL / 2;
  y = (row) => PAD + row * CELL + CELL / 2;

  /** Draws the plate, unless it is there. */
  lay(rows, columns) {
    if (this.#size === `${rows}x${columns}`) return;
    this.#size = `${rows}x${columns}`;
    [this.rows, this.columns] = [rows, columns];
    const [width, height] = [columns * CELL + 2 * PAD, rows * CELL + 2 * PAD];
    const holes = Array.from({ length: rows * columns }, (_, at) =>
      circle(this.x(at % columns), this.y(Math.floor(at / columns)), HOLE),
    ).join("");
    const layer = (name) => (this.#layers[name] = svg("g", { class: name }));
    this.#zones = Array.from({ length: columns }, (_, column) =>
      svg("rect", {
        class: "zone",
        x: PAD + column * CELL,
        y: -HEAD,
        width: CELL,
        height: height + HEAD + FOOT,
        rx: 18,
      }),
    );
    const numbers = this.#zones.map((_, column) =>
      svg("text", { class: "number", x: this.x(column), y: height + 36 }, String(column + 1)),
    );
    this.#root.replaceChildren(
      svg(
        "svg",
        {
          viewBox: `0 ${-HEAD} ${width} ${height + HEAD + FOOT}`,
          class: "board gravity",
          "data-board": "",
          "data-size": columns > 12 ? "large" : "normal",
        },
        svg(
          "defs",
          {},
          svg(
            "linearGradient",
            { id: "plate", x1: 0, y1: 0, x2: 0, y2: 1 },
            svg("stop", { offset: 0, class: "plate-top" }),
            svg("stop", { offset: 1, class: "plate-bottom" }),
          ),
        ),
        svg("rect", { class: "back", x: 4, y: 4, width: width - 8, height: height - 8, rx: 30 }),
        layer("pieces"),
        layer("ghosts"),
        svg("path", {
          class: "plate",
          fill: "url(#plate)",
          "fill-rule": "evenodd",
          d: `M0 34a34 34 0 0 1 34-34h${width - 68}a34 34 0 0 1 34 34v${height - 68}a34 34 0 0 1-34 34h${68 - width}a34 34 0 0 1-34-34z${holes}`,
        }),
        svg("path", { class: "edges", d: holes }),
        layer("marks"),
        svg("g", { class: "numbers" }, ...numbers),
        layer("values"),
        layer("pointer"),
        svg("g", { class: "zones" }, ...this.#zones),
      ),
    );
  }

  /** Draws the pieces: `cells[row][column]` is null or `{ side, bomb }`. Returns their elements. */
  place(cells) {
    const drawn = cells.map((line, row) =>
      line.map((piece, column) => piece && this.piece(piece, row, column)),
    );
    this.#layers.pieces.replaceChildren(...drawn.flat().filter(Boolean));
    this.#layers.ghosts.replaceChildren();
    return drawn;
  }

  /** A piece. The inner group is free for animations. */
  piece({ side, bomb }, row, column, extra = "") {
    const parts = [svg("circle", { r: HOLE }), svg("circle", { r: 28, class: "rim" })];
    if (bomb) {
      parts.push(
        svg("path", { class: "fuse", d: "M12 -14q6 -16 20 -10" }),
        svg("circle", { class: "bomb", r: 21, cy: 3 }),
        svg("circle", { class: "spark", r: 6, cx: 33, cy: -24 }),
        svg("circle", { class: "gleam", r: 5, cx: -7, cy: -5 }),
      );
    }
    return svg(
      "g",
      { transform: `translate(${this.x(column)} ${this.y(row)})`, class: `piece ${side} ${extra}` },
      svg("g", { class: "body" }, ...parts),
    );
  }

  add(layer, ...nodes) {
    this.#layers[layer].append(...nodes);
  }

  /** Lets a piece fall from above the board, or from some cells above. */
  fall(piece, row, cells = row + 1.2, delay = 0) {
    const height = cells * CELL;
    const bounce = Math.min(10, height / 30);
    const duration = 170 * Math.sqrt(cells) + 120;
    return animate(
      piece.firstChild,
      [
        { transform: `translateY(${-height}px)`, easing: "cubic-bezier(.5,0,.95,.65)" },
        { transform: "translateY(0)", offset: 0.74, easing: "ease-out" },
        { transform: `translateY(${-bounce}px)`, offset: 0.86, easing: "ease-in" },
        { transform: "translateY(0)" },
      ],
      { duration, delay, fill: "backwards" },
    );
  }

  /** A ring around the last piece, and a brighter one around those of a winning line. */
  rings(cells, className) {
    const ring = ([row, column]) =>
      svg("circle", { class: className, cx: this.x(column), cy: this.y(row), r: 35 });
    this.#layers.marks.append(...cells.map(ring));
  }

  clearMarks() {
    this.#layers.marks.replaceChildren();
  }

  /** The lowest free row of each column, -1 where there is none. */
  landings(cells) {
    return Array.from({ length: this.columns }, (_, column) => {
      const top = cells.findIndex((line) => line[column]);
      return (top < 0 ? this.rows : top) - 1;
    });
  }

  /** The columns that may be chosen, and what would fall there. */
  offer(columns, side, landings) {
    this.#zones.forEach((zone, column) => {
      const legal = columns.has(column);
      const name = `Column ${column + 1}${legal ? "" : ", full"}`;
      zone.setAttribute("aria-label", name);
      zone.setAttribute("class", legal ? `zone ${side}` : "zone");
      for (const [attribute, value] of [
        ["data-move", column + 1],
        ["tabindex", 0],
        ["role", "button"],
      ]) {
        if (legal) zone.setAttribute(attribute, value);
        else zone.removeAttribute(attribute);
      }
      zone.onpointerenter = zone.onfocus = () => legal && this.#preview(column, landings[column], side);
      zone.onpointerleave = zone.onblur = () => this.#layers.pointer.replaceChildren();
    });
    if (!columns.size) this.#layers.pointer.replaceChildren();
  }

  #preview(column, row, side) {
    const x = this.x(column);
    this.#layers.pointer.replaceChildren(
      svg("circle", { class: `preview ${side}`, cx: x, cy: -46, r: HOLE - 2 }),
      svg("circle", { class: `landing ${side}`, cx: x, cy: this.y(row), r: HOLE - 8 }),
    );
  }

  /** What each column is worth, under it. */
  values(worth) {
    const roomy = this.columns <= ROOMY;
    const y = this.rows * CELL + 2 * PAD + 72;
    const label = ([move, score]) => {
      const column = Number(move) - 1;
      if (!(column >= 0 && column < this.columns)) return [];
      const [x, title] = [this.x(column), svg("title", {}, `Column ${move}: ${longLabel(score)}`)];
      // "win in 7" stands in two lines.
      const [first, ...rest] = (roomy ? longLabel(score) : shortLabel(score)).split(/ (?=in )/);
      const second = rest.map((text) => svg("tspan", { x, dy: 26 }, text));
      return [svg("text", { class: `value ${tone(score)}`, "data-value": move, x, y }, title, first, ...second)];
    };
    this.#layers.values.replaceChildren(...[...worth].flatMap(label));
    this.#layers.values.setAttribute("class", roomy ? "values" : "values tight");
  }

  /** The expected line: numbered ghosts where its pieces will lie. */
  ghosts(line, landings, mover) {
    const free = [...landings];
    const nodes = [];
    for (const [at, move] of line.slice(0, SHOWN_LINE).entries()) {
      const column = Number(move) - 1;
      if (!(column >= 0) || !(free[column] >= 0)) break;
      const row = free[column]--;
      const place = { x: this.x(column), y: this.y(row) };
      nodes.push(
        svg("circle", { class: `ghost ${mover(at)}`, cx: place.x, cy: place.y, r: HOLE - 5 }),
        svg("text", { class: "ghost-number", ...place, dy: 13 }, String(at + 1)),
      );
    }
    this.#layers.ghosts.replaceChildren(...nodes);
  }

  /** An arrow above a column. */
  point(column) {
    this.#root.querySelector(".hint-arrow")?.remove();
    if (column === null) return;
    const x = this.x(column);
    const arrow = svg("path", { class: "hint-arrow", "data-hint": column + 1, d: `M${x - 30} -70h60l-30 46z` });
    this.#layers.values.before(arrow);
  }
}

/** The cells of every line of at least `length` pieces of `side`. */
export function linesOf(cells, side, length) {
  const mine = (row, column) => cells[row]?.[column]?.side === side;
  const found = [];
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    cells.forEach((line, row) =>
      line.forEach((_, column) => {
        if (!mine(row, column) || mine(row - down, column - right)) return;
        const run = [];
        for (let at = 0; mine(row + at * down, column + at * right); at += 1) {
          run.push([row + at * down, column + at * right]);
        }
        if (run.length >= length) found.push(...run);
      }),
    );
  }
  return found;
}
