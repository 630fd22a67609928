"""Why moves are good or bad: the answers to ``explain`` and ``why not``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .info import Score


@dataclass(frozen=True)
class Reason:
    """Why a move is good or bad. protocol.md lists the kinds."""

    move: str
    #: ``None`` if the move was not searched.
    score: Score | None
    #: The most important thing about the move, such as ``fork``.
    kind: str
    #: The cells that this is about, such as ``b1``.
    cells: list[str]
    #: English sentences; "you" is the side to move.
    text: str

    @staticmethod
    def from_words(words: Sequence[str]) -> Reason:
        """Parses the words of a line ``reason …``."""
        score, rest = _take_score(words[2:])
        head, text = _split_sentence(rest)
        return Reason(words[1], score, head[0], head[2:], text)


@dataclass(frozen=True)
class Refutation:
    """What is wrong with a move."""

    move: str
    score: Score | None
    best: str
    best_score: Score | None
    #: The moves that follow, as far as they were searched, beginning with the move itself.
    line: list[str]
    text: str

    @staticmethod
    def from_words(words: Sequence[str]) -> Refutation:
        """Parses the words of a line ``refutation …``."""
        score, rest = _take_score(words[2:])
        best_score, rest = _take_score(rest[2:])
        line, text = _split_sentence(rest[1:])
        return Refutation(words[1], score, words[words.index("best") + 1], best_score, line, text)


def _take_score(words: Sequence[str]) -> tuple[Score | None, Sequence[str]]:
    if words[0] == "none":
        return None, words[1:]
    return Score.from_words(words), words[1 if words[0] == "draw" else 2 :]


def _split_sentence(words: Sequence[str]) -> tuple[list[str], str]:
    """Splits at the first word that begins with a capital letter."""
    start = next((i for i, word in enumerate(words) if word[0].isupper()), len(words))
    return list(words[:start]), " ".join(words[start:])
