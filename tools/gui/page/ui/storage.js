// What the browser keeps: games, which outlive their tab, and settings. Each tab has its own game.

const GAMES = "ratlla-games";
const TAB = "ratlla-tab";
const MAX_GAMES = 30;

/** A stored value, or null. */
export function readSetting(key, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

export function writeSetting(key, value, storage = localStorage) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or disabled: nothing is kept.
  }
}

/** The games: each is `{ tree, ply, players, paused, time }`, with the tree as `GameTree.toJSON` writes it. */
export class GameStore {
  #saved = "";

  /** The games with moves, the latest first. */
  recent() {
    return this.#all().filter(({ tree }) => tree.moves.length);
  }

  #all() {
    const games = readSetting(GAMES);
    return Array.isArray(games) ? games.filter(({ tree }) => Array.isArray(tree?.moves)) : [];
  }

  /** The game that this tab showed last, or null. */
  ofTab() {
    const tab = readSetting(TAB, sessionStorage);
    return tab ? (this.#all().find(({ tree }) => tree.id === tab.id) ?? null) : null;
  }

  /** Whether the analysis was on in this tab. */
  analysisOfTab() {
    return readSetting(TAB, sessionStorage)?.analysis ?? false;
  }

  save({ tree, record, players, paused }, analysis) {
    writeSetting(TAB, { id: tree.id, analysis: analysis.on }, sessionStorage);
    const state = JSON.stringify([tree, players, paused]);
    if (this.#saved === state) return;
    this.#saved = state;
    const game = { tree: tree.toJSON(), ply: record.ply, players, paused, time: Date.now() };
    const others = this.#all().filter((other) => other.tree.id !== tree.id);
    // Of the games without moves only this one is kept.
    writeSetting(GAMES, [game, ...others.filter((other) => other.tree.moves.length)].slice(0, MAX_GAMES));
  }

  remove(id) {
    writeSetting(GAMES, this.#all().filter(({ tree }) => tree.id !== id));
  }
}
