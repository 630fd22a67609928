"""What the engine says about a position, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence

#: Words of an ``info`` line that a number follows.
_NUMBERS = frozenset(
    ["depth", "seldepth", "multipv", "nodes", "leaves", "nps", "hashfull", "time"]
)


@dataclass(frozen=True)
class Score:
    """What a position or a move is worth to the side to move.

    ``kind`` is ``cp`` for an opinion in ``value`` points, ``win`` or ``loss`` for a proved result
    within ``value`` plies, ``draw`` for a proved draw, ``margin`` for a proved final lead.
    """

    kind: str
    value: int = 0

    @property
    def is_proved(self) -> bool:
        """Whether it holds for perfect play, and is no opinion."""
        return self.kind != "cp"

    @staticmethod
    def from_words(words: Sequence[str]) -> Score:
        """The score that words like ``["win", "7"]`` tell; words after them do not matter."""
        if words[0] == "draw":
            return Score("draw")
        return Score(words[0], int(words[1]))

    def __str__(self) -> str:
        return self.kind if self.kind == "draw" else f"{self.kind} {self.value}"


@dataclass(frozen=True)
class Line:
    """A line of play and what it is worth."""

    moves: List[str]
    score: Optional[Score] = None
    depth: int = 0
    nodes: int = 0
    time: int = 0

    @staticmethod
    def from_info(text: str) -> Optional[Line]:
        """The line of play in an ``info`` line, or ``None`` if it has none."""
        words = text.split()
        if "pv" not in words or words[1] == "string":
            return None
        start = words.index("pv")
        numbers: Dict[str, int] = {}
        score = None
        for word, following in zip(words[:start], words[1:start]):
            if word in _NUMBERS:
                numbers[word] = int(following)
            elif word == "score":
                score = Score.from_words(words[words.index("score") + 1 : start])
        return Line(
            moves=words[start + 1 :],
            score=score,
            depth=numbers.get("depth", 0),
            nodes=numbers.get("nodes", 0),
            time=numbers.get("time", 0),
        )


@dataclass(frozen=True)
class Analysis:
    """The answer to a question about a position."""

    #: The best move, or ``None`` if the game is over.
    best: Optional[str]
    #: The reply that is expected.
    ponder: Optional[str] = None
    #: The best lines, best first: as many as the option ``MultiPV`` asks for.
    lines: List[Line] = field(default_factory=list)

    @property
    def score(self) -> Optional[Score]:
        """What the position is worth, if the engine has an opinion."""
        return self.lines[0].score if self.lines else None
