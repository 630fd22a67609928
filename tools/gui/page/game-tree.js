// A game with its variations. Looking at a position changes only what is on the board: moves are added,
// never replaced.

import { GameRecord } from "./game-record.js";

let lastId = 0;

/** A position of the tree: the move that led to it, and the moves that were tried from it. */
class Node {
  id = (lastId += 1);
  move;
  parent;
  ply;
  /** The first one continues the line in which the position first occurred. */
  children = [];
  /** The child visited last, which `Redo` goes to. */
  next = null;
  /** The side that resigned here, or null. */
  resigned = null;
  /** Who made the move, once it is known. */
  side = null;
  /** What a review found: `{ mark, before, after, best }`. */
  review = null;

  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The number of the turn, if it is known who made the moves: each begins with the first player. */
  get turn() {
    const { parent, side, ply } = this;
    if (!parent) return 0;
    const isNext = ply === 1 || (side === "p1" && parent.side !== side);
    return parent.turn + (isNext ? 1 : 0);
  }

  /** The turn as it is written before the move: `2.` for the first player, `2…` for the second. */
  get number() {
    return `${this.turn}${this.side === "p1" ? "." : "…"}`;
  }

  child(move) {
    return this.children.find((child) => child.move === move);
  }
}

export class GameTree {
  /** Identifies the game among the stored ones. */
  id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  game;
  setup;
  root = new Node(null, null);
  current = this.root;
  /** Grows with every new position. */
  version = 0;
  #record = null;

  constructor(game, setup = "") {
    this.game = game;
    this.setup = setup;
  }

  static fromRecord(record) {
    const tree = new GameTree(record.game, record.setup);
    for (const move of record.moves) tree.play(move);
    tree.current.resigned = record.resigned;
    tree.goToPly(record.ply);
    return tree;
  }

  /** The line through the current position, to the end of the moves visited last. */
  get record() {
    if (this.#record) return this.#record;
    const nodes = this.#path(this.current);
    while (!nodes.at(-1).resigned && nodes.at(-1).next) nodes.push(nodes.at(-1).next);
    const moves = nodes.slice(1).map(({ move }) => move);
    const record = new GameRecord(this.game, this.setup, moves, this.current.ply);
    record.resigned = this.current.resigned;
    record.nodes = nodes;
    return (this.#record = record);
  }

  #path(node) {
    const nodes = [];
    for (let at = node; at; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** Goes to the position after a move, which is added if it is new. */
  play(move) {
    let child = this.current.child(move);
    if (!child) {
      child = new Node(move, this.current);
      this.current.children.push(child);
      this.version += 1;
    }
    this.goTo(child);
  }

  goTo(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
    this.#record = null;
  }

  /** Goes to a position of the current line. */
  goToPly(ply) {
    this.goTo(this.record.nodes[Math.max(0, Math.min(ply, this.record.moves.length))]);
  }

  /** Ends the line in the current position; the moves after it stay in the tree. */
  endLine() {
    this.current.next = null;
    this.#record = null;
  }

  /** The node with this id, or undefined. */
  find(id) {
    const open = [this.root];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.id === id) return node;
      open.push(...node.children);
    }
    return undefined;
  }

  /** Notes that a side resigned in the current position; null takes it back. */
  resign(side) {
    this.current.resigned = side;
    this.version += 1;
    this.#record = null;
  }

  /** The tree for storage: each position names its parent by its index, which is smaller. */
  toJSON() {
    const nodes = [this.root];
    for (let at = 0; at < nodes.length; at += 1) nodes.push(...nodes[at].children);
    const index = new Map(nodes.map((node, at) => [node, at]));
    const moves = nodes.slice(1).map((node) => [node.move, index.get(node.parent), ...(node.resigned ? [node.resigned] : [])]);
    return { id: this.id, game: this.game, setup: this.setup, moves, current: index.get(this.current) };
  }

  /** The stored tree, or null if it is not one. */
  static fromJSON(stored) {
    try {
      const tree = new GameTree(String(stored.game), String(stored.setup ?? ""));
      const nodes = [tree.root];
      for (const [move, parent, resigned = null] of stored.moves) {
        tree.current = nodes[parent];
        tree.play(String(move));
        tree.current.resigned = resigned;
        nodes.push(tree.current);
      }
      tree.id = String(stored.id);
      tree.goTo(nodes[stored.current] ?? tree.root);
      return tree;
    } catch {
      return null;
    }
  }
}
