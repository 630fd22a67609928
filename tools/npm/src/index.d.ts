/** A score for the side to move: heuristic (`cp`) or proved (all others; distances in plies). */
export type Score =
  | { kind: "cp"; value: number }
  | { kind: "win"; value: number }
  | { kind: "loss"; value: number }
  | { kind: "draw" }
  /** Kalah: the final lead. */
  | { kind: "margin"; value: number };

/** What a search has found so far. */
export interface Info {
  /** The rank of the line, from 1. */
  rank: number;
  depth?: number;
  score: Score;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
  /** The principal variation. */
  pv: string[];
}

/** A list, or a string such as `4 4 3` or `443`. */
export type Moves = string | readonly (string | number)[];

/** No other names, and no line breaks in texts: else a call rejects with a `TypeError`, and nothing is sent. */
export interface SearchOptions {
  /** The words after `newgame`, for example `connect4 8 8`. The game in progress if left out. */
  game?: string;
  /** The words after `position`, `startpos` if left out. */
  position?: string;
  /** The moves that lead from there to the position. */
  moves?: Moves;
  /** The only moves to be searched. */
  searchmoves?: Moves;
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Called with each result on the way. If it throws, the search is stopped and rejects with that error. */
  onInfo?: (info: Info) => void;
  /**
   * Stops the search, which then resolves to what it has found. A call whose search has not begun rejects with the
   * signal's reason, by default an `AbortError`; other calls do not change.
   */
  signal?: AbortSignal;
}

export interface SearchResult {
  /** `null` if the game is over. */
  bestMove: string | null;
  /** The opponent's expected turn. */
  ponder: string[];
  score: Score | null;
  pv: string[];
  rank?: number;
  depth?: number;
  nodes?: number;
  time?: number;
  /** The last report of each line. */
  lines: Info[];
  /** The scores of all moves; only `analyse` finds them. */
  scores: { move: string; score: Score }[];
}

export interface EngineOptions {
  /** The address of the WebAssembly module, if it is not beside the package's code. */
  wasm?: string | URL;
  /** The address of the module with threads, which the package does not contain. Without, an engine has one. */
  wasmThreads?: string | URL;
  /** The address of the worker's code, likewise. */
  worker?: string | URL;
}

/** The engine refused a command, or has ended. */
export class EngineError extends Error {}

/** An engine in a worker of its own. Calls are carried out one after another, each as a whole. */
export class Engine {
  constructor(options?: EngineOptions);
  /** Called with each line of the engine. */
  onLine: (line: string) => void;
  /** Called when the engine has ended by itself, with the reason. */
  onExit: (status: string) => void;
  /** Sends a line of the protocol, at once. */
  send(line: string): void;
  /**
   * Sends commands that are answered at once, and resolves to the lines of their replies. Rejects with a `TypeError`,
   * and sends nothing, if one of them searches or changes the dialect.
   */
  ask(...lines: string[]): Promise<string[]>;
  /** Searches for the best move. Without a limit, for a second. */
  search(options?: SearchOptions): Promise<SearchResult>;
  /** Scores every move: exactly where a solver finishes within the limits. Without a limit, for a second. */
  analyse(options?: SearchOptions): Promise<SearchResult>;
  /** Solves the position. */
  solve(options?: SearchOptions): Promise<SearchResult>;
  /** Ends the engine at once. */
  end(): void;
}
