// The move list. A click goes to that position.

import { byId, el } from "../dom.js";

export class MovesPanel {
  #controller;
  #drawn = "";

  constructor(controller) {
    this.#controller = controller;
    controller.addEventListener("change", () => this.#update());
  }

  #update() {
    const { record } = this.#controller;
    const wanted = record.key(record.moves.length);
    if (this.#drawn !== wanted) {
      this.#drawn = wanted;
      const items = ["start", ...record.moves].map((move, ply) =>
        el("li", { "data-ply": ply }, el("button", { onclick: () => this.#controller.goTo(ply) }, move)),
      );
      byId("moves").replaceChildren(...items);
    }
    byId("move-count").textContent = `${record.ply} of ${record.moves.length}`;
    for (const item of byId("moves").children) {
      const isCurrent = Number(item.dataset.ply) === record.ply;
      item.classList.toggle("current", isCurrent);
      if (isCurrent) {
        const list = byId("moves");
        list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
  }
}
