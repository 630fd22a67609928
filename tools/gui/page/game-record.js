// A line of a game: its parameters, start position and moves, and how many of the moves are on the board.
// It is written as protocol commands, or as the fragment of a link.

import { t } from "./i18n.js";

/** The words of a game: nothing that could be another command or a second line. */
const WORD = /^[\w./+-]{1,100}$/;
/** The games with a short link: their name in it, and their usual parameters. */
const SHORT = {
  c4: { game: "connect4", usual: "6 7 4", digits: true },
  boom: { game: "boom", usual: "", digits: true },
  wali: { game: "wali", usual: "5 6 12", digits: false },
  kalah: { game: "kalah", usual: "6 4", digits: true },
};
const SHORT_FRAGMENT = /^(c4|boom|wali|kalah)(?:-([\dx]+(?:x?empty)?))?:([\w-]*)(?:@(\d+))?(?:!(p[12]))?$/;

export class GameRecord {
  /** The arguments of `newgame`. */
  game;
  /** The arguments of `position`; empty for the start position. */
  setup;
  moves;
  /** The number of moves on the board. */
  ply;
  /** The side that resigned, or null. */
  resigned = null;
  /** The positions of the game tree that the line goes through, if it belongs to one. */
  nodes = null;

  constructor(game, setup = "", moves = [], ply = moves.length) {
    this.game = game;
    this.setup = setup;
    this.moves = moves;
    this.ply = Math.max(0, Math.min(ply, moves.length));
  }

  get atEnd() {
    return this.ply === this.moves.length;
  }

  /** The name of the game. */
  get name() {
    return this.game.split(" ")[0];
  }

  /** The command that sets up the position after `ply` moves. */
  position(ply = this.ply) {
    const moves = this.moves.slice(0, ply);
    const start = this.setup || "startpos";
    return moves.length ? `position ${start} moves ${moves.join(" ")}` : `position ${start}`;
  }

  /** A key for the position after `ply` moves. */
  key(ply = this.ply) {
    return `${this.game}|${this.position(ply)}`;
  }

  /** A copy that ends with the moves on the board, followed by `moves`. */
  continued(...moves) {
    return new GameRecord(this.game, this.setup, [...this.moves.slice(0, this.ply), ...moves]);
  }

  /** The whole game as protocol commands. */
  text() {
    const end = this.resigned ? [`# ${this.resigned} resigned`] : [];
    return [`newgame ${this.game}`, this.position(this.moves.length), ...end].join("\n");
  }

  /** The whole game as a URL fragment, at `ply`: `#c4:4444` where that is possible. */
  fragment(ply = this.ply) {
    const short = this.setup ? null : this.#shortFragment();
    if (short) return `#${short}${ply !== this.moves.length ? `@${ply}` : ""}${this.resigned ? `!${this.resigned}` : ""}`;
    const fields = new URLSearchParams({ game: this.game });
    if (this.setup) fields.set("setup", this.setup);
    if (this.moves.length) fields.set("moves", this.moves.join(" "));
    if (ply !== this.moves.length) fields.set("ply", ply);
    if (this.resigned) fields.set("resigned", this.resigned);
    return `#${fields}`;
  }

