// The list of moves. A click goes there.

import { byId, el } from "../dom.js";

export class MovesPanel {
  #table;
  #drawn = "";

  constructor(table) {
    this.#table = table;
    table.addEventListener("change", () => this.#update());
  }

  #update() {
    const { record } = this.#table;
    const wanted = record.key(record.moves.length);
    if (this.#drawn !== wanted) {
      this.#drawn = wanted;
      const items = ["start", ...record.moves].map((move, ply) =>
        el("li", { "data-ply": ply }, el("button", { onclick: () => this.#table.goTo(ply) }, move)),
      );
      byId("moves").replaceChildren(...items);
    }
    byId("move-count").textContent = `${record.ply} of ${record.moves.length}`;
    for (const item of byId("moves").children) {
      const isHere = Number(item.dataset.ply) === record.ply;
      item.classList.toggle("here", isHere);
      if (isHere) {
        const list = byId("moves");
        list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
  }
}
