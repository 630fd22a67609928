// The settings of a player as form fields: a person, or an engine with its strength.

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { levelElo, levelName } from "../levels.js";
import { sideName } from "../sides.js";

const TIMES = [0.1, 0.3, 0.5, 1, 2, 3, 5, 10, 30, 60];
const THREADS = [1, 2, 4, 8];
const HASHES = [16, 64, 256, 1024];
const PERSON = "person";

const numbers = (list) => list.map((value) => [String(value), String(value)]);
const between = (min, max) => Array.from({ length: max - min + 1 }, (_, at) => min + at);

/** All fields that fit the player and its engine's options. `onChange` gets the changed settings. */
export function playerFields({ side, player, options, game, engines, onChange }) {
  const select = selector(side);
  const names = engines.map((name, index) => [String(index), index ? name : t("player.engine", { name })]);
  const kind = player.kind === PERSON ? PERSON : String(player.engine);
  const setKind = (value) => onChange(value === PERSON ? { kind: PERSON } : { kind: "engine", engine: Number(value) });
  const who = select("kind", "player", [[PERSON, t("player.person")], ...names], kind, setKind);
  return player.kind === PERSON ? [who] : [who, ...engineFields({ side, player, options, game, onChange })];
}

/** The fields of an engine. */
export function engineFields({ side, player, options, game, onChange }) {
  const select = selector(side);
  const number = (name, values) => {
    const current = values.findLast((value) => value <= player[name]);
    return select(name, name, numbers(values), String(current), (value) => onChange({ [name]: Number(value) }));
  };
  const fields = [];
  const strategies = options.get("Strategy")?.values ?? [];
  const level = options.get("Level");
  if (level && player.strategy === "full") {
    const label = (value) => [String(value), [levelName(value, game), ...elo(value, game)].join(" · ")];
    const levels = between(level.min, level.max).map(label);
    fields.push(select("level", "level", levels, String(player.level), (value) => onChange({ level: Number(value) })));
  }
  const times = TIMES.map((time) => [String(time), t("player.secondsValue", { n: time })]);
  fields.push(select("seconds", "seconds", times, String(player.seconds), (value) => onChange({ seconds: Number(value) })));
  if (strategies.length) {
    fields.push(select("strategy", "strategy", strategies.map((name) => [name, name]), player.strategy, (strategy) => onChange({ strategy })));
  }
  if (options.has("Depth") && player.strategy !== "full") fields.push(number("depth", between(1, 12)));
  const threads = THREADS.filter((count) => count <= (options.get("Threads")?.max ?? 0));
  if (threads.length > 1 && player.strategy === "full") fields.push(number("threads", threads));
  if (options.has("Hash") && player.strategy === "full") fields.push(number("hash", HASHES));
  return fields;
}

const elo = (level, game) => {
  const rating = levelElo(level, game);
  return rating ? [t("level.elo", { elo: rating })] : [];
};

/** A function that creates a labelled list of choices for a side. */
function selector(side) {
  return (key, name, choices, value, onChange) => {
    const field = t(`player.${key}`);
    const label = side === "start" ? field : t("player.field", { side: sideName(side), field });
    const options = choices.map(([choice, text]) => el("option", { value: choice, selected: choice === value }, text));
    const attributes = { name, "aria-label": label, "data-player": `${side}-${name}`, onchange: (event) => onChange(event.target.value) };
    return el("label", { class: "field" }, field, el("select", attributes, ...options));
  };
}
