"""The position as data: the JSON object of the command ``state``, as protocol.md describes it."""

from __future__ import annotations

from typing import Literal, TypedDict, Union

from .types import GameName, Result, Side

#: ``[row, column]``, an index into the rows of the board: from the top, from the left.
Cell = list[int]
EndReason = Literal[
    "line", "board full", "no move", "move limit", "stones gone", "repetition", "no capture",
    "houses empty",
]


class Ending(TypedDict):
    """Why the game is over, and the cells of the winning line, if there is one."""

    reason: EndReason
    cells: list[Cell]


class Bomb(TypedDict):
    """A bomb of BOOM, and the enemy pieces that it now removes."""

    cell: Cell
    removes: list[Cell]


class BoardState(TypedDict, total=False):
    """The board. Keys that a game does not need are absent."""

    #: From the top; a cell is ``None``, ``"p1"`` or ``"p2"``, in Kalah a number of seeds.
    rows: list[list[Union[Side, int, None]]]
    column_names: list[str]
    row_names: list[str]
    stores: dict[Side, int]
    in_hand: dict[Side, int]
    phase: Literal["drop", "move"]
    quiet: int
    move_number: int
    moves_left: int
    bombs: dict[Side, Union[Bomb, None]]


#: What a move does. Keys that a game does not need are absent.
MoveState = TypedDict(
    "MoveState",
    {
        "move": str,
        "side": Side,
        "again": bool,
        "from": Cell,
        "to": Cell,
        "bomb": bool,
        "path": list[Union[Cell, Side]],
        "removed": list[Cell],
        "falls": list[list[Cell]],
        "gain": int,
    },
    total=False,
)


class State(TypedDict):
    """Everything about the position."""

    game: str
    name: GameName
    parameters: dict[str, Union[int, bool]]
    position: str
    side: Side
    result: Result
    ending: Union[Ending, None]
    board: BoardState
    moves: list[MoveState]
    history: list[str]
    last: Union[MoveState, None]
    solver: bool
    book: bool
    drawing: list[str]
