// Replies of the engine as values.

function parseScore([kind, number]) {
  return kind === "draw" ? { kind } : { kind, value: Number(number) };
}

/** An `info` line with a score; `null` for any other line. */
export function parseInfo(line) {
  const [head, pv = ""] = line.split(" pv ");
  const words = head.split(" ");
  const at = words.indexOf("score");
  if (words[0] !== "info" || words[1] === "string" || at < 0) return null;
  const number = (name) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : undefined);
  return {
    rank: number("multipv") ?? 1,
    depth: number("depth"),
    score: parseScore(words.slice(at + 1)),
    nodes: number("nodes"),
    time: number("time"),
    pv: pv === "" ? [] : pv.split(" "),
  };
}

/** The replies to a search: the best move, the last line of each rank, and the scores of single moves. */
export function parseSearch(replies) {
  const lines = [];
  const scores = [];
  for (const reply of replies) {
    const info = parseInfo(reply);
    if (info) lines[info.rank - 1] = info;
    const words = reply.split(" ");
    if (words[0] === "analysis") scores.push({ move: words[1], score: parseScore(words.slice(2)) });
  }
  const [, best, , ...ponder] = replies.at(-1).split(" ");
  const bestMove = best === "(none)" ? null : best;
  return { bestMove, ponder, ...(lines[0] ?? { score: null, pv: [] }), lines, scores };
}
