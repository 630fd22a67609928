// Scores for the side to move: heuristic (`cp`) or exact (`win`, `loss`, `draw`, and `margin`, the
// final lead).

/** Parses the protocol's words. */
export function parseScore([kind, number]) {
  return { kind, value: kind === "draw" ? 0 : Number(number) };
}

export const isExact = (score) => score.kind !== "cp";

/** The full label: `win in 7`, `wins by 4`, `+0.35`. */
export function longLabel({ kind, value }) {
  if (kind === "win" || kind === "loss") return value === 0 ? kind : `${kind} in ${value}`;
  if (kind === "draw") return "draw";
  if (kind === "margin") return value === 0 ? "draw" : `${value > 0 ? "wins" : "loses"} by ${Math.abs(value)}`;
  return signed(value / 100, 2);
}

/** The label where space is short. */
export function shortLabel({ kind, value }) {
  if (kind === "win" || kind === "loss") return `${kind === "win" ? "W" : "L"}${value}`;
  if (kind === "draw") return "=";
  if (kind === "margin") return signed(value, 0);
  return signed(value / 100, 1);
}

function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  return number > 0 ? `+${text}` : number < 0 ? `−${text}` : text;
}

/** The CSS class of a score: `good`, `bad`, `even`, or `open` if it is heuristic. */
export function tone({ kind, value }) {
  if (kind === "cp") return "open";
  if (kind === "draw" || (kind === "margin" && value === 0)) return "even";
  return kind === "win" || (kind === "margin" && value > 0) ? "good" : "bad";
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
