// The views, by game. A game without a view is shown as text.

import { Boom } from "./boom.js";
import { ConnectFour } from "./connect4.js";
import { Generic } from "./generic.js";
import { Kalah } from "./kalah.js";
import { Wali } from "./wali.js";

const VIEWS = { connect4: ConnectFour, boom: Boom, wali: Wali, kalah: Kalah };

/**
 * The view of a game, which is a class:
 *
 * - `static title`: the name of the game; optional.
 * - `static size(parameters)`: those of the game in a few words; optional.
 * - `constructor(root, play)`: draws into the element `root`, calls `play(move)` when the user has
 *   chosen a move on the board.
 * - `show(state, previous, move)`: draws a position as `state` describes it. If `move` led to it from
 *   `previous`, it may be animated; the promise resolves at the end of the animation.
 * - `annotate({ playable, moveScores, pv, line, hint })`: draws whether the user may move, the scores
 *   of moves, the principal variation, of which `line` says what its first moves do, and a
 *   recommended move.
 * - `actions(state)`: the moves without a place on the board, as `{ move, label }`.
 * - `instruction(state)`: what the side to move may do, in a few words; optional.
 */
export const viewOf = (name) => VIEWS[name] ?? Generic;

/** The name of a game shown to users. */
export const titleOf = (name) => viewOf(name).title ?? name;

/** The parameters of a game shown to users. */
export const sizeOf = (name, parameters) => viewOf(name).size?.(parameters) ?? Object.values(parameters ?? {}).join(" × ");
