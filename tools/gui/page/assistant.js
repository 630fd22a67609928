// An engine that answers questions about positions: reasons, refutations and the scores of all moves.

import { Engine, EngineError } from "./engine.js";
import { parseAnalysis } from "./protocol.js";
import { parseScore, scoreIn } from "./score.js";

/** How long an answer may take beyond its search time, in milliseconds. */
const GRACE_PERIOD = 20_000;
const BOUNDS = new Set(["lowerbound", "upperbound"]);

export class Assistant {
  #engine;

  constructor(connection) {
    this.#engine = new Engine(connection);
  }

  /** Why each move is good or bad, the best first: `{ move, score, kind, cells, sentence }`. */
  async explain(record) {
    const lines = await this.#ask(record, record.ply, "explain", 3000);
    return lines.filter((line) => line.startsWith("reason ")).map((line) => parseReason(record.game, line));
  }

  /** What is wrong with a move after `ply` moves: `{ score, best, bestScore, line, sentence }`. */
  async whyNot(record, ply, move) {
    const lines = await this.#ask(record, ply, `why not ${move}`, 3000);
    return parseRefutation(record.game, lines.find((line) => line.startsWith("refutation ")));
  }

  /** The score of each move after `ply` moves. */
  async scores(record, ply, milliseconds) {
    const lines = await this.#ask(record, ply, `analyze movetime ${milliseconds}`, milliseconds);
    const moves = lines.map(parseAnalysis).filter(Boolean);
    return new Map(moves.map(({ move, score }) => [move, scoreIn(record.game, score)]));
  }

  async #ask(record, ply, command, milliseconds) {
    await this.#engine.setPosition(record.game, record.position(ply));
    const isLast = (line) => line.startsWith("bestmove") || line.startsWith("error ");
    const lines = await this.#engine.exchange([command], { isLast, timeout: milliseconds + GRACE_PERIOD });
    if (lines.at(-1).startsWith("error ")) throw new EngineError(lines.at(-1).slice("error ".length));
    return lines;
  }

  /** Ends the process, which is started again when needed. */
  end() {
    this.#engine.end();
  }
}

/** Takes a score from the front of a list of words; null if the move was not searched. */
function takeScore(game, words) {
  const kind = words.shift();
  if (kind === "none") return null;
  const score = parseScore([kind, kind === "draw" ? undefined : words.shift()]);
  if (BOUNDS.has(words[0])) words.shift();
  return scoreIn(game, score);
}

/** `reason m <score> <kind> [cells <cell>...] <sentence>`: the sentence begins with a capital letter. */
export function parseReason(game, line) {
  const words = line.split(" ").slice(1);
  const move = words.shift();
  const score = takeScore(game, words);
  const kind = words.shift();
  const begin = words.findIndex((word) => /^[A-Z]/.test(word));
  const cells = words[0] === "cells" ? words.slice(1, begin) : [];
  return { move, score, kind, cells, sentence: words.slice(begin).join(" ") };
}

/** `refutation m <score> best m2 <score> line m... <sentence>`. */
export function parseRefutation(game, text) {
  const words = text.split(" ").slice(2);
  const score = takeScore(game, words);
  const [, best] = words.splice(0, 2);
  const bestScore = takeScore(game, words);
  const begin = words.findIndex((word) => /^[A-Z]/.test(word));
  return { score, best, bestScore, line: words.slice(1, begin), sentence: words.slice(begin).join(" ") };
}
