// The dialog for a new game. The engine lists the games and their parameters.

import { byId, el } from "../dom.js";
import { GameRecord } from "../game-record.js";
import { titleOf } from "../views/index.js";

export class NewGameDialog {
  #controller;
  #games;
  #chosen;

  constructor(controller, games) {
    this.#controller = controller;
    this.#games = games;
    const dialog = byId("new-game");
    byId("new").addEventListener("click", () => this.show());
    byId("start").addEventListener("click", (event) => {
      event.preventDefault();
      if (dialog.querySelector("form").reportValidity()) this.#start();
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  show() {
    const { name } = this.#controller.record;
    const option = (game) =>
      el(
        "label",
        { class: "choice" },
        el("input", { type: "radio", name: "game", value: game.name, checked: game.name === name, onchange: () => this.#choose(game) }),
        el("span", {}, titleOf(game.name)),
      );
    byId("game-list").replaceChildren(...this.#games.map(option));
    const current = this.#games.find((game) => game.name === name);
    this.#choose(current ?? this.#games[0], current ? this.#controller.record.game.split(" ").slice(1) : []);
    byId("new-error").textContent = "";
    byId("new-game").showModal();
  }

  /** Shows the parameters of a game, with `values` where they are given. */
  #choose(game, values = []) {
    this.#chosen = game;
    const field = ({ name, type, default: initial, min, max }, at) => {
      const input =
        type === "check"
          ? el("input", { type: "checkbox", name, checked: values.includes(name) })
          : el("input", { type: "number", name, min, max, value: values[at] ?? initial, required: true, inputmode: "numeric" });
      const limits = type === "check" ? [] : [el("small", { class: "muted" }, `${min} to ${max}`)];
      return el("label", { class: "parameter" }, el("span", {}, name), input, ...limits);
    };
    byId("parameters").replaceChildren(...game.parameters.map(field));
  }

  async #start() {
    const inputs = [...byId("parameters").querySelectorAll("input")];
    const values = inputs.flatMap((input) => (input.type !== "checkbox" ? [input.value] : input.checked ? [input.name] : []));
    try {
      await this.#controller.open(new GameRecord([this.#chosen.name, ...values].join(" ")));
      byId("new-game").close();
    } catch (error) {
      byId("new-error").textContent = error.message;
    }
  }
}
