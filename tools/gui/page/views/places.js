// The places of a board, for keyboards, pointers and screen readers: a grid over the picture.

import { h } from "./scene.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const percent = (fraction) => `${+(100 * fraction).toFixed(3)}%`;

/**
 * One place is focusable, and stays so when the position changes. A place has
 *
 * - `key`: which place it is;
 * - `label`: what is there, and `title`: what is known about it, which may change at any rate;
 * - `box`: left, top, width and height as fractions of the picture;
 * - `active`: whether something happens if it is chosen, and `data`: attributes it has while it is;
 * - `reads`: whether it only tells what is there, and lets pointers through;
 * - `class`, optional.
 */
export class Places {
  #rows = [];
  #current = null;
  #activate;
  #attend;
  #drawn = new WeakMap();

  /** `activate(key)` is called when a place is chosen, `attend(key)` when one is pointed at or focused, or none. */
  constructor(root, activate, attend = () => {}) {
    this.#activate = activate;
    this.#attend = attend;
    const keyOf = (event) => event.target.closest(".place")?.dataset.place ?? null;
    root.addEventListener("click", (event) => keyOf(event) !== null && activate(keyOf(event)));
    root.addEventListener("keydown", (event) => this.#press(event, keyOf(event)));
    root.addEventListener("focusin", (event) => this.#focus(keyOf(event), event.target));
    root.addEventListener("focusout", () => attend(null));
    root.addEventListener("pointerover", (event) => event.pointerType !== "touch" && attend(keyOf(event)));
    root.addEventListener("pointerleave", () => attend(null));
  }

  /** The grid: its rows are lists of places, with `null` where there is none. */
  draw(rows, label) {
    this.#rows = rows;
    const places = rows.flat().filter(Boolean);
    const known = places.some(({ key }) => key === this.#current);
    if (!known) this.#current = (places.find(({ active }) => active) ?? places[0]).key;
    const columns = Math.max(...rows.map((row) => row.length));
    const attributes = { class: "places", role: "grid", "aria-label": label, "aria-rowcount": rows.length, "aria-colcount": columns };
    return h("div", { ...attributes, key: "places" }, rows.map((row, at) => this.#row(row, `row ${at}`)));
  }

  /** A row, which is the same description if it is the same list, and as focusable as before. */
  #row(row, key) {
    const current = row.some((place) => place?.key === this.#current) ? this.#current : null;
    const known = this.#drawn.get(row);
    if (known?.current === current) return known.row;
    const drawn = h("div", { role: "row", key }, row.map((place) => place && this.#cell(place)));
    this.#drawn.set(row, { current, row: drawn });
    return drawn;
  }

  #cell(place) {
    const { key, label, title, box: [x, y, width, height], active, data, reads } = place;
    const attributes = {
      key,
      class: place.class ? `place ${place.class}` : "place",
      "data-place": key,
      "aria-label": label,
      title,
      tabindex: key === this.#current ? 0 : -1,
      "--x": percent(x),
      "--y": percent(y),
      "--w": percent(width),
      "--h": percent(height),
    };
    if (reads) return h("div", { ...attributes, role: "gridcell" });
    const button = { ...attributes, type: "button", "aria-disabled": active ? undefined : "true" };
    return h("div", { role: "gridcell", key }, h("button", { ...button, ...(active ? data : {}) }));
  }

  #focus(key, node) {
    if (key === null) return;
    const grid = node.closest(".places");
    for (const other of grid.querySelectorAll(".place[tabindex='0']")) if (other !== node) other.tabIndex = -1;
    node.tabIndex = 0;
    this.#current = key;
    if (node.matches(":focus-visible")) this.#attend(key);
  }

  #press(event, key) {
    if (key === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      // Buttons are clicked by these keys anyway.
      event.stopPropagation();
      if (event.target.localName === "button") return;
      this.#activate(key);
    } else if (ARROWS[event.key]) this.#go(event.target, key, ARROWS[event.key]);
    else if (event.key === "Home" || event.key === "End") this.#goToEnd(event.target, key, event.key === "End");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #find(key) {
    const row = this.#rows.findIndex((places) => places.some((place) => place?.key === key));
    return [row, this.#rows[row]?.findIndex((place) => place?.key === key)];
  }

  #go(node, key, [down, right]) {
    let [row, column] = this.#find(key);
    do {
      row += down;
      column += right;
    } while (this.#rows[row]?.[column] === null);
    this.#focusOn(node, this.#rows[row]?.[column]);
  }

  #goToEnd(node, key, end) {
    const row = this.#rows[this.#find(key)[0]].filter(Boolean);
    this.#focusOn(node, row.at(end ? -1 : 0));
  }

  #focusOn(node, place) {
    if (place) node.closest(".places").querySelector(`[data-place="${place.key}"]`).focus();
  }
}
