// What the views of all boards have in common: the box, the frame in which they draw, focus, animation.

import { Motion, isStill } from "./motion.js";
import { Places } from "./places.js";
import { create, h, patch } from "./scene.js";

/** The gap between the board and its bars, in pixels. */
const GAP = 6.4;
const NOTHING = { playable: false, moveScores: new Map(), best: new Set(), line: [], hint: null };

/**
 * A subclass defines
 *
 * - `picture()`: the `box` of the picture (left, top, width, height) and its `layers`;
 * - `places()`: the rows of places, see `Places`, whose keys `activate(key)` gets;
 * - `animate(previous)`: shows how the position came about;
 * - `bars()`: what stands before and after the board, optional;
 * - `label()`: what the board is called.
 */
export class BoardView {
  state = null;
  annotations = NOTHING;
  /** Whether the last move has been animated, so that its marks can be shown. */
  landed = true;
  /** The place that is pointed at, or focused, or null. */
  attended = null;
  motion = new Motion();
  play;
  #side = null;
  #isTall = null;
  node;
  #places;
  #frame = 0;
  #shows = 0;
  #memos = new Map();
  #resized;

  constructor(root, play, name) {
    this.play = play;
    this.node = create(root, h("div", { class: `view ${name}`, "data-board": "" }));
    root.replaceChildren(this.node);
    this.#places = new Places(this.node, (key) => this.activate(key), (key) => this.#attend(key));
    this.#resized = new ResizeObserver(([{ contentRect: { width, height } }]) => {
      this.#isTall = height > width;
      this.redraw();
    });
    this.#resized.observe(this.node);
  }

  async show(state, previous, move) {
    const turn = ++this.#shows;
    this.motion.cancel();
    this.effects?.replaceChildren();
    this.state = state;
    // Until the page says so again, nobody is to move: places that ignore a click must not look like others.
    this.annotations = { ...this.annotations, playable: false };
    this.landed = !move || !previous || isStill();
    this.reset(previous);
    this.#draw();
    if (this.landed) return;
    await this.animate(previous);
    if (turn !== this.#shows) return;
    this.landed = true;
    this.reset(previous);
    this.#draw();
    await this.celebrate();
  }

  /** Called before a position is drawn. */
  reset() {}

  /** Shows the end of the game, after the last move. */
  async celebrate() {}

  annotate(annotations) {
    this.annotations = annotations;
    this.redraw();
  }

  /** Draws in the next frame. */
  redraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  focus() {
    this.node.querySelector(".place[tabindex='0']")?.focus();
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#shows += 1;
    this.motion.cancel();
    this.#resized.disconnect();
    this.node.remove();
  }

  /** The moves without a place on the board, as `{ move, label }`. */
  actions() {
    return [];
  }

  /** The picture's element of this class or attribute. */
  find(selector) {
    return this.node.querySelector(selector);
  }

  /** The layer for what exists only during an animation. */
  get effects() {
    return this.find(".effects");
  }

  /** Whether the box is taller than wide. It is measured once; later, the observer says so. */
  get isTall() {
    this.#isTall ??= this.node.clientHeight > this.node.clientWidth;
    return this.#isTall;
  }

  /** The side of the person at the board, or null. */
  get side() {
    return this.#side;
  }

  set side(side) {
    this.#side = side;
    this.redraw();
  }

  /** Width over height of the box that the view would fill in this window. */
  get aspect() {
    const [, , width, height] = this.picture().box;
    const bars = [...this.node.querySelectorAll(".bar")].reduce((sum, bar) => sum + bar.offsetHeight + GAP, 0);
    const { innerWidth, innerHeight } = window;
    if (innerHeight > innerWidth) return innerWidth / ((innerWidth * height) / width + bars);
    return (width / height) * (1 - bars / innerHeight);
  }

  /** The result of `make`, which is called again only if one of these values has changed. */
  memo(name, values, make) {
    const known = this.#memos.get(name);
    if (known && known.values.every((value, at) => value === values[at])) return known.made;
    const made = make();
    this.#memos.set(name, { values, made });
    return made;
  }

  /** Draws at once. */
  drawNow() {
    this.#draw();
  }

  #attend(key) {
    if (this.attended === key) return;
    this.attended = key;
    this.redraw();
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.state) return;
    const { box, layers } = this.picture();
    const [, , width, height] = box;
    const [before = [], after = []] = this.bars?.() ?? [];
    const picture = h("svg", { key: "picture", viewBox: box.join(" "), "aria-hidden": "true" }, layers);
    const places = this.#places.draw(this.places(), this.label());
    const frame = h("div", { class: "frame", key: "frame", "--ratio": +(width / height).toFixed(5) }, picture, places);
    const stage = h("div", { class: "stage", key: "stage" }, frame);
    patch(this.node, [...bar("before", before), stage, ...bar("after", after)]);
  }
}

const bar = (name, content) => (content.length ? [h("div", { class: `bar ${name}`, key: name }, content)] : []);
