// Wali: stones are dropped, then moved, then taken, all by clicking cells.

import { animate, svg } from "../dom.js";
import { longLabel, shortLabel, strength, tone } from "../score.js";

const CELL = 100;
const PAD = 44;
const STONES = 12;
const SHOWN_LINE = 2;
const MOVE = /^([a-z]\d+)(?:([a-z]\d+)(?:x([a-z]\d+))?)?$/;

/** The cells that a move names, in the order in which they are clicked. */
const clicks = (move) => (MOVE.exec(move)?.slice(1) ?? []).filter(Boolean);

/** The cells, each with the player whose stone lies there, and the phase. */
function read(state) {
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
  #marks = null;
  #chosen = [];
  #layers = {};

  constructor(root, play) {
    this.#root = root;
    this.#play = play;
    root.addEventListener("click", (event) => this.#pick(event.target.closest("[data-cell]")?.dataset.cell));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#chosen.length) return this.#choose([]);
      if (event.key !== "Enter" && event.key !== " ") return;
      const cell = event.target.closest("[data-cell]")?.dataset.cell;
      if (!cell) return;
      event.preventDefault();
      this.#pick(cell);
    });
  }

  #x = (name) => PAD + this.#board.cells.get(name).column * CELL + CELL / 2;
  #y = (name) => PAD + this.#board.cells.get(name).row * CELL + CELL / 2;

  async show(state, before, move) {
    this.#state = state;
    this.#board = read(state);
    this.#chosen = [];
    this.#lay();
    if (!move || !before) return;
    const [from, to, taken] = clicks(move);
    const stone = this.#layers.stones.querySelector(`[data-stone="${to ?? from}"]`);
    if (stone && to) {
      const away = `translate(${this.#x(from) - this.#x(to)}px,${this.#y(from) - this.#y(to)}px)`;
      await animate(stone.firstChild, [{ transform: away }, { transform: "none" }], { duration: 260, easing: "ease-in-out" });
    } else if (stone) {
      await animate(stone.firstChild, [{ transform: "scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 220, easing: "ease-out" });
    }
    if (taken) {
      const victim = this.#stone(taken, read(before).cells.get(taken).side);
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

  #lay() {
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
        layer("line"),
        layer("targets"),
        layer("values"),
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

  mark(marks) {
    this.#marks = marks;
    this.#refresh();
  }

  /** The legal moves that begin with the cells chosen so far. */
  #open() {
    return this.#state.moves.filter((move) => this.#chosen.every((cell, at) => clicks(move)[at] === cell));
  }

  #pick(cell) {
    if (!cell || !this.#marks?.playable) return;
    const chosen = [...this.#chosen, cell];
    const fits = this.#state.moves.filter((move) => chosen.every((name, at) => clicks(move)[at] === name));
    const whole = fits.find((move) => clicks(move).length === chosen.length);
    if (whole && fits.length === 1) this.#play(whole);
    else if (fits.length) this.#choose(chosen);
    else this.#choose(this.#state.moves.some((move) => clicks(move)[0] === cell) && cell !== this.#chosen[0] ? [cell] : []);
  }

  #choose(cells) {
    this.#chosen = cells;
    this.#refresh();
  }

  #refresh() {
    const { playable, worth, line, hint } = this.#marks;
    const step = this.#chosen.length;
    const best = new Map();
    for (const move of this.#open()) {
      const cell = clicks(move)[step];
      const score = worth.get(move);
      if (!cell) continue;
      const known = best.get(cell);
      if (!known || (score && strength(score) > strength(known))) best.set(cell, score ?? known ?? null);
    }
    const inDrop = this.#board.phase === "drop";
    const captures = step === 2;
    for (const zone of this.#layers.zones.children) {
      const name = zone.dataset.at;
      const active = playable && (best.has(name) || this.#chosen.includes(name));
      const labels = { role: "button", tabindex: 0, "data-cell": name, "aria-label": this.#describe(name, captures) };
      for (const [attribute, value] of Object.entries(labels)) {
        if (active) zone.setAttribute(attribute, value);
        else zone.removeAttribute(attribute);
      }
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
      ...this.#chosen.map((name) => svg("circle", { class: "chosen", cx: this.#x(name), cy: this.#y(name), r: 40 })),
      ...this.#hintRings(hint),
    );
    this.#layers.values.replaceChildren(
      ...[...best].flatMap(([name, score]) => (score ? [this.#value(name, score)] : [])),
    );
    this.#drawLine(step ? [] : line);
  }

  #describe(name, captures) {
    const { side } = this.#board.cells.get(name);
    if (captures) return `Take ${name}`;
    return side ? `Stone at ${name}` : `Empty cell ${name}`;
  }

  #value(name, score) {
    const attributes = { class: `value ${tone(score)}`, "data-value": name, x: this.#x(name), y: this.#y(name) + 45 };
    return svg("text", attributes, shortLabel(score), svg("title", {}, `${name}: ${longLabel(score)}`));
  }

  #hintRings(hint) {
    return hint
      ? clicks(hint).map((name) => svg("circle", { class: "hint-ring", "data-hint": name, cx: this.#x(name), cy: this.#y(name), r: 42 }))
      : [];
  }

  /** The expected line: numbered rings for drops, arrows for steps. */
  #drawLine(line) {
    const nodes = line.slice(0, SHOWN_LINE).flatMap((move, at) => {
      const [from, to, taken] = clicks(move);
      if (!from) return [];
      const end = to ?? from;
      const [x, y] = [this.#x(end) + 27, this.#y(end) - 27];
      const parts = [
        svg("circle", { class: "step", cx: x, cy: y, r: 15 }),
        svg("text", { class: "step-number", x, y: y + 7 }, String(at + 1)),
      ];
      if (to) parts.unshift(svg("path", { class: "arrow", d: this.#arrow(from, to) }));
      else parts.unshift(svg("circle", { class: "ghost-ring", cx: this.#x(end), cy: this.#y(end), r: 26 }));
      if (taken) parts.push(svg("circle", { class: "ghost-taken", cx: this.#x(taken), cy: this.#y(taken), r: 38 }));
      return parts;
    });
    this.#layers.line.replaceChildren(...nodes);
  }

  /** From the edge of a stone to the middle of the next cell, with a head. */
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

  remark(state) {
    const { cells, phase } = read(state);
    if (phase !== "drop") return "move a stone; three in a row take one";
    const mine = [...cells.values()].filter(({ side }) => side === state.side).length;
    return `drop a stone, ${STONES - mine} in hand`;
  }
}
