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
 * - `constructor(root, play)`: fills the element `root`, which has a definite size, at any aspect ratio;
 *   calls `play(move)` when the user has chosen a move on the board.
 * - `side`: the side of the person at the board, or null; to be set before `show`.
 * - `show(state, previous, move)`: draws a position as `state` describes it. If `move` led to it from
 *   `previous`, it is animated, unless the user prefers reduced motion; the promise resolves at the end of
 *   the animation. The last move and the winning line are marked as `state` says.
 * - `annotate({ playable, moveScores, best, line, hint })`: whether the user may move, the scores of moves
 *   and which moves are the best, what the first moves of the principal variation do, and a recommended
 *   move. May be called at any rate: a frame draws what has changed.
 * - `actions(state)`: the moves without a place on the board, as `{ move, label }`.
 * - `instruction(state)`: what the side to move may do, in a few words; optional.
 * - `aspect`: about how wide the view would be for its height; optional.
 * - `focus()`: focuses the board. `destroy()`: ends the view.
 *
 * A view handles arrows, Home, End, Enter, Space and Escape while one of its places is focused. Places that
 * can be chosen have `data-move`, in Wali `data-cell`.
 */
export const viewOf = (name) => VIEWS[name] ?? Generic;
