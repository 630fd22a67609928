// Conecta-4 BOOM: falling pieces, bombs and explosions.

import { t } from "../i18n.js";
import { GravityView } from "./gravity.js";
import { explode } from "./explosion.js";
import { discPicture } from "./pieces.js";
import { h } from "./scene.js";

const MOVES_PER_TURN = 2;

export class Boom extends GravityView {
  constructor(root, play) {
    super(root, play, "gravity boom");
  }

  async animate(previous) {
    const { last } = this.state;
    if (last.to) return super.animate(previous);
    const landings = explode({ effects: this.effects, shaken: this.find(".frame"), motion: this.motion, last, previous });
    await Promise.all([...landings, ...(last.falls ?? []).map(([from, to]) => this.fall(to, to[0] - from[0], 520))]);
  }

  bars() {
    return [[this.#turn()]];
  }

  /** Whose turn it is, and a piece for each move left in it; the next one may be a bomb. */
  #turn() {
    const { state: { board, moves, result, side } } = this;
    if (result !== "none") return h("span", { class: "turn", key: "turn" });
    const bomb = moves.some((move) => move.bomb);
    const used = MOVES_PER_TURN - board.moves_left;
    const pips = Array.from({ length: MOVES_PER_TURN }, (_, at) =>
      h("span", { class: at < used ? "pip used" : "pip", key: `pip ${at}` }, discPicture(side, bomb && at === used)),
    );
    return h("span", { class: "turn", key: "turn", role: "img", "aria-label": this.instruction(this.state), title: this.instruction(this.state) }, pips, h("b", { key: "left" }, t("view.left", { n: board.moves_left })));
  }

  actions({ moves }) {
    return moves.some(({ move }) => move === "boom") ? [{ move: "boom", label: t("view.boom") }] : [];
  }

  instruction({ board, moves }) {
    const bomb = moves.some((move) => move.bomb) ? ` ${t("view.boom.next")}` : "";
    return t("view.boom.left", { n: board.moves_left }) + bomb;
  }
}
