// "Find the win": positions in which exactly one move wins, from the user's own games and by chance.

import { GameRecord } from "./game-record.js";
import { isExact, outcome } from "./score.js";
import { readSetting, writeSetting } from "./ui/storage.js";

const KEY = "ratlla-puzzles";
const MAX_KEPT = 50;
const TRIES = 80;
/** The search time of a candidate, and the plies of a win that is neither obvious nor too deep. */
const TIME = 400;
const [SHORTEST, LONGEST] = [3, 13];
/** How many plies before the end of a random game puzzles are looked for, and where. */
const BEFORE_END = [3, 5, 7];
const FIRST_PLY = 6;
const LONGEST_GAME = 34;
const USUAL = "connect4 6 7 4";

/** The moves that win, if all scores are proved; else null. */
export function winners(scores) {
  const all = [...scores];
  if (!all.length || !all.every(([, score]) => isExact(score))) return null;
  return all.filter(([, score]) => outcome(score) > 0).map(([move]) => move);
}

/** The puzzle in a position: its only winning move and the score, or null. */
export function puzzleIn(scores) {
  const found = winners(scores);
  if (found?.length !== 1 || scores.size < 2) return null;
  const score = scores.get(found[0]);
  const isDeep = score.kind === "margin" || (score.value >= SHORTEST && score.value <= LONGEST);
  return isDeep ? { move: found[0], score } : null;
}

/** Keeps a position of one's own game whose win was missed. */
export function keepPuzzle(record, ply) {
  const fragment = new GameRecord(record.game, record.setup, record.moves.slice(0, ply)).fragment();
  const kept = (readSetting(KEY) ?? []).filter((other) => other.fragment !== fragment);
  writeSetting(KEY, [{ fragment, time: Date.now() }, ...kept].slice(0, MAX_KEPT));
}

/** Takes the latest puzzle that was kept, as `{ record, time }`; null if there is none. */
export function takeKept() {
  const [first, ...rest] = readSetting(KEY) ?? [];
  if (!first) return null;
  writeSetting(KEY, rest);
  const record = GameRecord.fromFragment(first.fragment);
  return record && { record, time: first.time };
}

/** Looks for a puzzle: a random position of the game, if it has a solver, or else of Connect Four. */
export async function makePuzzle(assistant, rules, current, isCurrent) {
  const start = await rules.stateAt(new GameRecord(current));
  const chosen = start.solver ? current : USUAL;
  for (let tries = 0; tries < TRIES && isCurrent(); tries += 1) {
    const game = await randomGame(rules, chosen);
    // Shortly before its end, a game of chance often has a win to be found.
    for (const before of BEFORE_END) {
      const ply = game.ply - before;
      if (ply < FIRST_PLY || !isCurrent()) continue;
      const scores = await assistant.scores(game, ply, TIME);
      if (puzzleIn(scores)) return { record: new GameRecord(chosen, "", game.moves.slice(0, ply)), scores };
    }
  }
  return null;
}

/** A game of random moves, to its end or for some time. */
async function randomGame(rules, game) {
  let record = new GameRecord(game);
  for (let left = LONGEST_GAME; left > 0; left -= 1) {
    const { moves, result } = await rules.stateAt(record);
    if (result !== "none") break;
    record = record.continued(moves[Math.floor(Math.random() * moves.length)].move);
  }
  return record;
}
