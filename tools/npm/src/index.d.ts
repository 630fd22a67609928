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

export interface SearchOptions {
  /** The words after `newgame`, for example `connect4 8 8`. The game in progress if left out. */
  game?: string;
  /** The words after `position`, `startpos` if left out. */
  position?: string;
  /** The moves: a list, or a string such as `4 4 3` or `443`. */
  moves?: string | readonly (string | number)[];
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Called with each result on the way. */
  onInfo?: (info: Info) => void;
  /** Stops the search, which then resolves to what it has found. */
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

/** An engine in a worker of its own. */
export class Engine {
  constructor(options?: EngineOptions);
  /** Called with each line of the engine. */
  onLine: (line: string) => void;
  /** Called when the engine has ended by itself, with the reason. */
  onExit: (status: string) => void;
  /** Sends a line of the protocol. */
  send(line: string): void;
  /** Sends commands that are answered at once, and resolves to the lines of their replies. */
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
