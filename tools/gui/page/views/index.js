// The views: how a game is drawn, by its name. A game without one is shown as text.

import { Boom } from "./boom.js";
import { ConnectFour } from "./connect4.js";
import { Generic } from "./generic.js";
import { Kalah } from "./kalah.js";
import { Wali } from "./wali.js";

const VIEWS = { connect4: ConnectFour, boom: Boom, wali: Wali, kalah: Kalah };

/**
 * The view of a game. A view is a class:
 *
 * - `static title`: what people call the game; may be missing.
 * - `constructor(root, play)`: draws into the element `root`, calls `play(move)` when a move was
 *   chosen on the board.
 * - `show(state, before, move)`: draws a position, the answer of `d` and `moves`. If it came about
 *   by `move` from `before`, that may be shown; the promise resolves when it was.
 * - `mark({ playable, worth, line, hint })`: whether a person may move now, what moves are worth,
 *   the expected line, and a move to point at.
 * - `actions(state)`: moves that have no place on the board, as `{ move, label }`.
 * - `remark(state)`: a few words about the turn; may be missing.
 */
export const viewOf = (name) => VIEWS[name] ?? Generic;

/** What people call a game. */
export const titleOf = (name) => viewOf(name).title ?? name;
