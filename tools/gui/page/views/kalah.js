// Kalah: houses with countable seeds, and sowing animated seed by seed.

import { badge, onActivate, sleep, svg, toggleButton } from "../dom.js";
import { longLabel, tone } from "../score.js";
import { SIDES } from "../sides.js";

const PITCH = 120;
const RADIUS = 50;
const STORE = 130;
const TOP = 120;
const BOTTOM = 290;
const HEIGHT = 410;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const SHADES = 5;
/** The moves of the principal variation that are shown. */
const SHOWN_MOVES = 5;

/** The seeds in each side's houses, then in its store. */
function pitsOf({ board: { rows: [upper, lower], stores } }) {
  return { p1: [...lower, stores.p1], p2: [...upper.toReversed(), stores.p2] };
}

export class Kalah {
  static title = "Kalah";
  #root;
  #state = null;
  #pits = null;
  #houses = 0;
  #layers = {};

  constructor(root, play) {
    this.#root = root;
    onActivate(root, "move", play);
  }

  #x(side, index) {
    const width = 2 * STORE + this.#houses * PITCH;
    if (index === this.#houses) return side === "p1" ? width - STORE / 2 - 8 : STORE / 2 + 8;
    const place = side === "p1" ? index : this.#houses - 1 - index;
    return STORE + place * PITCH + PITCH / 2;
  }

  #y(side, index) {
    if (index === this.#houses) return HEIGHT / 2;
    return side === "p1" ? BOTTOM : TOP;
  }

