// Enlarges the board where the screen is too small for its cells: by buttons, or with two fingers.

import { byId } from "../dom.js";

/** The steps of the buttons, and the size of a place below which they are shown, in pixels. */
const STEP = 1.5;
const MAX = 5;
const SMALL = 34;

export class Zoom {
  #root;
  #game = "";
  #scale = 1;
  /** The fingers on the board, by pointer. */
  #fingers = new Map();
  #pinch = null;

  constructor(root) {
    this.#root = root;
    byId("zoom-in").addEventListener("click", () => this.#set(this.#scale * STEP));
    byId("zoom-out").addEventListener("click", () => this.#set(this.#scale / STEP));
    root.addEventListener("pointerdown", (event) => this.#track(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) {
      root.addEventListener(type, (event) => this.#release(event));
    }
    new ResizeObserver(() => this.#offer()).observe(root);
  }

  /** Shows the whole board of another game. */
  reset(game) {
    if (this.#game === game) return this.#offer();
    this.#game = game;
    this.#set(1);
  }

  /** Offers the buttons where they are needed. */
  #offer() {
    const widths = [...this.#root.querySelectorAll(".place")].map((place) => place.getBoundingClientRect().width);
    byId("zoom").hidden = this.#scale === 1 && Math.min(...widths) >= SMALL;
  }

  #set(scale, x = 0.5, y = 0.5) {
    const root = this.#root;
    const next = Math.min(MAX, Math.max(1, scale));
    const factor = next / this.#scale;
    const [left, top] = [root.scrollLeft + x * root.clientWidth, root.scrollTop + y * root.clientHeight];
    this.#scale = next;
    root.style.setProperty("--zoom", next);
    root.scrollLeft = left * factor - x * root.clientWidth;
    root.scrollTop = top * factor - y * root.clientHeight;
    byId("zoom-out").disabled = next === 1;
    byId("zoom-in").disabled = next === MAX;
    this.#offer();
  }

  #track({ pointerId, pointerType, clientX, clientY }) {
    if (pointerType !== "touch") return;
    this.#fingers.set(pointerId, [clientX, clientY]);
    if (this.#fingers.size === 2) this.#pinch = { distance: this.#distance(), scale: this.#scale };
  }

  #move({ pointerId, clientX, clientY }) {
    if (!this.#fingers.has(pointerId)) return;
    this.#fingers.set(pointerId, [clientX, clientY]);
    if (!this.#pinch || this.#fingers.size !== 2) return;
    const { left, top, width, height } = this.#root.getBoundingClientRect();
    const [[x, y], [otherX, otherY]] = this.#fingers.values();
    const middle = [((x + otherX) / 2 - left) / width, ((y + otherY) / 2 - top) / height];
    this.#set((this.#pinch.scale * this.#distance()) / this.#pinch.distance, ...middle);
  }

  #release({ pointerId }) {
    this.#fingers.delete(pointerId);
    if (this.#fingers.size < 2) this.#pinch = null;
  }

  #distance() {
    const [[x, y], [otherX, otherY]] = this.#fingers.values();
    return Math.max(1, Math.hypot(x - otherX, y - otherY));
  }
}
