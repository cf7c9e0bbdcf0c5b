# SPDX-License-Identifier: MIT
"""Values by name: parameters of type mapping, in the program's form."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple


def named_values(given: Any, where: str) -> Dict[str, Any]:
    """The values as Python's own types, lists for all sequences.

    Parameters
    ----------
    given : mapping
        Names, and numbers, texts, True, False, None, or lists of these.
    where : str
        The name of the parameter in messages: "The 'options' parameter of Library".

    Raises
    ------
    TypeError
        The value is not a mapping, a name is not a text, or a value is of another type.
    ValueError
        A name is empty, a number is not finite, or an integer needs more than 64 bits.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"{where} must be a dict of values by name, got {given!r}.")
    values = {}
    for name, value in given.items():
        if not isinstance(name, str):
            raise TypeError(f"{where} must have texts for names, got {name!r}.")
        if not name or name == "is":
            raise ValueError(f"{where} cannot have a value of the name {name!r}.")
        place = f"{where} has {name!r}, which"
        values[str(name)] = ([_scalar(item, place) for item in value] if _is_list(value)
                             else _scalar(value, place))
    return values


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0


def _scalar(value: Any, where: str) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if type(value).__name__ in ("bool_", "bool"):  # NumPy's, which may not be installed
        return bool(value)
    if isinstance(value, numbers.Integral):
        whole = int(value)
        if not -2**63 <= whole < 2**63:
            raise ValueError(f"{where} must fit in 64 bits, got {value!r}.")
        return whole
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ValueError(f"{where} must be finite, got {value!r}.")
        return float(value)
    raise TypeError(f"{where} must be a number, a text, True, False, None or a list of these, got "
                    f"{value!r}.")


@dataclass(frozen=True)
class Declared:
    """A parameter as its component declares it."""

    kind: str  #: "number", "integer", "text", "true or false", "component", "list of numbers", ...
    name: str = ""  #: in the component, where Python has another
    default: Any = None
    minimum: Optional[float] = None
    maximum: Optional[float] = None
    above: Optional[float] = None
    below: Optional[float] = None
    choices: Tuple[str, ...] = ()
    component: str = ""  #: kind of the component that it is
    required: bool = False
    optional: bool = False

    def value(self, given: Any, owner: str, name: str) -> Any:
        """The value in the form that the program takes.

        Parameters
        ----------
        given : object
            What the user has given.
        owner, name : str
            Class and parameter, for messages.

        Raises
        ------
        TypeError
            The value is of another type.
        ValueError
            It is out of the declared range.
        """
        where = f"The {name!r} parameter of {owner}"
        if self.kind.startswith("list of "):
            return self._list(given, where)
        if self.kind == "mapping":
            return named_values(given, where)
        return self._one(self.kind, given, where)

    def _list(self, given: Any, where: str) -> list:
        if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
            raise TypeError(f"{where} must be a {self.kind}, got {given!r}.")
        kind = {"list of numbers": "number", "list of integers": "integer"}.get(self.kind, "text")
        return [self._one(kind, item, where) for item in given]

    def _one(self, kind: str, given: Any, where: str) -> Any:
        if kind == "true or false":
            return _boolean(given, where)
        if kind == "integer":
            return self._within(_integer(given, where, self.range()), given, where)
        if kind == "number":
            return self._within(_number(given, where, self.range()), given, where)
        return self._text(given, where)

    def _text(self, given: Any, where: str) -> Any:
        if self.choices and self.range():
            return self._number_or_word(given, where)
        if self.choices:
            if not isinstance(given, str):
                raise TypeError(f"{where} must be {self._choices()}, got {given!r}.")
            if given not in self.choices:
                raise ValueError(f"{where} must be {self._choices()}, got {given!r}.")
            return str(given)
        if isinstance(given, numbers.Real) and not isinstance(given, bool):
            return repr(float(given))
        if not isinstance(given, str) and not hasattr(given, "__fspath__"):
            raise TypeError(f"{where} must be a text, got {given!r}.")
        return str(given)

    def _number_or_word(self, given: Any, where: str) -> Any:
        wanted = f"{where} must be {self._choices()} or a number{self.range()}, got {given!r}."
        if isinstance(given, str):
            if given not in self.choices:
                raise ValueError(wanted)
            return str(given)
        if _is_boolean(given) or not isinstance(given, numbers.Real):
            raise TypeError(wanted)
        return self._within(_number(given, where, self.range()), given, where)

    def _choices(self) -> str:
        return "one of " + ", ".join(repr(choice) for choice in self.choices)

    def _within(self, value: Any, given: Any, where: str) -> Any:
        good = ((self.minimum is None or value >= self.minimum)
                and (self.maximum is None or value <= self.maximum)
                and (self.above is None or value > self.above)
                and (self.below is None or value < self.below))
        if not good:
            kind = "an integer" if isinstance(value, int) else "a number"
            raise ValueError(f"{where} must be {kind}{self.range()}, got {given!r}.")
        return value

    def range(self) -> str:
        """The range in words after a blank, " in the range [0, 1)"; empty if there is none."""
        if self.minimum is None and self.above is None:
            if self.maximum is None and self.below is None:
                return ""
            low = "(-inf"
        elif self.above is not None:
            low = f"({self.above:.15g}"
        else:
            low = f"[{self.minimum:.15g}"
        if self.below is not None:
            high = f"{self.below:.15g})"
        else:
            high = "inf)" if self.maximum is None else f"{self.maximum:.15g}]"
        return f" in the range {low}, {high}"


def _is_boolean(given: Any) -> bool:
    return isinstance(given, bool) or type(given).__name__ in ("bool_", "bool")


def _boolean(given: Any, where: str) -> bool:
    if not _is_boolean(given):
        raise TypeError(f"{where} must be True or False, got {given!r}.")
    return bool(given)


def _integer(given: Any, where: str, allowed: str) -> int:
    if _is_boolean(given) or not isinstance(given, numbers.Integral):
        raise TypeError(f"{where} must be an integer{allowed}, got {given!r}.")
    return int(given)


def _number(given: Any, where: str, allowed: str) -> float:
    if _is_boolean(given) or not isinstance(given, numbers.Real):
        raise TypeError(f"{where} must be a number{allowed}, got {given!r}.")
    if not math.isfinite(given):
        raise ValueError(f"{where} must be a finite number{allowed}, got {given!r}.")
    return float(given)
