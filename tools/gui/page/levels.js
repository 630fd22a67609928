// Strength in words: the levels of the engine, and their rating where it was measured.

import { hasText, t } from "./i18n.js";

/** The ratings of the levels, measured in Connect Four on 6 x 7: see the protocol's table of `UCI_Elo`. */
const ELO = [600, 770, 950, 1070, 1150, 1250, 1420, 1510, 1670, 2150];

/** The levels offered to everybody; all ten are an expert's choice. */
export const LEVELS = [1, 3, 5, 7, 9, 10];

/** The level in words. The highest is perfect only where the engine solves the game. */
export function levelName(level, game) {
  if (level === 10 && !isUsual(game)) return t("level.strongest");
  return hasText(`level.${level}`) ? t(`level.${level}`) : String(level);
}

/** The usual board, which was measured, and which the engine plays without error by its book and its solver. */
const isUsual = (game) => /^connect4( 6 7 4)?$/.test(game);

/** The rating of a level in a game, or null if it was not measured. */
export const levelElo = (level, game) => (isUsual(game) ? (ELO[level - 1] ?? null) : null);
