// Wali: stones are dropped, moved and captured by clicking cells.

import { animate, badge, onActivate, svg, toggleButton } from "../dom.js";
import { longLabel, shortLabel, strength, tone } from "../score.js";

const CELL = 100;
const PAD = 44;
/** The moves of the principal variation that are shown. */
const SHOWN_MOVES = 2;
/** The cells of the board by name, each with the side of its stone. */
function cellsByName({ rows, row_names, column_names }) {
  const cells = rows.flatMap((line, row) =>
    line.map((side, column) => [column_names[column] + row_names[row], { row, column, side }]),
  );
  return new Map(cells);
}

export class Wali {
  static title = "Wali";
  #root;
  #play;
  #state = null;
  #cells = new Map();
  #annotations = null;
  #selected = [];
  #layers = {};

  constructor(root, play) {
    this.#root = root;
    this.#play = play;
    onActivate(root, "cell", (cell) => this.#pick(cell));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#selected.length) this.#select([]);
    });
  }

  #x = (name) => PAD + this.#cells.get(name).column * CELL + CELL / 2;
  #y = (name) => PAD + this.#cells.get(name).row * CELL + CELL / 2;

  #name = ([row, column]) => this.#state.board.column_names[column] + this.#state.board.row_names[row];

  /** The cells of a move, in the order in which they are clicked. */
  #cellsOf({ from, to, removed = [] }) {
    return [from, to, ...removed].filter(Boolean).map(this.#name);
  }

  async show(state, previous, move) {
    this.#state = state;
    this.#cells = cellsByName(state.board);
    this.#selected = [];
    this.#drawBoard();
    if (move) await this.#animate(state.last, previous);
    if (this.#state !== state || !state.last) return;
    const ends = [state.last.from, state.last.to].filter(Boolean).map(this.#name);
    this.#layers.last.append(
      ...ends.map((cell) => svg("circle", { class: "last", cx: this.#x(cell), cy: this.#y(cell), r: 40 })),
    );
  }

  async #animate(last, previous) {
    const [from, to, captured] = [last.from, last.to, last.removed?.[0]].map((cell) => cell && this.#name(cell));
    const stone = this.#layers.stones.querySelector(`[data-stone="${to}"]`);
    if (stone && from) {
      const away = `translate(${this.#x(from) - this.#x(to)}px,${this.#y(from) - this.#y(to)}px)`;
      await animate(stone.firstChild, [{ transform: away }, { transform: "none" }], { duration: 260, easing: "ease-in-out" });
    } else if (stone) {
      await animate(stone.firstChild, [{ transform: "scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 220, easing: "ease-out" });
    }
    if (captured) {
      const victim = this.#stone(captured, cellsByName(previous.board).get(captured).side);
      this.#layers.stones.append(victim);
      await animate(victim.firstChild, [{ transform: "none" }, { transform: "scale(0)", opacity: 0 }], { duration: 320, easing: "ease-in" });
      victim.remove();
    }
  }

  #drawBoard() {
    const cells = this.#cells;
    const { row_names, column_names } = this.#state.board;
    const [rows, columns] = [row_names.length, column_names.length];
    const focused = document.activeElement?.dataset?.cell;
    const [width, height] = [columns * CELL + 2 * PAD, rows * CELL + 2 * PAD];
    const names = [...cells.keys()];
    const layer = (name) => (this.#layers[name] = svg("g", { class: name }));
    const square = (name) => {
      const { row, column } = cells.get(name);
      return svg("rect", { class: "square", x: PAD + column * CELL + 4, y: PAD + row * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 16 });
    };
    const letters = column_names.map((name, at) =>
      svg("text", { class: "number", x: PAD + at * CELL + CELL / 2, y: height - 14 }, name),
    );
    const numbers = row_names.map((name, at) =>
      svg("text", { class: "number", x: PAD / 2, y: PAD + at * CELL + CELL / 2 + 9 }, name),
    );
    this.#root.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, class: "board wali", "data-board": "" },
        svg("rect", { class: "wood", x: 3, y: 3, width: width - 6, height: height - 6, rx: 34 }),
        ...names.map(square),
        ...letters,
        ...numbers,
        layer("last"),
        layer("stones"),
        layer("pv"),
        layer("targets"),
        layer("scores"),
        layer("zones"),
      ),
    );
    const stones = names.filter((name) => cells.get(name).side);
    this.#layers.stones.append(...stones.map((name) => this.#stone(name, cells.get(name).side)));
    this.#layers.zones.append(
      ...names.map((name) => {
        const { row, column } = cells.get(name);
        return svg("rect", { class: "zone", "data-at": name, x: PAD + column * CELL, y: PAD + row * CELL, width: CELL, height: CELL, rx: 18 });
      }),
    );
    if (focused) this.#layers.zones.querySelector(`[data-at="${focused}"]`)?.setAttribute("data-focus", "");
  }

  #stone(name, side) {
    return svg(
      "g",
      { class: `piece ${side}`, transform: `translate(${this.#x(name)} ${this.#y(name)})`, "data-stone": name },
      svg("g", { class: "body" }, svg("circle", { r: 34 }), svg("circle", { r: 22, class: "rim" })),
    );
  }

  annotate(annotations) {
    this.#annotations = annotations;
    this.#refresh();
  }

  /** The legal moves that begin with these cells. */
  #movesFrom(cells) {
    return this.#state.moves.filter((move) => cells.every((cell, at) => this.#cellsOf(move)[at] === cell));
  }

  #pick(cell) {
    if (!this.#annotations?.playable) return;
    const selected = [...this.#selected, cell];
    const moves = this.#movesFrom(selected);
    const complete = moves.find((move) => this.#cellsOf(move).length === selected.length);
    if (complete && moves.length === 1) this.#play(complete.move);
    else if (moves.length) this.#select(selected);
    else this.#select(this.#movesFrom([cell]).length && cell !== this.#selected[0] ? [cell] : []);
  }

  #select(cells) {
    this.#selected = cells;
    this.#refresh();
  }

  #refresh() {
    const { playable, moveScores, line, hint } = this.#annotations;
    const step = this.#selected.length;
    const best = new Map();
    for (const move of this.#movesFrom(this.#selected)) {
      const cell = this.#cellsOf(move)[step];
      const score = moveScores.get(move.move);
      if (!cell) continue;
      const known = best.get(cell);
      if (!known || (score && strength(score) > strength(known))) best.set(cell, score ?? known ?? null);
    }
    const inDrop = this.#state.board.phase === "drop";
    const captures = step === 2;
    for (const zone of this.#layers.zones.children) {
      const name = zone.dataset.at;
      const active = playable && (best.has(name) || this.#selected.includes(name));
      toggleButton(zone, active, { "data-cell": name, "aria-label": this.#describe(name, captures) });
      if (active && zone.hasAttribute("data-focus")) zone.focus();
      zone.removeAttribute("data-focus");
    }
    const targets = playable ? [...best.keys()] : [];
    const own = step === 0 && !inDrop;
    this.#layers.targets.replaceChildren(
      ...targets.map((name) =>
        svg("circle", {
          class: `target ${own ? "own" : captures ? "capture" : "free"} ${this.#state.side}`,
          cx: this.#x(name),
          cy: this.#y(name),
          r: own || captures ? 39 : 12,
        }),
      ),
      ...this.#selected.map((name) => svg("circle", { class: "selected", cx: this.#x(name), cy: this.#y(name), r: 40 })),
      ...this.#hintRings(hint),
    );
    this.#layers.scores.replaceChildren(
      ...[...best].flatMap(([name, score]) => (score ? [this.#score(name, score)] : [])),
    );
    this.#drawLine(step ? [] : line);
  }

  #describe(name, captures) {
    const { side } = this.#cells.get(name);
    if (captures) return `Capture ${name}`;
    return side ? `Stone at ${name}` : `Empty cell ${name}`;
  }

  #score(name, score) {
    const attributes = { class: `score ${tone(score)}`, "data-score": name, x: this.#x(name), y: this.#y(name) + 45 };
    return svg("text", attributes, shortLabel(score), svg("title", {}, `${name}: ${longLabel(score)}`));
  }

  #hintRings(hint) {
    const hinted = this.#state.moves.find(({ move }) => move === hint);
    return hinted
      ? this.#cellsOf(hinted).map((name) => svg("circle", { class: "hint-ring", "data-hint": name, cx: this.#x(name), cy: this.#y(name), r: 42 }))
      : [];
  }

  /** The principal variation: numbered rings for drops, arrows for moves. */
  #drawLine(line) {
    const nodes = line.slice(0, SHOWN_MOVES).flatMap((move, at) => {
      if (!move.to) return [];
      const [from, end, captured] = [move.from, move.to, move.removed?.[0]].map((cell) => cell && this.#name(cell));
      const parts = badge(this.#x(end) + 27, this.#y(end) - 27, at + 1);
      if (from) parts.unshift(svg("path", { class: "arrow", d: this.#arrow(from, end) }));
      else parts.unshift(svg("circle", { class: "ghost-ring", cx: this.#x(end), cy: this.#y(end), r: 26 }));
      if (captured) parts.push(svg("circle", { class: "ghost-captured", cx: this.#x(captured), cy: this.#y(captured), r: 38 }));
      return parts;
    });
    this.#layers.pv.replaceChildren(...nodes);
  }

  /** An arrow from the edge of a stone to the centre of the next cell. */
  #arrow(from, to) {
    const [x, y] = [this.#x(to), this.#y(to)];
    const [right, down] = [(x - this.#x(from)) / CELL, (y - this.#y(from)) / CELL];
    const start = `${this.#x(from) + 38 * right} ${this.#y(from) + 38 * down}`;
    const side = (sign) => `${x - 18 * right + sign * 15 * down} ${y - 18 * down + sign * 15 * right}`;
    return `M${start}L${x} ${y}M${side(1)}L${x} ${y}L${side(-1)}`;
  }

  actions({ moves }) {
    return moves.some(({ move }) => move === "pass") ? [{ move: "pass", label: "Pass" }] : [];
  }

  instruction({ board, side }) {
    if (board.phase !== "drop") return "move a stone; three in a row capture one";
    return `drop a stone, ${board.in_hand[side]} in hand`;
  }
}
