"""Parsed search output: scores, ``info`` lines and the result of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from .types import ScoreKind


@dataclass(frozen=True)
class Score:
    """The value of a position or a move for the side to move.

    ``kind`` is ``cp`` for an evaluation of ``value`` points, ``win`` or ``loss`` for a proved
    result in ``value`` plies, ``draw`` for a proved draw, ``margin`` for a proved final lead.
    """

    kind: ScoreKind
    value: int = 0

    @property
    def is_proved(self) -> bool:
        """Whether the score is exact under perfect play, not an evaluation."""
        return self.kind != "cp"

    @staticmethod
    def from_words(words: Sequence[str]) -> Score:
        """Parses words such as ``["win", "7"]``; any words after the score are ignored."""
        if words[0] == "draw":
            return Score("draw")
        return Score(cast(ScoreKind, words[0]), int(words[1]))

    def __str__(self) -> str:
        return self.kind if self.kind == "draw" else f"{self.kind} {self.value}"


@dataclass(frozen=True)
class Info:
    """An ``info`` line: a principal variation and its score."""

    #: The principal variation; empty if the game is over.
    pv: list[str]
    #: ``None`` if the strategy does not evaluate.
    score: Score | None = None
    #: Rank of this variation, from 1.
    multipv: int = 1
    #: Plies searched.
    depth: int = 0
    #: The greatest depth reached, in plies.
    seldepth: int = 0
    nodes: int = 0
    #: Nodes per second.
    nps: int = 0
    #: How full the transposition table is, in permille.
    hashfull: int = 0
    #: Milliseconds.
    time: int = 0
    #: Whether the score is only a bound, because the search was interrupted.
    bound: Literal["lower", "upper"] | None = None
    #: The chances of win, draw and loss in permille, with the option ``UCI_ShowWDL``.
    wdl: tuple[int, int, int] | None = None

    @staticmethod
    def from_words(words: Sequence[str]) -> Info | None:
        """Parses the words of an ``info`` line; ``None`` if it has neither variation nor score."""
        if not {"pv", "score"} & set(words) or words[1] == "string":
            return None
        start = words.index("pv") if "pv" in words else len(words)
        head, pv = words[:start], words[start + 1 :]
        value_of = dict(zip(head, head[1:]))

        def number(name: str, default: int = 0) -> int:
            return int(value_of.get(name, default))

        wdl = None
        if "wdl" in head:
            win, draw, loss = head[head.index("wdl") + 1 :][:3]
            wdl = int(win), int(draw), int(loss)
        return Info(
            pv=list(pv),
            score=Score.from_words(head[head.index("score") + 1 :]) if "score" in head else None,
            multipv=number("multipv", 1),
            depth=number("depth"),
            seldepth=number("seldepth"),
            nodes=number("nodes"),
            nps=number("nps"),
            hashfull=number("hashfull"),
            time=number("time"),
            bound="lower" if "lowerbound" in head else "upper" if "upperbound" in head else None,
            wdl=wdl,
        )


@dataclass(frozen=True)
class Analysis:
    """The result of a search."""

    #: The best move, or ``None`` if the game is over.
    best: str | None
    #: The opponent's expected turn: usually one move, several where players move more than once
    #: in a turn, none if it is unknown or if the mover moves again.
    ponder: list[str] = field(default_factory=list)
    #: The last ``info`` of each variation, best first.
    multipv: list[Info] = field(default_factory=list)

    @property
    def score(self) -> Score | None:
        """The score of the best variation, if the engine reported one."""
        return self.multipv[0].score if self.multipv else None

    @property
    def pv(self) -> list[str]:
        """The best variation, if the engine reported one."""
        return self.multipv[0].pv if self.multipv else []
