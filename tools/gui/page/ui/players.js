// The two seats: who sits there, and how an engine plays.

import { byId, el } from "../dom.js";
import { SIDES } from "../sides.js";
import { nameOf } from "./names.js";

const TIMES = [0.1, 0.3, 0.5, 1, 2, 3, 5, 10, 30, 60];
const PERSON = "person";

export class PlayersPanel {
  #table;
  #link;
  #drawn = {};

  constructor(table, _analysis, link) {
    this.#table = table;
    this.#link = link;
    table.addEventListener("change", () => SIDES.forEach((side) => this.#update(side)));
  }

  async #update(side) {
    const table = this.#table;
    const root = byId(`player-${side}`);
    root.classList.toggle("active", !table.over && table.state?.side === side);
    root.classList.toggle("winner", table.result === `${side}win`);
    root.classList.toggle("thinking", table.thinking === side);
    const seat = table.seats[side];
    const wanted = JSON.stringify([seat, table.record.words]);
    if (this.#drawn[side] === wanted) return;
    this.#drawn[side] = wanted;
    this.#draw(side, root, seat, null);
    if (seat.kind === PERSON) return;
    // The engine itself tells what can be chosen.
    const options = await table.options(side).catch(() => new Map());
    if (this.#drawn[side] !== wanted) return;
    const choices = options.get("Strategy")?.choices ?? [];
    if (choices.length && !choices.includes(seat.strategy)) return table.seat(side, { strategy: "full" });
    this.#draw(side, root, seat, options);
  }

  #draw(side, root, seat, options) {
    const change = (changes) => this.#table.seat(side, changes);
    const focused = root.contains(document.activeElement) ? document.activeElement.name : null;
    const engines = this.#link.engines.map((name, index) => [String(index), `Engine: ${name}`]);
    const who = this.#select(side, "who", [[PERSON, "Person"], ...engines], seat.kind === PERSON ? PERSON : String(seat.engine), (value) =>
      change(value === PERSON ? { kind: PERSON } : { kind: "engine", engine: Number(value) }),
    );
    const parts = [el("span", { class: `token ${side}` }), el("b", {}, nameOf(side)), who];
    if (seat.kind !== PERSON) {
      const strategies = options?.get("Strategy")?.choices ?? [];
      if (strategies.length) {
        parts.push(this.#select(side, "strategy", strategies.map((name) => [name, name]), seat.strategy, (strategy) => change({ strategy })));
      }
      const level = options?.get("Level");
      if (level && seat.strategy === "full") {
        const levels = Array.from({ length: level.max - level.min + 1 }, (_, at) => String(level.min + at));
        parts.push(this.#select(side, "level", levels.map((value) => [value, `level ${value}`]), String(seat.level), (value) => change({ level: Number(value) })));
      }
      parts.push(this.#select(side, "seconds", TIMES.map((time) => [String(time), `${time} s`]), String(seat.seconds), (value) => change({ seconds: Number(value) })));
    }
    parts.push(el("span", { class: "spinner", "aria-hidden": "true" }));
    root.replaceChildren(...parts);
    if (focused) root.querySelector(`[name="${focused}"]`)?.focus();
  }

  #select(side, name, choices, value, choose) {
    const label = `${nameOf(side)}: ${name}`;
    const options = choices.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
    const attributes = { name, "aria-label": label, title: label, "data-seat": `${side}-${name}` };
    return el("select", { ...attributes, onchange: (event) => choose(event.target.value) }, ...options);
  }
}
