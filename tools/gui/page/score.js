// Scores for the side to move: heuristic (`cp`) or exact (`win`, `loss`, `draw`, and `margin`, the
// final lead). The protocol counts plies, people count moves of the winner.

import { t } from "./i18n.js";

/** The games in which the players alternate: two plies are a move of each. */
const ALTERNATING = new Set(["connect4", "wali"]);

/** Parses the protocol's words. */
export function parseScore([kind, number]) {
  return { kind, value: kind === "draw" ? 0 : Number(number) };
}

/**
 * The score with what its labels need to know about the game: whether a turn may have several moves, and
 * whether players count the lead.
 */
export function scoreIn(game, score) {
  const [name, ...sizes] = game.split(" ");
  const lead = name === "kalah";
  return { ...score, value: lead ? leadOf(score, sizes) : score.value, single: !ALTERNATING.has(name), lead };
}

/** The engine rates a store with more than half of all seeds this much higher. */
const DECIDED = 5000;

/** An estimate of Kalah without that, as nobody can be ahead by more seeds than there are. */
function leadOf({ kind, value }, [houses, seeds]) {
  const isTooMuch = kind === "cp" && Math.abs(value) > 200 * houses * seeds;
  return isTooMuch ? value - Math.sign(value) * DECIDED : value;
}

export const isExact = (score) => score.kind !== "cp";

/** The winner's moves up to the end, or plies where a turn may have several moves. */
export const movesToEnd = ({ value, single }) => (single ? value : Math.ceil(value / 2));

/** The score in words: `win in 4 moves`, `wins by 4`, `estimate +0.4`. */
export function longLabel(score) {
  const { kind, value, single, lead } = score;
  if (kind === "draw" || (kind === "margin" && value === 0)) return t("score.draw");
  if (kind === "margin") return t(value > 0 ? "score.winsBy" : "score.losesBy", { n: Math.abs(value) });
  if (kind === "cp") return t("score.estimate", { number: shortLabel(score) });
  // It is not known by how much.
  if (value === 0 || lead) return t(kind === "win" ? "score.won" : "score.lost");
  return t(`score.${kind}${single ? "Single" : ""}`, { n: movesToEnd(score) });
}

/**
 * The score as one number. Only an estimate has a decimal point; a finished game needs no number. Where the
 * lead counts, a win by an unknown one is more than 0.
 */
export function shortLabel(score) {
  const { kind, value, lead } = score;
  if (value === 0 && (kind === "win" || kind === "loss")) return "";
  if (lead && (kind === "win" || kind === "loss")) return kind === "win" ? ">0" : "<0";
  if (kind === "win") return `+${movesToEnd(score)}`;
  if (kind === "loss") return `−${movesToEnd(score)}`;
  if (kind === "cp") return signed(value / 100, 1);
  return kind === "draw" ? "0" : signed(value, 0);
}

function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  // What is rounded to zero has no sign.
  if (Number(text) === 0) return text;
  return number > 0 ? `+${text}` : `−${text}`;
}

/** The CSS class of a score: `good`, `bad`, `even`, or `open` if it is heuristic. */
export function tone({ kind, value }) {
  if (kind === "cp") return "open";
  if (kind === "draw" || (kind === "margin" && value === 0)) return "even";
  return kind === "win" || (kind === "margin" && value > 0) ? "good" : "bad";
}

/** The outcome that a score proves: 1 for a win, 0 for a draw, -1 for a loss; null if it is an estimate. */
export function outcome({ kind, value }) {
  if (kind === "cp") return null;
  if (kind === "margin") return Math.sign(value);
  return kind === "win" ? 1 : kind === "loss" ? -1 : 0;
}

/** The score on a scale from -1 to 1. */
export function strength({ kind, value }) {
  if (kind === "win") return 1 - Math.min(value, 100) / 1000;
  if (kind === "loss") return -1 + Math.min(value, 100) / 1000;
  if (kind === "draw") return 0;
  if (kind === "margin") return Math.sign(value) * (0.6 + 0.4 * Math.tanh(Math.abs(value) / 12));
  return 0.85 * Math.tanh(value / 400);
}

/** The score of a finished game, for the side to move. */
export function finalScore(result, side) {
  if (result === "draw") return { kind: "draw", value: 0 };
  return { kind: result === `${side}win` ? "win" : "loss", value: 0 };
}
