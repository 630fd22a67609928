// A board whose pieces fall: a plate with holes, clickable columns, annotations on top.

import { animate, onActivate, svg, toggleButton } from "../dom.js";
import { longLabel, shortLabel, tone } from "../score.js";

const CELL = 100;
const PAD = 22;
const HEAD = 90;
const FOOT = 108;
const HOLE = 41;
/** The most columns with room for long labels. */
const MAX_LONG_LABELS = 9;

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export class GravityBoard {
  #root;
  #size = "";
  #layers = {};
  #zones = [];
  rows = 0;
  columns = 0;

  constructor(root, play) {
    this.#root = root;
    onActivate(root, "move", play);
  }

  x = (column) => PAD + column * CELL + CELL / 2;
  y = (row) => PAD + row * CELL + CELL / 2;

  /** Draws the empty board if its size has changed. */
  resize(rows, columns) {
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
        layer("hint"),
        layer("scores"),
        layer("preview"),
        svg("g", { class: "zones" }, ...this.#zones),
      ),
    );
  }

  /** Draws the pieces of a state without marks. Returns their elements by row and column. */
  place({ board }) {
    const drawn = board.rows.map((line, row) =>
      line.map((side, column) => side && this.piece(board, row, column)),
    );
    this.#layers.pieces.replaceChildren(...drawn.flat().filter(Boolean));
    this.#layers.ghosts.replaceChildren();
    this.#layers.marks.replaceChildren();
    return drawn;
  }

  /** A piece. Its inner group is animated. */
  piece({ rows, bombs = {} }, row, column) {
    const side = rows[row][column];
    const bomb = bombs[side]?.cell.join() === `${row},${column}`;
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
      { transform: `translate(${this.x(column)} ${this.y(row)})`, class: `piece ${side}` },
      svg("g", { class: "body" }, ...parts),
    );
  }

  add(layer, ...nodes) {
    this.#layers[layer].append(...nodes);
  }

  /** Lets a piece fall from above the board, or from a number of cells higher. */
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

  /** Rings around the last move and the winning line. */
  markLast({ last, ending }) {
    if (last?.to) this.#addRings([last.to], "last");
    if (ending) this.#addRings(ending.cells, "winning");
  }

  #addRings(cells, className) {
    const ring = ([row, column]) =>
      svg("circle", { class: className, cx: this.x(column), cy: this.y(row), r: 35 });
    this.#layers.marks.append(...cells.map(ring));
  }

  /** Shows the annotations of a state. */
  annotate({ playable, moveScores, line, hint }, { moves }) {
    this.#setPlayable(playable ? moves : []);
    this.#showScores(moveScores);
    this.#showLine(line);
    this.#showHint(hint);
  }

  /** Makes the columns of these moves clickable, with a preview of the piece. */
  #setPlayable(moves) {
    const drops = new Map(moves.filter(({ to }) => to).map((drop) => [drop.to[1], drop]));
    this.#zones.forEach((zone, column) => {
      const drop = drops.get(column);
      toggleButton(zone, Boolean(drop), { "data-move": drop?.move, "aria-label": `Column ${drop?.move}` });
      zone.onpointerenter = zone.onfocus = () => drop && this.#preview(column, drop.to[0], drop.side);
      zone.onpointerleave = zone.onblur = () => this.#layers.preview.replaceChildren();
    });
    if (!drops.size) this.#layers.preview.replaceChildren();
  }

  #preview(column, row, side) {
    const x = this.x(column);
    this.#layers.preview.replaceChildren(
      svg("circle", { class: `falling ${side}`, cx: x, cy: -46, r: HOLE - 2 }),
      svg("circle", { class: `landing ${side}`, cx: x, cy: this.y(row), r: HOLE - 8 }),
    );
  }

  /** Shows the score of each column below it. */
  #showScores(moveScores) {
    const roomy = this.columns <= MAX_LONG_LABELS;
    const y = this.rows * CELL + 2 * PAD + 72;
    const label = ([move, score]) => {
      const column = Number(move) - 1;
      if (!(column >= 0 && column < this.columns)) return [];
      const [x, title] = [this.x(column), svg("title", {}, `Column ${move}: ${longLabel(score)}`)];
      // "win in 7" takes two lines.
      const [first, ...rest] = (roomy ? longLabel(score) : shortLabel(score)).split(/ (?=in )/);
      const second = rest.map((text) => svg("tspan", { x, dy: 26 }, text));
      return [svg("text", { class: `score ${tone(score)}`, "data-score": move, x, y }, title, first, ...second)];
    };
    this.#layers.scores.replaceChildren(...[...moveScores].flatMap(label));
    this.#layers.scores.setAttribute("class", roomy ? "scores" : "scores tight");
  }

  /** Shows the drops of the principal variation, up to an explosion, as numbered ghost pieces. */
  #showLine(line) {
    const end = line.findIndex(({ to }) => !to);
    const nodes = line.slice(0, end < 0 ? line.length : end).flatMap(({ to: [row, column], side }, at) => {
      const [x, y] = [this.x(column), this.y(row)];
      return [
        svg("circle", { class: `ghost ${side}`, cx: x, cy: y, r: HOLE - 5 }),
        svg("text", { class: "ghost-number", x, y, dy: 13 }, String(at + 1)),
      ];
    });
    this.#layers.ghosts.replaceChildren(...nodes);
  }

  /** Shows an arrow above the column of a move. */
  #showHint(move) {
    const column = Number(move) - 1;
    const x = this.x(column);
    const arrow = () => svg("path", { class: "hint-arrow", "data-hint": move, d: `M${x - 30} -70h60l-30 46z` });
    this.#layers.hint.replaceChildren(...(column >= 0 ? [arrow()] : []));
  }
}
