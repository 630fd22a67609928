"""Options, as the engine announces them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Union, cast

from .errors import EngineError

OptionType = Literal["spin", "check", "combo", "string", "button"]
OptionValue = Union[int, bool, str, None]
_KEYS = ("type", "default", "min", "max", "var")


@dataclass(frozen=True)
class Option:
    """An option: its type, default and limits."""

    name: str
    type: OptionType
    default: OptionValue = None
    min: int = 0
    max: int = 0
    #: The values of a combo.
    var: list[str] = field(default_factory=list)

    @staticmethod
    def from_words(words: Sequence[str]) -> Option:
        """Parses the words of a line ``option name …``."""
        values: dict[str, list[str]] = {"name": []}
        var: list[str] = []
        key = "name"
        for word in words[2:]:
            if word in _KEYS:
                key = word
                values.setdefault(key, [])
            elif key == "var":
                var.append(word)
            else:
                values[key].append(word)
        texts = {key: " ".join(found) for key, found in values.items()}
        kind = cast(OptionType, texts["type"])
        option = Option(
            texts["name"], kind, None, int(texts.get("min", 0)), int(texts.get("max", 0)), var
        )
        default = option.parse(texts["default"]) if "default" in texts else None
        return Option(option.name, kind, default, option.min, option.max, var)

    def parse(self, text: str) -> OptionValue:
        """A value from its text, as the option's type."""
        if self.type == "spin":
            return int(text)
        if self.type == "check":
            return text == "true"
        return "" if text == "<empty>" else text

    def format(self, value: OptionValue) -> str:
        """A value as text; an :class:`EngineError` if the option cannot have it."""
        expected = {
            "spin": f"an integer from {self.min} to {self.max}",
            "check": "True or False",
            "combo": f"one of {', '.join(self.var)}",
            "string": "a string",
            "button": "None",
        }[self.type]
        is_number = isinstance(value, int) and not isinstance(value, bool)
        valid = {
            "spin": is_number and self.min <= cast(int, value) <= self.max,
            "check": isinstance(value, bool),
            "combo": isinstance(value, str) and value.lower() in map(str.lower, self.var),
            "string": isinstance(value, str),
            "button": value is None,
        }[self.type]
        if not valid:
            raise EngineError(f"{self.name} must be {expected} (got {value!r})")
        if value == "":
            return "<empty>"
        return str(value).lower() if isinstance(value, bool) else str(value)
