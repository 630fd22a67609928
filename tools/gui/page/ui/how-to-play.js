// The rules of each game, in pictures.

import { byId, closeOnBackdrop, dialogHead, el, icon } from "../dom.js";
import { gameTitle } from "../games.js";
import { t } from "../i18n.js";
import { gridPicture, pitsPicture } from "../views/pictures.js";
import { choices } from "./choices.js";

const PICTURES = {
  connect4: [
    () => gridPicture([".....", "..a..", "..2..", ".112."], { arrow: [[0, 2], [1, 2]] }),
    () => gridPicture(["...1.", "..12.", ".122.", "12211"], { line: [[3, 0], [0, 3]] }),
    () => gridPicture(["21212", "12121", "12121", "21212"]),
  ],
  boom: [
    () => gridPicture([".....", ".....", ".b.b.", ".1211"], { ring: [[2, 1], [2, 3]] }),
    () => gridPicture([".....", "..4..", "..2..", ".1211"], { ring: [[1, 2]] }),
    () => gridPicture(["1....", "1....", "24.22", "12121"], { cross: [[2, 0], [2, 1], [2, 3], [2, 4]] }),
    () => gridPicture([".....", ".....", ".2...", "24222"], { line: [[3, 0], [3, 0]] }),
  ],
  wali: [
    () => gridPicture(["1...2", ".....", "..a..", "2...1"], { wood: true, ring: [[2, 2]] }),
    () => gridPicture(["1.2..", ".1...", ".....", "2..1."], { wood: true, arrow: [[1, 1], [1, 2]] }),
    () => gridPicture(["..2..", "1.1.2", ".1...", "....2"], { wood: true, arrow: [[2, 1], [1, 1]], cross: [[3, 4]] }),
    () => gridPicture(["1....", ".1.1.", "...1.", ".1..."], { wood: true }),
  ],
  kalah: [
    () => pitsPicture([4, 4, 4, 4], [0, 5, 5, 5], [0, 1], { marked: ["l1", "l2", "l3"], store: true }),
    () => pitsPicture([4, 4, 4, 4], [0, 5, 5, 5], [0, 1], { store: true }),
    () => pitsPicture([4, 4, 6, 4], [5, 0, 1, 5], [1, 2], { marked: ["l2", "u2"], store: true }),
    () => pitsPicture([0, 0, 0, 0], [0, 1, 0, 2], [14, 15]),
  ],
};

export class HowToPlay {
  #dialog = byId("how-dialog");
  #list = el("ol", { class: "how" });
  #choice = el("div");

  /** `current` tells the name of the game on the board, `showKeys` opens the list of keys. */
  constructor(current, showKeys) {
    const keys = el("button", { onclick: showKeys }, icon("keys"), t("keys.title"));
    this.#dialog.append(
      dialogHead(this.#dialog, t("how.title"), t("button.close")),
      el("div", { class: "dialog-body" }, this.#choice, this.#list, el("div", { class: "buttons end" }, keys)),
    );
    closeOnBackdrop(this.#dialog);
    byId("help").addEventListener("click", () => this.show(current()));
  }

  show(name) {
    const game = PICTURES[name] ? name : "connect4";
    const items = Object.keys(PICTURES).map((value) => ({ value, label: gameTitle(value) }));
    this.#choice.replaceChildren(choices({ group: "how", title: t("start.game"), items, value: game, onChange: (value) => this.#draw(value) }));
    this.#draw(game);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #draw(game) {
    const steps = PICTURES[game].map((picture, at) => el("li", {}, picture(), el("p", {}, t(`how.${game}.${at + 1}`))));
    this.#list.replaceChildren(...steps);
  }
}
