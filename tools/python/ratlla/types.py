"""The words of the protocol that methods take and return, and the limits of a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal, TypedDict, Union

from .errors import EngineError

GameName = Literal["connect4", "boom", "wali", "kalah"]
#: A game, with or without its parameters: ``"kalah"``, ``"kalah 6 4"``, ``("kalah", 6, 4)``.
GameLike = Union[GameName, str, Sequence[Union[str, int]]]
Side = Literal["p1", "p2"]
Result = Literal["none", "p1win", "p2win", "draw"]
#: The values of the option ``Strategy``. Each game has some of them.
Strategy = Literal[
    "random", "greedy", "smart", "minimax", "alphabeta", "easy", "hard", "simple", "full"
]
ScoreKind = Literal["cp", "win", "loss", "draw", "margin"]
#: A move as the engine writes it; columns and houses may be given as numbers.
MoveLike = Union[str, int]


class Limits(TypedDict, total=False):
    """Keywords of a search. All given limits apply; times are in milliseconds."""

    #: Plies.
    depth: int
    nodes: int
    movetime: int
    #: The time left on the clocks of both players, and their increments per move.
    p1time: int
    p2time: int
    p1inc: int
    p2inc: int
    #: Moves until the next time control.
    movestogo: int
    #: Search for a win in this many moves.
    mate: int
    #: Give no answer before ``stop()``.
    infinite: bool
    #: Give no answer before ``ponderhit()`` or ``stop()``; time limits start at ``ponderhit()``.
    ponder: bool
    #: Consider only these moves.
    searchmoves: Iterable[MoveLike]


#: Limits that end a search.
ENDING = frozenset({"depth", "nodes", "movetime", "p1time", "p2time", "mate"})


def game_words(game: GameLike, *parameters: int | str) -> list[str]:
    """The words after ``newgame``, in whichever form the game was given."""
    words = [game] if isinstance(game, str) else game
    return " ".join(map(str, [*words, *parameters])).split()


def given_limits(limits: Mapping[str, object]) -> dict[str, object]:
    """The limits that apply: ``None`` and ``False`` stand for none.

    Raises ``TypeError`` for an unknown one, as the call of a function without ``**limits`` would.
    """
    known = Limits.__annotations__
    for name in limits:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f", did you mean {near[0]!r}?" if near else ""
            raise TypeError(
                f"unexpected keyword argument {name!r}{hint} (limits: {', '.join(known)})"
            )
    return {
        name: value for name, value in limits.items() if value is not None and value is not False
    }


def format_limits(limits: Mapping[str, object]) -> str:
    """Limits as words of the command ``go``, each preceded by a space.

    Raises ``TypeError`` for unknown limits and values that are not integers, as a wrong call would.
    """
    words: list[str] = []
    for name, value in given_limits(limits).items():
        if name == "searchmoves":
            assert isinstance(value, Iterable)
            words += [name, *split_moves(value)]
        elif name in ("infinite", "ponder"):
            words.append(name)
        elif isinstance(value, int):
            words += [name, str(int(value))]
        else:
            raise TypeError(f"{name} must be an integer (got {value!r})")
    return "".join(f" {word}" for word in words)


def split_moves(moves: str | Iterable[object]) -> list[str]:
    """Moves as texts. A string is split at spaces and commas; digits alone are a column each."""
    if not isinstance(moves, str):
        return [str(move) for move in moves]
    words = moves.replace(",", " ").split()
    return list(words[0]) if len(words) == 1 and words[0].isdigit() else words


def one_word(move: object) -> str:
    """A move as the one word that it is: more would be several moves, and none would be no move."""
    text = str(move)
    if len(text.split()) != 1:
        raise EngineError(f"expected a move, got {text!r}")
    return text