  /** A place of the protocol, a house or a side's store, as `[side, index]`; the last index is the store. */
  #pit = (place) => {
    if (typeof place === "string") return [place, this.#houses];
    const [row, column] = place;
    return row === 1 ? ["p1", column] : ["p2", this.#houses - 1 - column];
  };

  async show(state, previous, move) {
    this.#state = state;
    const after = pitsOf(state);
    if (this.#houses !== after.p1.length - 1) this.#drawBoard(after.p1.length - 1);
    this.#layers.pv.replaceChildren();
    if (move && previous) await this.#sow(pitsOf(previous), state);
    if (this.#state !== state) return;
    const changed = move && this.#pits ? this.#changedPits(this.#pits, after) : [];
    this.#draw(after);
    for (const [side, index] of changed) this.#flash(side, index);
    if (changed.length) await sleep(250);
  }

  #changedPits(pits, after) {
    return SIDES.flatMap((side) =>
      after[side].flatMap((count, index) => (count === pits[side][index] ? [] : [[side, index]])),
    );
  }

  /** Sows the seeds of the last move one by one. */
  async #sow(pits, state) {
    const { from, path } = state.last;
    const [side, house] = this.#pit(from);
    const delay = Math.max(45, Math.min(190, 1500 / path.length));
    pits[side][house] = 0;
    this.#draw(pits);
    this.#flash(side, house);
    for (const [at, index] of path.map(this.#pit)) {
      if (document.hidden) break;
      await sleep(delay);
      if (this.#state !== state) return;
      pits[at][index] += 1;
      this.#draw(pits);
      this.#flash(at, index);
    }
    await sleep(delay);
  }

  #drawBoard(houses) {
    this.#houses = houses;
    const width = 2 * STORE + houses * PITCH;
    const layer = (name) => (this.#layers[name] = svg("g", { class: name }));
    const pit = (side, index) =>
      index === houses
        ? svg("rect", { class: `pit store ${side}`, x: this.#x(side, index) - 46, y: 64, width: 92, height: HEIGHT - 128, rx: 46 })
        : svg("circle", { class: `pit ${side}`, cx: this.#x(side, index), cy: this.#y(side, index), r: RADIUS });
    const indices = Array.from({ length: houses + 1 }, (_, index) => index);
    const all = SIDES.flatMap((side) => indices.map((index) => [side, index]));
    const zones = all.filter(([, index]) => index < houses).map(([side, index]) =>
      svg("circle", { class: "zone", cx: this.#x(side, index), cy: this.#y(side, index), r: RADIUS + 6, "data-house": `${side} ${index}` }),
    );
    this.#root.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${HEIGHT}`, class: "board kalah", "data-board": "", "data-size": houses > 8 ? "large" : "normal" },
        svg("rect", { class: "wood", x: 3, y: 3, width: width - 6, height: HEIGHT - 6, rx: 60 }),
        ...all.map(([side, index]) => pit(side, index)),
        layer("seeds"),
        layer("glow"),
        layer("counts"),
        layer("pv"),
        layer("scores"),
        svg("g", { class: "zones" }, ...zones),
      ),
    );
  }

  #draw(pits) {
    this.#pits = pits;
    const seeds = [];
    const counts = [];
    for (const side of SIDES) {
      pits[side].forEach((count, index) => {
        const [x, y] = [this.#x(side, index), this.#y(side, index)];
        const isStore = index === this.#houses;
        for (let at = 0; at < count; at += 1) seeds.push(this.#seed(x, y, at, count, isStore, side, index));
        const low = isStore ? HEIGHT - 24 : side === "p1" ? y + RADIUS + 32 : y - RADIUS - 14;
        const attributes = { class: isStore ? "count total" : "count", x, y: low, "data-count": `${side} ${index + 1}` };
        counts.push(svg("text", attributes, String(count)));
      });
    }
    this.#layers.seeds.replaceChildren(...seeds);
    this.#layers.counts.replaceChildren(...counts);
  }

  /** A seed of a pit: they lie in a sunflower spiral, the closer the more there are. */
  #seed(x, y, at, count, isStore, side, index) {
    const room = isStore ? 34 : RADIUS - 13;
    const distance = count === 1 ? 0 : room * Math.sqrt((at + 0.5) / Math.max(count, 5));
    const angle = at * GOLDEN_ANGLE + index * 1.7 + (side === "p1" ? 0 : 2);
    const stretch = isStore ? 2.9 : 1;
    const r = count > 30 && !isStore ? 6 : 9.5;
    return svg("circle", {
      class: `seed shade${(at * 7 + index * 3) % SHADES}`,
      cx: x + distance * Math.cos(angle),
      cy: y + distance * Math.sin(angle) * stretch,
      r,
    });
  }

  #flash(side, index) {
    const [cx, cy] = [this.#x(side, index), this.#y(side, index)];
    const isStore = index === this.#houses;
    const ring = isStore
      ? svg("rect", { class: "flash", x: cx - 46, y: 64, width: 92, height: HEIGHT - 128, rx: 46 })
      : svg("circle", { class: "flash", cx, cy, r: RADIUS });
    this.#layers.glow.append(ring);
    setTimeout(() => ring.remove(), 450);
  }

  annotate({ playable, moveScores, line, hint }) {
    const { side } = this.#state;
    const legal = new Set(this.#state.moves.map(({ move }) => move));
    const pits = pitsOf(this.#state);
    for (const zone of this.#root.querySelectorAll("[data-house]")) {
      const [owner, index] = zone.dataset.house.split(" ");
      const move = String(Number(index) + 1);
      const active = playable && owner === side && legal.has(move);
      const count = pits[owner][index];
      zone.classList.toggle("hint", hint === move && owner === side);
      toggleButton(zone, active, { "data-move": move, "aria-label": `House ${move}, ${count} seeds` });
      if (hint === move && owner === side) zone.setAttribute("data-hint", move);
      else zone.removeAttribute("data-hint");
    }
    this.#layers.scores.replaceChildren(
      ...[...moveScores].map(([move, score]) => {
        const [x, y] = [this.#x(side, Number(move) - 1), side === "p1" ? BOTTOM - RADIUS - 12 : TOP + RADIUS + 28];
        return svg("text", { class: `score ${tone(score)}`, x, y, "data-score": move }, this.#label(score), svg("title", {}, longLabel(score)));
      }),
    );
    this.#drawLine(line);
  }

  #label(score) {
    return score.kind === "margin" ? longLabel(score).replace("wins by ", "+").replace("loses by ", "−") : longLabel(score);
  }

  /** Numbers the houses of the principal variation, up to the end of the turn. */
  #drawLine(line) {
    const end = line.findIndex(({ again }) => !again);
    const turn = line.slice(0, Math.min(end < 0 ? line.length : end + 1, SHOWN_MOVES));
    const nodes = turn.flatMap(({ from }, at) => {
      const [side, house] = this.#pit(from);
      return badge(this.#x(side, house) - 34, this.#y(side, house) - 34, at + 1);
    });
    this.#layers.pv.replaceChildren(...nodes);
  }

  actions() {
    return [];
  }

  instruction() {
    return "sow a house; a last seed in the store gives another turn";
  }
}
