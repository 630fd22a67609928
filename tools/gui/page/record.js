// The game so far: which game, from which position, which moves, and where we are in it.

/** A move is a word of these characters: nothing that could be a command or a second line. */
const WORD = /^[\w./+-]{1,100}$/;

export class Record {
  /** The words after `newgame`. */
  words;
  /** The position's own words; empty for the start position. */
  setup;
  moves;
  /** How many of the moves are on the board. */
  ply;
  /** The side that gave up, or null. */
  resigned = null;

  constructor(words, setup = "", moves = [], ply = moves.length) {
    this.words = words;
    this.setup = setup;
    this.moves = moves;
    this.ply = Math.max(0, Math.min(ply, moves.length));
  }

  get atEnd() {
    return this.ply === this.moves.length;
  }

  /** The command that sets the position after `ply` moves up. */
  position(ply = this.ply) {
    const moves = this.moves.slice(0, ply);
    const start = this.setup || "startpos";
    return moves.length ? `position ${start} moves ${moves.join(" ")}` : `position ${start}`;
  }

  /** What the position after `ply` moves is remembered by. */
  key(ply = this.ply) {
    return `${this.words}|${this.position(ply)}`;
  }

  /** Plays a move here. What came after is gone. */
  play(move) {
    this.moves = [...this.moves.slice(0, this.ply), move];
    this.ply = this.moves.length;
    this.resigned = null;
  }

  /** The whole game as commands of the protocol. */
  text() {
    const end = this.resigned ? [`# ${this.resigned} resigned`] : [];
    return [`newgame ${this.words}`, this.position(this.moves.length), ...end].join("\n");
  }

  /** The whole game as the end of an address. */
  fragment() {
    const fields = new URLSearchParams({ game: this.words });
    if (this.setup) fields.set("setup", this.setup);
    if (this.moves.length) fields.set("moves", this.moves.join(" "));
    if (!this.atEnd) fields.set("ply", this.ply);
    if (this.resigned) fields.set("resigned", this.resigned);
    return `#${fields}`;
  }

  /** The game in an address, or null. */
  static fromFragment(fragment) {
    const fields = new URLSearchParams(fragment.replace(/^#/, ""));
    const split = (name) => words(fields.get(name) ?? "");
    const game = split("game");
    if (!fields.has("game") || ![...game, ...split("setup"), ...split("moves")].every(isWord)) return null;
    const moves = split("moves");
    const ply = fields.has("ply") ? Number(fields.get("ply")) || 0 : moves.length;
    const record = new Record(game.join(" "), split("setup").join(" "), moves, ply);
    const resigned = fields.get("resigned");
    if (record.atEnd && (resigned === "p1" || resigned === "p2")) record.resigned = resigned;
    return record;
  }

  /**
   * The games that a text may mean, the likeliest first: commands of the protocol, or just moves
   * of the game with the words `current`. Throws if it can be none.
   */
  static fromText(text, current) {
    const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
    const begin = lines.findLast((line) => /^newgame\b/.test(line));
    const place = lines.findLast((line) => /^position\b/.test(line));
    const resigned = lines.map((line) => /^#\s*(p[12]) resigned$/.exec(line)?.[1]).find(Boolean);
    const game = begin ? words(begin).slice(1).join(" ") : current;
    const rest = lines.filter((line) => !/^(newgame|position|#)/.test(line)).join(" ");
    if (place && rest) throw new Error(`unexpected "${rest.slice(0, 40)}" beside the position`);
    const [setup, moves] = place ? parts(words(place).slice(1)) : [[], words(rest)];
    const bad = [...words(game), ...setup, ...moves].find((word) => !isWord(word));
    if (bad !== undefined) throw new Error(`"${bad.slice(0, 40)}" is no word of a game`);
    const make = (list) => Object.assign(new Record(game, setup.join(" "), list), { resigned: resigned ?? null });
    const digits = moves.length === 1 && /^\d{2,}$/.test(moves[0]);
    return digits ? [make(moves), make([...moves[0]])] : [make(moves)];
  }
}

const isWord = (word) => WORD.test(word);
const words = (text) => text.split(/[\s,]+/).filter(Boolean);

/** The words of `position` apart: its own, and the moves. */
function parts(list) {
  const at = list.indexOf("moves");
  const own = (at < 0 ? list : list.slice(0, at)).filter((word) => word !== "startpos");
  return [own, at < 0 ? [] : list.slice(at + 1)];
}
