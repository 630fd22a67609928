// The two players: a person, or an engine and its settings.

import { byId, el } from "../dom.js";
import { sideName, SIDES } from "../sides.js";

const TIMES = [0.1, 0.3, 0.5, 1, 2, 3, 5, 10, 30, 60];
const PERSON = "person";

export class PlayersPanel {
  #controller;
  #connection;
  #drawn = {};

  constructor(controller, _analysis, connection) {
    this.#controller = controller;
    this.#connection = connection;
    controller.addEventListener("change", () => SIDES.forEach((side) => this.#update(side)));
  }

  async #update(side) {
    const controller = this.#controller;
    const root = byId(`player-${side}`);
    root.classList.toggle("active", !controller.over && controller.state?.side === side);
    root.classList.toggle("winner", controller.result === `${side}win`);
    root.classList.toggle("thinking", controller.thinking === side);
    const player = controller.players[side];
    const wanted = JSON.stringify([player, controller.record.game]);
    if (this.#drawn[side] === wanted) return;
    this.#drawn[side] = wanted;
    this.#draw(side, root, player, null);
    if (player.kind === PERSON) return;
    // The settings depend on the engine's options.
    const options = await controller.options(side).catch(() => new Map());
    if (this.#drawn[side] !== wanted) return;
    const strategies = options.get("Strategy")?.values ?? [];
    if (strategies.length && !strategies.includes(player.strategy)) return controller.setPlayer(side, { strategy: "full" });
    this.#draw(side, root, player, options);
  }

  #draw(side, root, player, options) {
    const change = (changes) => this.#controller.setPlayer(side, changes);
    const focused = root.contains(document.activeElement) ? document.activeElement.name : null;
    const engines = this.#connection.engines.map((name, index) => [String(index), `Engine: ${name}`]);
    const kind = this.#select(side, "player", [[PERSON, "Person"], ...engines], player.kind === PERSON ? PERSON : String(player.engine), (value) =>
      change(value === PERSON ? { kind: PERSON } : { kind: "engine", engine: Number(value) }),
    );
    const parts = [el("span", { class: `disc ${side}` }), el("b", {}, sideName(side)), kind];
    if (player.kind !== PERSON) {
      const strategies = options?.get("Strategy")?.values ?? [];
      if (strategies.length) {
        parts.push(this.#select(side, "strategy", strategies.map((name) => [name, name]), player.strategy, (strategy) => change({ strategy })));
      }
      const level = options?.get("Level");
      if (level && player.strategy === "full") {
        const levels = Array.from({ length: level.max - level.min + 1 }, (_, at) => String(level.min + at));
        parts.push(this.#select(side, "level", levels.map((value) => [value, `level ${value}`]), String(player.level), (value) => change({ level: Number(value) })));
      }
      parts.push(this.#select(side, "seconds", TIMES.map((time) => [String(time), `${time} s`]), String(player.seconds), (value) => change({ seconds: Number(value) })));
    }
    parts.push(el("span", { class: "spinner", "aria-hidden": "true" }));
    root.replaceChildren(...parts);
    if (focused) root.querySelector(`[name="${focused}"]`)?.focus();
  }

  #select(side, name, choices, value, onChange) {
    const label = `${sideName(side)}: ${name}`;
    const options = choices.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
    const attributes = { name, "aria-label": label, title: label, "data-player": `${side}-${name}` };
    return el("select", { ...attributes, onchange: (event) => onChange(event.target.value) }, ...options);
  }
}
