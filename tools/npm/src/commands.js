// What callers ask for as commands of the protocol, checked before anything is sent.

const LIMITS = ["depth", "nodes", "movetime"];
const SEARCH_OPTIONS = ["game", "position", "moves", "searchmoves", ...LIMITS, "onInfo", "signal"];
/** Milliseconds of a search without a limit. */
const DEFAULT_TIME = 1000;

const LINES = "send and onLine";
/** Commands that `ask` cannot wait for, since more follows after `readyok`, and what to use instead. */
const UNASKABLE = new Map([
  ["go", "search or solve"],
  ["analyze", "analyse"],
  ["analyse", "analyse"],
  ["explain", LINES],
  ["why", LINES],
  ["tree", LINES],
  ["bench", LINES],
  // Errors look different in other dialects.
  ["uci", LINES],
  ["ugi", LINES],
]);

/** Refuses options with other names than these. */
export function checkNames(options, names) {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`unknown option '${unknown}': expected ${names.join(", ")}`);
}

/** The text, unless it would be more than one command. */
export function singleLine(text) {
  const [first, ...more] = String(text).split(/[\r\n]/);
  if (more.length > 0) throw new TypeError(`a command must be a single line (got a line break after '${first}')`);
  return first;
}

/** `["4", "4"]`, `"4 4"` or, where moves are single characters, `"44"`, as words. */
function moveWords(moves) {
  if (typeof moves !== "string") return moves;
  const text = singleLine(moves).trim();
  return /\s/.test(text) ? text.split(/\s+/) : [...text];
}

/** A keyword and the moves that follow it, if there are any. */
function moveClause(keyword, moves = []) {
  const words = moveWords(moves);
  return words.length > 0 ? [keyword, ...words] : [];
}

/** The options, with a time limit if there is no other. */
export function limited(options) {
  const isLimited = LIMITS.some((name) => options[name] !== undefined);
  return isLimited ? options : { ...options, movetime: DEFAULT_TIME };
}

/** The commands that set a position up, and the one that searches it. */
export function searchCommands(command, options) {
  checkNames(options, SEARCH_OPTIONS);
  const { game, position = "startpos", moves, searchmoves } = options;
  const setup = [`position ${[position, ...moveClause("moves", moves)].join(" ")}`];
  if (game !== undefined) setup.unshift(`newgame ${game}`);
  const limits = LIMITS.flatMap((name) => (options[name] === undefined ? [] : [name, options[name]]));
  const search = [command, ...limits, ...moveClause("searchmoves", searchmoves)].join(" ");
  return { setup: setup.map(singleLine), search: singleLine(search) };
}

/** The lines, if each is a command that is answered at once. */
export function askable(lines) {
  return lines.map((text) => {
    const line = singleLine(text);
    const [name] = line.trim().split(/\s+/);
    if (UNASKABLE.has(name)) throw new TypeError(`ask cannot wait for '${name}': use ${UNASKABLE.get(name)}`);
    return line;
  });
}
