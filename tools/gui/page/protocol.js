// Parses the engine's output.

import { parseScore } from "./score.js";

/** The arguments of the last line with this keyword. */
function argumentsOf(lines, keyword) {
  const line = lines.findLast((text) => text === keyword || text.startsWith(`${keyword} `));
  return line === undefined ? undefined : line.slice(keyword.length + 1);
}

/** The reply to `state`. */
export function parseState(lines) {
  const state = argumentsOf(lines, "state");
  if (state === undefined) throw new Error("the engine does not answer 'state'");
  return JSON.parse(state);
}

/** The type of an option or a parameter, with its default, range and values. */
function parseType(words) {
  const field = (name) => {
    const at = words.indexOf(name);
    return at < 0 ? undefined : words[at + 1];
  };
  const number = (name) => (field(name) === undefined ? undefined : Number(field(name)));
  const values = words.flatMap((word, at) => (word === "var" ? [words[at + 1]] : []));
  return { type: field("type"), default: field("default"), min: number("min"), max: number("max"), values };
}

/** The reply to `games`: names and parameters. */
export function parseGames(lines) {
  const games = lines.filter((line) => line.startsWith("game "));
  return games.map((line) => {
    const [head, ...parameters] = line.slice("game ".length).split(" parameter ");
    return {
      name: head.trim(),
      parameters: parameters.map((text) => {
        const [name, ...words] = text.split(" ");
        return { name, ...parseType(words) };
      }),
    };
  });
}

/** The reply to `options`, by name. */
export function parseOptions(lines) {
  const options = new Map();
  for (const line of lines) {
    const match = /^option name (.+?) type (.*)$/.exec(line);
    if (match) options.set(match[1], parseType(["type", ...match[2].split(" ")]));
  }
  return options;
}

/** An `info` line: numbers, score and principal variation. `null` for any other line. */
export function parseInfo(line) {
  const words = line.split(" ");
  if (words[0] !== "info" || words[1] === "string") return null;
  const info = { multipv: 1, score: null, pv: [] };
  for (let at = 1; at < words.length; at += 2) {
    if (words[at] === "pv") {
      info.pv = words.slice(at + 1);
      break;
    }
    if (words[at] === "score") {
      info.score = parseScore(words.slice(at + 1));
      if (words[at + 1] === "draw") at -= 1;
      at += 1;
    } else {
      info[words[at]] = Number(words[at + 1]);
    }
  }
  return info;
}

/** An `analysis` line: a move and its score. `null` for any other line. */
export function parseAnalysis(line) {
  const words = line.split(" ");
  if (words[0] !== "analysis") return null;
  return { move: words[1], score: parseScore(words.slice(2)) };
}

/** The move of the `bestmove` line; `undefined` if there is none. */
export function parseBestMove(lines) {
  const move = argumentsOf(lines, "bestmove")?.split(" ")[0];
  return move === "(none)" ? undefined : move;
}
