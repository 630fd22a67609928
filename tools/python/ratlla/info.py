"""Parsed search output: scores, ``info`` lines and the result of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Score:
    """The value of a position or a move for the side to move.

    ``kind`` is ``cp`` for an evaluation of ``value`` points, ``win`` or ``loss`` for a proved
    result in ``value`` plies, ``draw`` for a proved draw, ``margin`` for a proved final lead.
    """

    kind: str
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
        return Score(words[0], int(words[1]))

    def __str__(self) -> str:
        return self.kind if self.kind == "draw" else f"{self.kind} {self.value}"


@dataclass(frozen=True)
class Info:
    """An ``info`` line: a principal variation and its score."""

    #: The principal variation.
    pv: list[str]
    #: ``None`` if the strategy does not evaluate.
    score: Score | None = None
    #: Rank of this variation, from 1.
    multipv: int = 1
    #: Plies searched.
    depth: int = 0
    nodes: int = 0
    #: Milliseconds.
    time: int = 0

    @staticmethod
    def from_words(words: Sequence[str]) -> Info | None:
        """Parses the words of an ``info`` line; ``None`` if it has no principal variation."""
        if "pv" not in words or words[1] == "string":
            return None
        start = words.index("pv")
        head, pv = words[:start], words[start + 1 :]
        value_of = dict(zip(head, head[1:]))
        return Info(
            pv=list(pv),
            score=Score.from_words(head[head.index("score") + 1 :]) if "score" in head else None,
            multipv=int(value_of.get("multipv", 1)),
            depth=int(value_of.get("depth", 0)),
            nodes=int(value_of.get("nodes", 0)),
            time=int(value_of.get("time", 0)),
        )


@dataclass(frozen=True)
class Analysis:
    """The result of a search."""

    #: The best move, or ``None`` if the game is over.
    best: str | None
    #: The opponent's expected turn: usually one move, several where players move more than once
    #: in a turn, none if it is unknown or if the mover moves again.
    ponder: list[str] = field(default_factory=list)
    #: The last ``info`` of each variation, best first. The option ``MultiPV`` sets their number.
    multipv: list[Info] = field(default_factory=list)

    @property
    def score(self) -> Score | None:
        """The score of the best variation, if the engine reported one."""
        return self.multipv[0].score if self.multipv else None
