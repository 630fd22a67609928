// From the engine's lines to values.

import { readScore } from "./score.js";

/** The rest of the line that begins with `word`. */
function after(lines, word) {
  const line = lines.findLast((text) => text === word || text.startsWith(`${word} `));
  return line === undefined ? undefined : line.slice(word.length + 1);
}

/** The answers to `d` and `moves`. */
export function stateOf(heard) {
  const lines = heard.filter((line) => !line.startsWith("info "));
  const text = after(lines, "moves") ?? "";
  const end = lines.findLastIndex((line) => line.startsWith("game "));
  return {
    drawing: lines.slice(0, Math.max(end, 0)),
    game: after(lines, "game") ?? "",
    position: after(lines, "position") ?? "",
    side: after(lines, "side") ?? "p1",
    result: after(lines, "result") ?? "none",
    moves: text.split(" ").filter(Boolean),
  };
}

/** A type, its limits and choices, as `options` and `games` tell them. */
function typed(words) {
  const field = (name) => {
    const at = words.indexOf(name);
    return at < 0 ? undefined : words[at + 1];
  };
  const number = (name) => (field(name) === undefined ? undefined : Number(field(name)));
  const choices = words.flatMap((word, at) => (word === "var" ? [words[at + 1]] : []));
  return { type: field("type"), default: field("default"), min: number("min"), max: number("max"), choices };
}

/** The answer to `games`: names and parameters. */
export function gamesOf(lines) {
  const games = lines.filter((line) => line.startsWith("game "));
  return games.map((line) => {
    const [head, ...parameters] = line.slice("game ".length).split(" parameter ");
    return {
      name: head.trim(),
      parameters: parameters.map((text) => {
        const [name, ...words] = text.split(" ");
        return { name, ...typed(words) };
      }),
    };
  });
}

/** The answer to `options`, by name. */
export function optionsOf(lines) {
  const options = new Map();
  for (const line of lines) {
    const match = /^option name (.+?) type (.*)$/.exec(line);
    if (match) options.set(match[1], typed(["type", ...match[2].split(" ")]));
  }
  return options;
}

/** An `info` line: numbers, the score and the line of moves. `null` if it is none. */
export function infoOf(line) {
  const words = line.split(" ");
  if (words[0] !== "info" || words[1] === "string") return null;
  const info = { multipv: 1, score: null, pv: [] };
  for (let at = 1; at < words.length; at += 2) {
    if (words[at] === "pv") {
      info.pv = words.slice(at + 1);
      break;
    }
    if (words[at] === "score") {
      info.score = readScore(words.slice(at + 1));
      if (words[at + 1] === "draw") at -= 1;
      at += 1;
    } else {
      info[words[at]] = Number(words[at + 1]);
    }
  }
  return info;
}

/** An `analysis` line: the move and its score. `null` if it is none. */
export function worthOf(line) {
  const words = line.split(" ");
  if (words[0] !== "analysis") return null;
  return { move: words[1], score: readScore(words.slice(2)) };
}

/** The move of a `bestmove` line; `undefined` if there is none. */
export function bestOf(lines) {
  const move = after(lines, "bestmove")?.split(" ")[0];
  return move === "(none)" ? undefined : move;
}
