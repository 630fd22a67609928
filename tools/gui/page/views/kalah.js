// Kalah: seeds travel one by one, captured ones to the store.

import { t } from "../i18n.js";
import { longLabel } from "../score.js";
import { sideName } from "../sides.js";
import { BoardView } from "./board-view.js";
import * as scene from "./kalah-scene.js";
import { pictureId } from "./pieces.js";
import { create, h } from "./scene.js";
import { badge, pill } from "./values.js";

/** The moves of the principal variation that are shown. */
const SHOWN_MOVES = 5;
/** Milliseconds from seed to seed, at most and for all together, and of the flight of one. */
const STEP = 130;
const SOWING = 1100;
const FLIGHT = 300;

export class Kalah extends BoardView {
  #id = pictureId();
  /** The seeds on the board, which are on their way during a move. */
  #pits = null;

  constructor(root, play) {
    super(root, play, "kalah");
  }

  reset(previous) {
    this.#pits = scene.pitsOf(this.landed ? this.state : previous);
  }

  get #layout() {
    const near = this.side ?? "p1";
    const houses = this.#pits.p1.length - 1;
    const upright = this.isTall;
    return this.memo("layout", [houses, near, upright], () => new scene.Layout(houses, near, upright));
  }

  get aspect() {
    const { width, height } = new scene.Layout(this.#pits.p1.length - 1, "p1", window.innerHeight > window.innerWidth);
    return width / height;
  }

  picture() {
    const layout = this.#layout;
    const { state, annotations } = this;
    const layer = (name, children, own) => h("g", { class: name, key: name, own }, children);
    const pits = JSON.stringify(this.#pits);
    const layers = [
      this.memo("board", [layout], () => layer("wood", scene.board(layout, this.#id))),
      this.memo("hint", [layout, state, annotations], () => layer("playable", this.#playable(layout))),
      this.memo("last", [layout, state, this.landed], () => layer("marks", this.landed ? scene.lastMove(layout, state) : [])),
      this.memo("seeds", [layout, pits], () => layer("seeds", scene.seeds(layout, this.#pits))),
      this.memo("counts", [layout, pits], () => layer("counts", scene.counts(layout, this.#pits))),
      layer("effects", [], true),
      this.memo("values", [layout, state, annotations], () => layer("values", [...this.#values(layout), ...this.#line(layout)])),
    ];
    return { box: [0, 0, layout.width, layout.height + 10], layers };
  }

  /** The legal moves with their pits. */
  #moves(layout) {
    return this.state.moves.map(({ move, from }) => ({ move, pit: layout.pit(from) }));
  }

  #playable(layout) {
    const { annotations: { playable, hint } } = this;
    return this.#moves(layout).flatMap(({ move, pit }) => {
      if (hint !== move && !playable) return [];
      const hinted = hint === move;
      return [scene.outline(layout, ...pit, 6, { key: move, "data-hint": hinted ? move : undefined, fill: "none", stroke: hinted ? "var(--accent)" : "var(--mark)", "stroke-width": hinted ? 12 : 4 })];
    });
  }

  #values(layout) {
    const { moveScores, best } = this.annotations;
    return this.#moves(layout).flatMap(({ move, pit }) => {
      if (!moveScores.has(move)) return [];
      const [x, y] = layout.beside(...pit, scene.RADIUS - 6, layout.upright ? 36 : 0);
      return [pill(move, moveScores.get(move), best.has(move), x, y, { size: 29, width: 74, height: 40 })];
    });
  }

  /** Numbers the houses of the principal variation, up to the end of the turn. */
  #line(layout) {
    const { line } = this.annotations;
    const end = line.findIndex(({ again }) => !again);
    return line.slice(0, Math.min(end < 0 ? line.length : end + 1, SHOWN_MOVES)).map(({ from }, at) => {
      const [x, y] = layout.centre(...layout.pit(from));
      return badge(`line ${at}`, x - 38, y - 38, at + 1);
    });
  }

  places() {
    const layout = this.#layout;
    const { state, annotations } = this;
    return this.memo("places", [layout, state, annotations, this.landed], () => this.#rows(layout));
  }

  /** The pits as rows, as they are seen. */
  #rows(layout) {
    const pits = scene.pitsOf(this.state);
    const indices = Array.from({ length: layout.houses }, (_, index) => index);
    const near = [null, ...indices.map((index) => this.#place(layout, pits, layout.near, index)), this.#place(layout, pits, layout.near, layout.houses)];
    const far = [this.#place(layout, pits, layout.far, layout.houses), ...indices.toReversed().map((index) => this.#place(layout, pits, layout.far, index)), null];
    if (!layout.upright) return [far, near];
    return near.map((place, at) => [place, far[at]]);
  }

  #place(layout, pits, side, index) {
    const { state, annotations: { playable, moveScores } } = this;
    const store = layout.isStore(index);
    const move = store || side !== state.side ? undefined : state.moves.find((one) => String(layout.pit(one.from)) === `${side},${index}`)?.move;
    const score = moveScores.get(move);
    const label = t(store ? "view.store" : "view.house", { side: sideName(side), house: String(index + 1), n: pits[side][index] });
    const [x, y] = layout.centre(side, index);
    const [width, height] = store ? (layout.upright ? [330, 110] : [110, 330]) : [116, 116];
    return {
      key: `${side} ${index}`,
      label,
      title: move === undefined ? undefined : score && longLabel(score),
      box: [(x - width / 2) / layout.width, (y - height / 2) / (layout.height + 10), width / layout.width, height / (layout.height + 10)],
      active: playable && move !== undefined,
      data: { "data-move": move },
      reads: store,
      class: "round",
    };
  }

  label() {
    return t("view.kalah", { near: sideName(this.#layout.near) });
  }

  activate(key) {
    if (!this.annotations.playable) return;
    const layout = this.#layout;
    const chosen = this.#moves(layout).find(({ pit }) => pit.join(" ") === key);
    if (chosen) this.play(chosen.move);
  }

  async animate() {
    const { state } = this;
    const { from, path } = state.last;
    const layout = this.#layout;
    const [side, house] = layout.pit(from);
    const step = Math.min(STEP, SOWING / path.length);
    const count = this.#pits[side][house];
    this.#pits[side][house] = 0;
    const flights = path.map((place, at) => this.#fly(layout, [side, house], at, count, layout.pit(place), at * step));
    this.drawNow();
    await Promise.all(flights);
    if (this.state === state) await this.#collect(layout, state);
  }

  /** The seeds that leave their houses at the end of a move: captured, or the rest of the game. */
  async #collect(layout, state) {
    const after = scene.pitsOf(state);
    const captured = new Set((state.last.removed ?? []).map((cell) => String(layout.pit(cell))));
    const leaving = layout.all.filter(([side, index]) => this.#pits[side][index] > after[side][index]);
    if (!leaving.length) return;
    await Promise.all(leaving.map((pit) => this.#flash(layout, pit)));
    const flights = leaving.flatMap(([side, index]) => {
      const count = this.#pits[side][index];
      const owner = captured.has(`${side},${index}`) ? state.last.side : side;
      this.#pits[side][index] = 0;
      return Array.from({ length: count }, (_, at) => this.#fly(layout, [side, index], at, count, [owner, layout.houses], at * 35));
    });
    this.drawNow();
    await Promise.all(flights);
  }

  async #flash(layout, pit) {
    const ring = scene.outline(layout, ...pit, 4, { fill: "none", stroke: "var(--spark)", "stroke-width": 12 });
    await this.motion.playOnce(this.effects.appendChild(create(this.effects, ring)), [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], { duration: 420 });
  }

  /** Moves a seed of one pit into another. */
  async #fly(layout, [side, house], at, count, [owner, index], delay) {
    const { effects } = this;
    const [x, y] = layout.seed(side, house, at % Math.max(count, 1), count);
    const landing = this.#pits[owner][index];
    const [right, down] = layout.seed(owner, index, landing, landing + 1);
    const seed = effects.appendChild(create(effects, scene.seed(side, house, at, count, false, { class: "seed flying" })));
    const place = (left, top, scale) => `translate(${left}px, ${top}px) scale(${scale})`;
    const landed = await this.motion.playOnce(
      seed,
      [
        { transform: place(x, y, 1), easing: "ease-out" },
        { transform: place((x + right) / 2, (y + down) / 2 - 46, 1.35), easing: "ease-in" },
        { transform: place(right, down, 1) },
      ],
      { duration: FLIGHT, delay },
    );
    if (!landed) return;
    this.#pits[owner][index] += 1;
    this.redraw();
  }

  instruction() {
    return t("view.kalah.instruction");
  }
}
