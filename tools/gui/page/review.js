// The review of a game: what each move changed, with the marks of the protocol's `ratlla explain`.

import { isExact, outcome, strength } from "./score.js";

/** The search time of each position, in milliseconds. */
const TIME = 1200;

/** The best of some scores, as `[move, score]`. */
export const bestOf = (scores) => [...scores].reduce((best, entry) => (strength(entry[1]) > strength(best[1]) ? entry : best));

/** What a move changed: `{ mark, before, after, best }`. */
export function judge(scores, move) {
  const [best, before] = bestOf(scores);
  const after = scores.get(move);
  return { mark: markOf(scores, move, before, after), before, after, best };
}

function markOf(scores, move, before, after) {
  if (!after || !isExact(before) || !isExact(after)) return "";
  if (outcome(after) < outcome(before)) return "?";
  // Distances are exact only where everything is solved.
  const solved = [...scores.values()].every(isExact);
  if (solved && strength(after) < strength(before)) return "?!";
  const others = [...scores].filter(([other]) => other !== move);
  const isOnly = others.length > 0 && others.every(([, score]) => isExact(score) && outcome(score) < outcome(after));
  return isOnly ? "!" : "";
}

/**
 * Reviews the moves of a line. Calls `onMove(node, ply, scores)` after each; ends early once `isCurrent`
 * is false.
 */
export async function reviewLine(assistant, record, onMove, isCurrent) {
  for (let ply = 0; ply < record.moves.length && isCurrent(); ply += 1) {
    const scores = await assistant.scores(record, ply, TIME);
    const node = record.nodes[ply + 1];
    if (scores.size) node.review = judge(scores, node.move);
    if (isCurrent()) onMove(node, ply, scores);
  }
}
