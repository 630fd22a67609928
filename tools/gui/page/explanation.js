// Why a move is good or bad, in the user's language. The engine's own sentences are English; what they
// are about (kind, cells, scores) suffices for sentences of the page.

import { hasText, language, needsValue, t } from "./i18n.js";
import { isExact, longLabel, outcome } from "./score.js";
import { sideName } from "./sides.js";

const NAMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

/** `win`, `draw` or `loss`; undefined if nothing is proved. */
const resultOf = (score) => (score ? NAMES.get(outcome(score)) : undefined);

/** A house of Kalah by its owner and number; a cell of another board as it is called there. */
function cellName(cell) {
  const house = /^(p[12])-(\d+)$/.exec(cell);
  return house ? t("explain.house", { side: sideName(house[1]), house: house[2] }) : cell;
}

const listed = (cells) => new Intl.ListFormat(language()).format(cells.map(cellName));

/** The variant of a kind's sentence that fits, if it has variants. */
function variantOf({ kind, score, cells, best }) {
  if (kind === "ends") return resultOf(score);
  if (kind === "spoils") return `${resultOf(best?.score)}.${resultOf(score)}`;
  if (kind === "leaves") return /-/.test(cells[0]) ? "seeds" : "";
  return cells.length ? "" : "none";
}

/** A reason in words, given the reason for the best move, too: `{ move, score, kind, cells, sentence }`. */
export function reasonText(reason, best) {
  const { kind, score, cells, sentence } = reason;
  if (language() === "en") return sentence;
  const keys = [`explain.${kind}.${variantOf({ ...reason, best })}`, `explain.${kind}`];
  const key = keys.find(hasText);
  if (!key || (needsValue(key, "cells") && !cells.length)) return sentence;
  const values = { cells: listed(kind === "three" ? cells.slice(0, -1) : cells), captured: cells.at(-1) ?? "", best: best?.move ?? "" };
  return score && isExact(score) ? `${t(key, values)} (${longLabel(score)})` : t(key, values);
}

/** What is wrong with a move, in words: `{ score, best, bestScore, line, sentence }`. */
export function refutationText({ score, best, bestScore, line, sentence }) {
  if (language() === "en") return sentence;
  const [after, before] = [resultOf(score), resultOf(bestScore)];
  const costs = [`explain.spoils.${before}.${after}`, `explain.keeps.${after}`, "explain.judged"];
  const cost = t(costs.find(hasText), { best });
  return line.length > 1 ? `${cost} ${t("explain.follows", { line: line.slice(1).join(" ") })}` : cost;
}
