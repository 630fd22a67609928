// Wali: stones are dropped, moved and captured by clicking cells.

import { animate, badge, onActivate, svg, toggleButton } from "../dom.js";
import { longLabel, shortLabel, strength, tone } from "../score.js";

const CELL = 100;
const PAD = 44;
/** The moves of the principal variation that are shown. */
const SHOWN_MOVES = 2;
const MOVE = /^([a-z]\d+)(?:([a-z]\d+)(?:x([a-z]\d+))?)?$/;

/** The cells of a move, in the order in which they are clicked. */
const cellsOf = (move) => (MOVE.exec(move)?.slice(1) ?? []).filter(Boolean);

/** The cells, each with the side of its stone, and the phase. */
function parse(state) {
  const [, text, , phase] = state.position.split(" ");
  const rows = text.split("/");
  const cells = new Map();
  rows.forEach((line, row) =>
    [...line].forEach((cell, column) => {
      const name = String.fromCharCode(97 + column) + (rows.length - row);
      cells.set(name, { row, column, side: { 1: "p1", 2: "p2" }[cell] ?? null });
    }),
  );
  return { cells, rows: rows.length, columns: rows[0].length, phase };
}

export class Wali {
  static title = "Wali";
  #root;
  #play;
  #state = null;
  #board = null;
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

  #x = (name) => PAD + this.#board.cells.get(name).column * CELL + CELL / 2;
  #y = (name) => PAD + this.#board.cells.get(name).row * CELL + CELL / 2;

  async show(state, previous, move) {
    this.#state = state;
    this.#board = parse(state);
    this.#selected = [];
    this.#drawBoard();
    if (!move || !previous) return;
    const [from, to, captured] = cellsOf(move);
    const stone = this.#layers.stones.querySelector(`[data-stone="${to ?? from}"]`);
    if (stone && to) {
      const away = `translate(${this.#x(from) - this.#x(to)}px,${this.#y(from) - this.#y(to)}px)`;
      await animate(stone.firstChild, [{ transform: away }, { transform: "none" }], { duration: 260, easing: "ease-in-out" });
    } else if (stone) {
      await animate(stone.firstChild, [{ transform: "scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 220, easing: "ease-out" });
    }
    if (captured) {
      const victim = this.#stone(captured, parse(previous).cells.get(captured).side);
      this.#layers.stones.append(victim);
      await animate(victim.firstChild, [{ transform: "none" }, { transform: "scale(0)", opacity: 0 }], { duration: 320, easing: "ease-in" });
      victim.remove();
    }
    if (this.#state !== state) return;
    const ends = [from, to].filter(Boolean);
    this.#layers.last.append(
      ...ends.map((cell) => svg("circle", { class: "last", cx: this.#x(cell), cy: this.#y(cell), r: 40 })),
    );
  }

  #drawBoard() {
    const { cells, rows, columns } = this.#board;
    const focused = document.activeElement?.dataset?.cell;
    const [width, height] = [columns * CELL + 2 * PAD, rows * CELL + 2 * PAD];
    const names = [...cells.keys()];
    const layer = (name) => (this.#layers[name] = svg("g", { class: name }));
    const square = (name) => {
      const { row, column } = cells.get(name);
      return svg("rect", { class: "square", x: PAD + column * CELL + 4, y: PAD + row * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 16 });
    };
    const letters = Array.from({ length: columns }, (_, at) =>
      svg("text", { class: "number", x: PAD + at * CELL + CELL / 2, y: height - 14 }, String.fromCharCode(97 + at)),
    );
    const numbers = Array.from({ length: rows }, (_, at) =>
      svg("text", { class: "number", x: PAD / 2, y: PAD + at * CELL + CELL / 2 + 9 }, String(rows - at)),
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
    return this.#state.moves.filter((move) => cells.every((cell, at) => cellsOf(move)[at] === cell));
  }

  #pick(cell) {
    if (!this.#annotations?.playable) return;
    const selected = [...this.#selected, cell];
    const moves = this.#movesFrom(selected);
    const complete = moves.find((move) => cellsOf(move).length === selected.length);
    if (complete && moves.length === 1) this.#play(complete);
    else if (moves.length) this.#select(selected);
    else this.#select(this.#movesFrom([cell]).length && cell !== this.#selected[0] ? [cell] : []);
  }

  #select(cells) {
    this.#selected = cells;
    this.#refresh();
  }

  #refresh() {
    const { playable, moveScores, pv, hint } = this.#annotations;
    const step = this.#selected.length;
    const best = new Map();
    for (const move of this.#movesFrom(this.#selected)) {
      const cell = cellsOf(move)[step];
      const score = moveScores.get(move);
      if (!cell) continue;
      const known = best.get(cell);
      if (!known || (score && strength(score) > strength(known))) best.set(cell, score ?? known ?? null);
    }
    const inDrop = this.#board.phase === "drop";
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
    this.#drawPv(step ? [] : pv);
  }

  #describe(name, captures) {
    const { side } = this.#board.cells.get(name);
    if (captures) return `Capture ${name}`;
    return side ? `Stone at ${name}` : `Empty cell ${name}`;
  }

  #score(name, score) {
    const attributes = { class: `score ${tone(score)}`, "data-score": name, x: this.#x(name), y: this.#y(name) + 45 };
    return svg("text", attributes, shortLabel(score), svg("title", {}, `${name}: ${longLabel(score)}`));
  }

  #hintRings(hint) {
    return hint
      ? cellsOf(hint).map((name) => svg("circle", { class: "hint-ring", "data-hint": name, cx: this.#x(name), cy: this.#y(name), r: 42 }))
      : [];
  }

  /** The principal variation: numbered rings for drops, arrows for moves. */
  #drawPv(pv) {
    const nodes = pv.slice(0, SHOWN_MOVES).flatMap((move, at) => {
      const [from, to, captured] = cellsOf(move);
      if (!from) return [];
      const end = to ?? from;
      const parts = badge(this.#x(end) + 27, this.#y(end) - 27, at + 1);
      if (to) parts.unshift(svg("path", { class: "arrow", d: this.#arrow(from, to) }));
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

  actions(state) {
    return state.moves.includes("pass") ? [{ move: "pass", label: "Pass" }] : [];
  }

  instruction(state) {
    const { cells, phase } = parse(state);
    if (phase !== "drop") return "move a stone; three in a row capture one";
    const mine = [...cells.values()].filter(({ side }) => side === state.side).length;
    const stones = Number(state.game.split(" ")[3]);
    return `drop a stone, ${stones - mine} in hand`;
  }
}
