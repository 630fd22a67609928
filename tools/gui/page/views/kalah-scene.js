// Kalah as a picture: a wooden board with houses and stores, and every seed.

import { opponent, SIDES } from "../sides.js";
import { h } from "./scene.js";
import { plank } from "./wood.js";

const PITCH = 124;
export const RADIUS = 53;
const STORE = 150;
const STORE_WIDTH = 98;
const ROWS = [134, 356];
const HEIGHT = 490;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const SHADES = 5;

/** The seeds in each side's houses, then in its store. */
export function pitsOf({ board: { rows: [upper, lower], stores } }) {
  return { p1: [...lower, stores.p1], p2: [...upper.toReversed(), stores.p2] };
}

/**
 * Where everything is. The houses of `near` are the lower row, sown to the right; on an upright board
 * they are the left column, sown downwards.
 */
export class Layout {
  constructor(houses, near, upright) {
    Object.assign(this, { houses, near, upright, far: opponent(near) });
    this.long = 2 * STORE + houses * PITCH;
  }

  get width() {
    return this.upright ? HEIGHT : this.long;
  }

  get height() {
    return this.upright ? this.long : HEIGHT;
  }

  /** A point of the lying board, on this one. */
  point(along, across) {
    return this.upright ? [HEIGHT - across, along] : [along, across];
  }

  isStore = (index) => index === this.houses;

  /** The centre of a pit. */
  centre(side, index) {
    const near = side === this.near;
    if (this.isStore(index)) return this.point(near ? this.long - STORE / 2 - 6 : STORE / 2 + 6, HEIGHT / 2);
    const place = near ? index : this.houses - 1 - index;
    return this.point(STORE + place * PITCH + PITCH / 2, ROWS[near ? 1 : 0]);
  }

  /** A point beside a house: `distance` from its centre towards the edge of the board, or the middle. */
  beside(side, index, distance, aside = 0) {
    const [x, y] = this.centre(side, index);
    const outward = side === this.near ? distance : -distance;
    return this.upright ? [x - outward, y + aside] : [x + aside, y + outward];
  }

  /** The pit of a place of the protocol, which is a cell or a side's store: `[side, index]`. */
  pit = (place) => {
    if (typeof place === "string") return [place, this.houses];
    const [row, column] = place;
    return row === 1 ? ["p1", column] : ["p2", this.houses - 1 - column];
  };

  /** Where a seed of a pit lies: in a spiral, the closer the more there are. */
  seed(side, index, at, count) {
    const [x, y] = this.centre(side, index);
    const store = this.isStore(index);
    const room = store ? STORE_WIDTH / 2 - 17 : RADIUS - 16;
    const crowd = Math.max(count, store ? 12 : 7);
    const distance = room * Math.sqrt((at + 0.35) / crowd);
    const angle = at * GOLDEN_ANGLE + index * 1.7 + (side === "p1" ? 0 : 2);
    const stretch = store ? 2.7 : 1;
    const [along, across] = [distance * Math.cos(angle), distance * Math.sin(angle)];
    return this.upright ? [x + along * stretch, y + across] : [x + along, y + across * stretch];
  }

  get all() {
    return SIDES.flatMap((side) => Array.from({ length: this.houses + 1 }, (_, index) => [side, index]));
  }
}

