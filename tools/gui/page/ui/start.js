// The start screen: which game, how large, against whom, how strong, and who starts. Enter starts.

import { byId, closeOnBackdrop, dialogHead, el, icon } from "../dom.js";
import { computer, person } from "../engine-player.js";
import { friendly } from "../errors.js";
import { GameRecord } from "../game-record.js";
import { gameAbout, gamePresets, gameTitle, thumbnail } from "../games.js";
import { hasText, t } from "../i18n.js";
import { LEVELS, levelElo, levelName } from "../levels.js";
import { choice, choices } from "./choices.js";
import { engineFields } from "./player-fields.js";
import { recentGames } from "./recent.js";
import { readSetting, writeSetting } from "./storage.js";

const KEY = "ratlla-start";

export class StartScreen {
  #controller;
  #games;
  #store;
  #actions;
  #dialog = byId("new-game");
  #form = el("form", { method: "dialog", class: "start" });
  /** What is chosen. */
  #chosen = { game: "connect4", parameters: null, against: "computer", first: "you", level: 5, settings: {} };
  #size = el("div");
  #opponent = el("div", { class: "column" });
  #error = el("p", { class: "bad", role: "alert", id: "new-error" });
  #recent = el("div", { class: "wide" });

  /** `actions` has `puzzle()`, `how(name)`, `open(stored)`, and `check(game)`, which fails if there is no such game. */
  constructor(controller, games, store, actions) {
    this.#controller = controller;
    this.#games = games;
    this.#store = store;
    this.#actions = actions;
    const saved = readSetting(KEY);
    if (saved) Object.assign(this.#chosen, saved);
    byId("new").addEventListener("click", () => this.show());
    this.#dialog.append(dialogHead(this.#dialog, t("start.title"), t("button.close")), this.#form);
    closeOnBackdrop(this.#dialog);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  show() {
    const { record } = this.#controller;
    const known = this.#games.some(({ name }) => name === record.name);
    this.#chosen.game = known ? record.name : this.#games[0].name;
    this.#chosen.parameters = known ? record.game.split(" ").slice(1).join(" ") || null : null;
    this.#draw();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#form.querySelector("[name=game]:checked")?.focus();
  }

  #draw() {
    this.#error.textContent = "";
    const cards = this.#games.map(({ name }) => {
      const about = el("span", {}, el("b", {}, gameTitle(name)), el("small", {}, gameAbout(name)));
      const card = choice({ group: "game", value: name, checked: name === this.#chosen.game, onChange: () => this.#choose(name) }, thumbnail(name), about);
      card.classList.add("game");
      return card;
    });
    const how = el("button", { type: "button", onclick: () => this.#actions.how(this.#chosen.game) }, icon("help"), t("start.how"));
    const puzzle = el("button", { type: "button", id: "start-puzzle", onclick: () => this.#puzzle() }, icon("puzzle"), t("start.puzzle"));
    const start = el("button", { class: "primary", id: "start", type: "submit" }, icon("play"), t("start.start"));
    this.#form.replaceChildren(
      el("div", { class: "games wide", role: "radiogroup", "aria-label": t("start.game") }, ...cards),
      el("div", { class: "column" }, this.#againstFields(), this.#size),
      this.#opponent,
      this.#recent,
      el("div", { class: "wide submit" }, this.#error, el("div", { class: "buttons" }, how, puzzle, start)),
    );
    this.#drawSize();
    this.#drawOpponent();
    this.#drawRecent();
  }

  #puzzle() {
    this.#dialog.close();
    this.#actions.puzzle();
  }

  #choose(game) {
    this.#chosen.game = game;
    this.#chosen.parameters = null;
    this.#error.textContent = "";
    this.#drawSize();
    this.#drawOpponent();
  }

  /** The game with the parameters that are chosen, or the usual ones. */
  get #game() {
    const { game, parameters } = this.#chosen;
    const usual = gamePresets(game)[0]?.parameters ?? this.#parametersOf(game).filter(({ type }) => type !== "check").map((one) => one.default).join(" ");
    return `${game} ${parameters ?? usual}`.trim();
  }

  #parametersOf(game) {
    return this.#games.find(({ name }) => name === game)?.parameters ?? [];
  }

  #drawSize() {
    const parameters = this.#parametersOf(this.#chosen.game);
    if (!parameters.length) return this.#size.replaceChildren();
    const values = this.#game.split(" ").slice(1);
    const set = (text) => {
      this.#chosen.parameters = text;
      this.#error.textContent = "";
      this.#drawSize();
      this.#drawOpponent();
    };
    const presets = gamePresets(this.#chosen.game).map(({ label, parameters: text }) => ({ value: text, label, note: text.replaceAll(" ", " × ") }));
    const fields = el("div", { class: "parameters" }, ...parameters.map((parameter, at) => this.#field(parameter, values, at)));
    const { game } = this.#chosen;
    if (hasText(`limits.${game}`)) fields.append(el("small", { class: "wide muted" }, t(`limits.${game}`)));
    fields.addEventListener("change", () => {
      this.#chosen.parameters = this.#typed(fields);
      this.#drawOpponent();
      this.#check();
      for (const input of this.#size.querySelectorAll("[name=preset]")) input.checked = input.value === this.#chosen.parameters;
    });
    const own = el("details", { class: "custom", open: !presets.some(({ value }) => value === values.join(" ")) }, el("summary", {}, t("preset.custom")), fields);
    const sizes = presets.length ? [choices({ group: "preset", title: t("start.size"), items: presets, value: values.join(" "), className: "stacked", onChange: set })] : [];
    this.#size.replaceChildren(...sizes, own);
  }

  /** Says at once if there is no game of this size. */
  async #check() {
    const game = this.#game;
    const error = await this.#actions.check(game).then(() => "", friendly);
    if (game === this.#game) this.#error.textContent = error;
  }

  #typed(fields) {
    const inputs = [...fields.querySelectorAll("input")];
    return inputs.flatMap((input) => (input.type !== "checkbox" ? [input.value] : input.checked ? [input.name] : [])).join(" ");
  }

  #field({ name, type, default: initial, min, max }, values, at) {
    const label = t(`parameter.${name}`);
    const text = label === `parameter.${name}` ? name : label;
    if (type === "check") return el("label", { class: "field check" }, el("input", { type: "checkbox", name, checked: values.includes(name) }), text);
    const input = el("input", { type: "number", name, min, max, value: values[at] ?? initial, required: true, inputmode: "numeric" });
    return el("label", { class: "field" }, text, input, el("small", {}, t("range", { min, max })));
  }

  #againstFields() {
    const items = [
      { value: "computer", label: t("start.computer"), icon: "computer" },
      { value: "friend", label: t("start.friend"), icon: "people" },
      { value: "watch", label: t("start.watch"), icon: "watch" },
    ];
    const onChange = (value) => {
      this.#chosen.against = value;
      this.#drawOpponent();
    };
    return choices({ group: "against", title: t("start.against"), items, value: this.#chosen.against, onChange, className: "three" });
  }

  /** The computer's strength, who starts, and what only experts change. */
  #drawOpponent() {
    const { against, first, level } = this.#chosen;
    if (against === "friend") return this.#opponent.replaceChildren();
    const game = this.#game;
    const note = (value) => {
      const elo = levelElo(value, game);
      return elo ? t("level.elo", { elo }) : "";
    };
    const levels = LEVELS.map((value) => ({ value: String(value), label: levelName(value, game), note: note(value) }));
    const strength = choices({
      group: "level",
      title: t("start.strength"),
      items: levels,
      value: String(level),
      className: "stacked",
      onChange: (value) => (this.#chosen.level = Number(value)),
    });
    const starts = choices({
      group: "first",
      title: t("start.first"),
      items: ["you", "them", "random"].map((value) => ({ value, label: t(`start.${value}`) })),
      value: first,
      className: "three",
      onChange: (value) => (this.#chosen.first = value),
    });
    const fields = el("div", { class: "fields" });
    const expert = el("details", { ontoggle: () => this.#drawExpert(fields, game) }, el("summary", {}, t("start.expert")), fields);
    this.#opponent.replaceChildren(strength, ...(against === "computer" ? [starts] : []), expert);
  }

  async #drawExpert(fields, game) {
    if (fields.children.length) return;
    const draw = (options) => {
      const onChange = (changes) => {
        Object.assign(this.#chosen.settings, changes);
        if (changes.level) this.#chosen.level = changes.level;
        draw(options);
      };
      fields.replaceChildren(...engineFields({ side: "start", player: this.#computer(), options, game, onChange }));
    };
    draw(await this.#controller.options("p2", this.#computer(), game).catch(() => new Map()));
  }

  #computer() {
    return computer({ ...this.#chosen.settings, level: this.#chosen.level });
  }

  #players() {
    const { against, first } = this.#chosen;
    if (against === "friend") return { p1: person(), p2: person() };
    if (against === "watch") return { p1: this.#computer(), p2: this.#computer() };
    const youFirst = first === "you" || (first === "random" && Math.random() < 0.5);
    return youFirst ? { p1: person(), p2: this.#computer() } : { p1: this.#computer(), p2: person() };
  }

  async #start() {
    writeSetting(KEY, this.#chosen);
    try {
      await this.#controller.open(new GameRecord(this.#game), { players: this.#players(), replaces: true });
      this.#dialog.close();
    } catch (error) {
      this.#error.textContent = friendly(error);
    }
  }

  #drawRecent() {
    const open = async (stored) => {
      await this.#actions.open(stored);
      this.#dialog.close();
    };
    this.#recent.replaceChildren(...recentGames(this.#store, open));
  }
}
