// What the page says about each game: its name, sizes to choose from, and a small picture.

import { svg } from "./dom.js";
import { hasText, t } from "./i18n.js";
import { gridPicture, pitsPicture } from "./views/pictures.js";

const PRESETS = {
  connect4: [
    ["classic", "6 7 4"],
    ["small", "5 6 4"],
    ["large", "8 9 4"],
    ["five", "10 12 5"],
    ["giant", "25 25 4"],
  ],
  boom: [],
  wali: [
    ["classic", "5 6 12"],
    ["small", "4 4 8"],
    ["quick", "3 4 5"],
  ],
  kalah: [
    ["classic", "6 4"],
    ["large", "6 6"],
    ["quick", "4 3"],
  ],
};

const THUMBNAILS = {
  connect4: () => gridPicture([".....", "...2.", "..211", ".1122"], { line: [[3, 1], [2, 2], [1, 3]] }),
  boom: () => gridPicture([".....", "..1..", "2.42.", "12112"], { cross: [[2, 0], [2, 3]] }),
  wali: () => gridPicture(["1.2.1", ".2.1.", "111.2", "2.2.."], { wood: true, line: [[2, 0], [2, 2]] }),
  kalah: () => pitsPicture([4, 0, 5, 5], [4, 5, 0, 1], [1, 3]),
};

/** The name of a game shown to users. */
export const gameTitle = (name) => (hasText(`game.${name}`) ? t(`game.${name}`) : name);

/** One line about a game; empty if there is none. */
export const gameAbout = (name) => (hasText(`about.${name}`) ? t(`about.${name}`) : "");

/** The parameters of a game in a few words. */
export function gameSize(name, parameters) {
  const key = `size.${name}${parameters?.empty ? ".empty" : ""}`;
  return hasText(key) ? t(key, parameters) : Object.values(parameters ?? {}).join(" × ");
}

/** Sizes to choose from, as `{ label, parameters }`. */
export const gamePresets = (name) =>
  (PRESETS[name] ?? []).map(([key, parameters]) => ({ label: t(`preset.${key}`), parameters }));

export const thumbnail = (name) => THUMBNAILS[name]?.() ?? svg("svg", { viewBox: "0 0 100 80" });