/** The outline of a pit. */
export function outline(layout, side, index, margin, attributes) {
  const [x, y] = layout.centre(side, index);
  if (!layout.isStore(index)) return h("circle", { cx: x, cy: y, r: RADIUS + margin, ...attributes });
  const [thin, long] = [STORE_WIDTH + 2 * margin, HEIGHT - 150 + 2 * margin];
  const [width, height] = layout.upright ? [long, thin] : [thin, long];
  return h("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: thin / 2, ...attributes });
}

/** The board: pits and numbers; stores and rims have the colour of their side. */
export function board(layout, id) {
  const pit = ([side, index]) => [
    outline(layout, side, index, 7, { fill: `var(--${side})`, stroke: `var(--${side}-dark)`, "stroke-width": 2 }),
    outline(layout, side, index, 1, { fill: "var(--hollow-edge)" }),
    h("g", { transform: "translate(0 3)" }, outline(layout, side, index, -3, { fill: "var(--hollow)" })),
  ];
  const number = ([side, index]) => {
    const [x, y] = layout.beside(side, index, RADIUS + 32);
    return text(x, y, 25, index + 1, { fill: "var(--wood-text)", opacity: 0.85 });
  };
  const houses = layout.all.filter(([, index]) => !layout.isStore(index));
  return [...plank(id, layout.width, layout.height, 70), layout.all.map(pit), houses.map(number)];
}

const text = (x, y, size, content, attributes) => h("text", { x, y: y + size * 0.35, "font-size": size, "font-weight": 700, "text-anchor": "middle", ...attributes }, content);

const shade = (side, index, at) => (at * 7 + index * 3 + (side === "p1" ? 0 : 1)) % SHADES;
const seedSize = (store, count) => (count > 60 ? 7 : count > 26 && !store ? 8 : 11);

/** A seed around the origin. */
export const seed = (side, index, at, count, store, attributes) => {
  const r = seedSize(store, count);
  return h(
    "g",
    attributes,
    h("circle", { r, fill: `var(--seed${shade(side, index, at)})`, stroke: "var(--seed-edge)", "stroke-width": 1.8 }),
    h("circle", { r: r * 0.28, cx: -r * 0.32, cy: -r * 0.36, fill: "var(--seed-shine)", opacity: 0.85 }),
  );
};

/** The seeds of all pits. */
export function seeds(layout, pits) {
  return layout.all.flatMap(([side, index]) =>
    Array.from({ length: pits[side][index] }, (_, at) => {
      const count = pits[side][index];
      const [x, y] = layout.seed(side, index, at, count);
      return seed(side, index, at, count, layout.isStore(index), { key: `${side} ${index} ${at}`, class: "seed", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    }),
  );
}

/** How many seeds there are in each pit. */
export function counts(layout, pits) {
  return layout.all.map(([side, index]) => {
    const store = layout.isStore(index);
    const [x, y] = store ? storeCount(layout, side) : layout.beside(side, index, -(RADIUS + 28));
    const pit = { key: `${side} ${index}`, "data-count": `${side} ${index + 1}` };
    return text(x, y, store ? 44 : 32, pits[side][index], { ...pit, fill: "var(--wood-text)", class: store ? "count total" : "count" });
  });
}

function storeCount(layout, side) {
  const near = side === layout.near;
  return layout.point(near ? layout.long - STORE / 2 - 6 : STORE / 2 + 6, near ? HEIGHT - 38 : 38);
}

/** What the last move emptied, and where its last seed fell. */
export function lastMove(layout, { last }) {
  if (!last?.from) return [];
  const line = { fill: "none", stroke: "var(--mark)", "stroke-width": 4.5 };
  const from = layout.pit(last.from);
  const end = layout.pit(last.path.at(-1));
  const around = (pit, attributes) => [
    outline(layout, ...pit, -4, { ...line, stroke: "var(--mark-edge)", "stroke-width": 8 }),
    outline(layout, ...pit, -4, { ...line, ...attributes }),
  ];
  return [
    h("g", { key: "from", "data-last": last.move, class: "last" }, around(from, { "stroke-dasharray": "14 12" })),
    h("g", { key: "end", class: "last end" }, around(end, {})),
  ];
}

/** The whole picture of a position, for export. */
export function drawing(state, id, near = "p1") {
  const pits = pitsOf(state);
  const layout = new Layout(pits.p1.length - 1, near, false);
  const layers = [board(layout, id), lastMove(layout, state), seeds(layout, pits), counts(layout, pits)].flat(2);
  return { box: [0, 0, layout.width, layout.height + 10], layers };
}
