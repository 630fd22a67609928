// A game: its parameters, start position and moves, and how many of the moves are on the board.

/** The words of a game: nothing that could be another command or a second line. */
const WORD = /^[\w./+-]{1,100}$/;

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

  /** The whole game as a URL fragment, at `ply`. */
  fragment(ply = this.ply) {
    const fields = new URLSearchParams({ game: this.game });
    if (this.setup) fields.set("setup", this.setup);
    if (this.moves.length) fields.set("moves", this.moves.join(" "));
    if (ply !== this.moves.length) fields.set("ply", ply);
    if (this.resigned) fields.set("resigned", this.resigned);
    return `#${fields}`;
  }

  /** The game in a URL fragment, or null. */
  static fromFragment(fragment) {
    const fields = new URLSearchParams(fragment.replace(/^#/, ""));
    const split = (name) => splitWords(fields.get(name) ?? "");
    const game = split("game");
    if (!fields.has("game") || ![...game, ...split("setup"), ...split("moves")].every(isWord)) return null;
    const moves = split("moves");
    const ply = fields.has("ply") ? Number(fields.get("ply")) || 0 : moves.length;
    const record = new GameRecord(game.join(" "), split("setup").join(" "), moves, ply);
    const resigned = fields.get("resigned");
    if (record.atEnd && (resigned === "p1" || resigned === "p2")) record.resigned = resigned;
    return record;
  }

  /**
   * The games that a text may mean, the likeliest first: protocol commands, or only moves of the
   * game `current`. Throws if there are none.
   */
  static fromText(text, current) {
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
    const newGame = lines.findLast((line) => /^newgame\b/.test(line));
    const position = lines.findLast((line) => /^position\b/.test(line));
    const resigned = lines.map((line) => /^#\s*(p[12]) resigned$/.exec(line)?.[1]).find(Boolean);
    const game = newGame ? splitWords(newGame).slice(1).join(" ") : current;
    const rest = lines.filter((line) => !/^(newgame|position|#)/.test(line)).join(" ");
    if (position && rest) throw new Error(`unexpected "${rest.slice(0, 40)}"`);
    const [setup, moves] = position ? splitPosition(splitWords(position).slice(1)) : [[], splitWords(rest)];
    const bad = [...splitWords(game), ...setup, ...moves].find((word) => !isWord(word));
    if (bad !== undefined) throw new Error(`invalid word "${bad.slice(0, 40)}"`);
    const make = (list) => Object.assign(new GameRecord(game, setup.join(" "), list), { resigned: resigned ?? null });
    const digits = moves.length === 1 && /^\d{2,}$/.test(moves[0]);
    return digits ? [make(moves), make([...moves[0]])] : [make(moves)];
  }
}

const isWord = (word) => WORD.test(word);
const splitWords = (text) => text.split(/[\s,]+/).filter(Boolean);

/** The arguments of `position`: the setup and the moves. */
function splitPosition(list) {
  const at = list.indexOf("moves");
  const setup = (at < 0 ? list : list.slice(0, at)).filter((word) => word !== "startpos");
  return [setup, at < 0 ? [] : list.slice(at + 1)];
}