  #shortFragment() {
    const [name, ...rest] = this.game.split(" ");
    const code = Object.keys(SHORT).find((key) => SHORT[key].game === name);
    if (!code) return null;
    const parameters = rest.join(" ");
    const size = !parameters || parameters === SHORT[code].usual ? "" : `-${rest.join("x")}`;
    const moves = SHORT[code].digits ? this.moves.map(moveDigit).join("") : this.moves.join("-");
    const text = `${code}${size}:${moves}`;
    // Only what reads back as the same game.
    const again = fromShortFragment(text);
    return again?.moves.join(" ") === this.moves.join(" ") && again.game === fullGame(this.game.split(" ")) ? text : null;
  }

  /** The game in a URL fragment, or null. */
  static fromFragment(fragment) {
    const text = decoded(fragment.replace(/^#/, ""));
    const short = fromShortFragment(text);
    if (short) return short;
    const fields = new URLSearchParams(fragment.replace(/^#/, ""));
    if (/^[1-7]*$/.test(fields.get("pos") ?? "?")) return new GameRecord("connect4 6 7 4", "", [...fields.get("pos")]);
    const split = (name) => splitWords(fields.get(name) ?? "");
    const game = split("game");
    if (!game.length || ![...game, ...split("setup"), ...split("moves")].every(isWord)) return null;
    const moves = split("moves");
    const ply = fields.has("ply") ? Number(fields.get("ply")) || 0 : moves.length;
    const record = new GameRecord(fullGame(game), split("setup").join(" "), moves, ply);
    const resigned = fields.get("resigned");
    if (record.atEnd && (resigned === "p1" || resigned === "p2")) record.resigned = resigned;
    return record;
  }

  /**
   * The games that a text may mean, the likeliest first: a link, protocol commands, or only moves of the
   * game `current`. Throws if there are none.
   */
  static fromText(text, current) {
    const trimmed = text.trim();
    if (!trimmed) throw new Error(t("error.nothing"));
    const linked = /^\S+$/.test(trimmed) ? fromLink(trimmed) : null;
    if (linked) return [linked];
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
    const newGame = lines.findLast((line) => /^newgame\b/.test(line));
    const position = lines.findLast((line) => /^position\b/.test(line));
    const resigned = lines.map((line) => /^#\s*(p[12]) resigned$/.exec(line)?.[1]).find(Boolean);
    const game = newGame ? fullGame(splitWords(newGame).slice(1)) : current;
    const rest = lines.filter((line) => !/^(newgame|position|#)/.test(line)).join(" ");
    if (position && rest) throw new Error(t("error.word", { word: rest.slice(0, 40) }));
    if (!newGame && !position && !rest) throw new Error(t("error.nothing"));
    const [setup, moves] = position ? splitPosition(splitWords(position).slice(1)) : [[], splitWords(rest)];
    const bad = [...splitWords(game), ...setup, ...moves].find((word) => !isWord(word));
    if (bad !== undefined) throw new Error(t("error.word", { word: bad.slice(0, 40) }));
    const make = (list) => Object.assign(new GameRecord(game, setup.join(" "), list), { resigned: resigned ?? null });
    const digits = moves.length === 1 && /^\d{2,}$/.test(moves[0]);
    return digits ? [make(moves), make([...moves[0]])] : [make(moves)];
  }
}

const isWord = (word) => WORD.test(word);
const splitWords = (text) => text.split(/[\s,]+/).filter(Boolean);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The game of a link to any copy of the page, or of one whose query has the moves: `?pos=444`. */
function fromLink(text) {
  const at = text.indexOf("#");
  const linked = at >= 0 ? GameRecord.fromFragment(text.slice(at)) : null;
  if (linked) return linked;
  if (/^(c4|boom|wali|kalah)(-[\dxempty]+)?:/.test(text)) return fromShortFragment(text);
  const query = /(?:^|[?&])((?:pos|game)=.*)$/.exec(text)?.[1];
  return query ? GameRecord.fromFragment(query) : null;
}

/** `#c4:4444`, `#c4-8x8x4:12a@2`, `#wali:b2-c2`, `#kalah-6x4xempty:36`. */
function fromShortFragment(text) {
  const match = SHORT_FRAGMENT.exec(text);
  if (!match) return null;
  const [, code, size, list, ply, resigned] = match;
  const { game, usual, digits } = SHORT[code];
  const parameters = size ? size.replaceAll("x", " ") : usual;
  const moves = digits ? [...list].map(digitMove) : list.split("-").filter(Boolean);
  const record = new GameRecord(`${game} ${parameters}`.trim(), "", moves, ply === undefined ? moves.length : Number(ply));
  if (record.atEnd && resigned) record.resigned = resigned;
  return record;
}

/** A number as one character: 10 is `a`; `boom` is `z`. */
const moveDigit = (move) => (move === "boom" ? "z" : /^([1-9]|[12]\d|3[0-4])$/.test(move) ? Number(move).toString(36) : "?");
const digitMove = (digit) => (digit === "z" ? "boom" : String(Number.parseInt(digit, 36)));

/** The arguments of `newgame` with what may be left out: Connect Four, and the usual parameters. */
function fullGame(words) {
  const game = (/^\d*$/.test(words[0] ?? "") ? ["connect4", ...words] : words).join(" ");
  const short = Object.values(SHORT).find((known) => known.game === game);
  return short ? `${game} ${short.usual}`.trim() : game;
}

/** The arguments of `position`: the setup and the moves. */
function splitPosition(list) {
  const at = list.indexOf("moves");
  const setup = (at < 0 ? list : list.slice(0, at)).filter((word) => word !== "startpos");
  return [setup, at < 0 ? [] : list.slice(at + 1)];
}
