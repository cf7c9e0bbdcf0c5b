# SPDX-License-Identifier: MIT
"""The parameters and figures of a component written in Python, and what it raises."""

from __future__ import annotations

import difflib
import math
import numbers as number_types
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple


class Stopped(BaseException):
    """Raised by ``context.check_stop()`` once the run is asked to stop."""


class Refused(Exception):
    """Raised by a component that can say in one sentence what is wrong and what to do.

    The sentence is shown unchanged, after node and line of the pipeline. Any other exception is
    shown with the file, line and function that raised it.
    """


def did_you_mean(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


@dataclass(frozen=True)
class Figure:
    """A number that a solver or an evaluator reports."""

    documentation: str
    unit: str = "plain"
    better: str = "none"
    headline: bool = False


def figure(documentation: str, *, unit: str = "plain", better: str = "none",
           headline: bool = False) -> Figure:
    """Declares a reported number, by its documentation.

    Parameters
    ----------
    documentation : str
        One line.
    unit : {"plain", "share", "count", "seconds", "bytes"}
        Its unit; a share of 1 is shown in per cent.
    better : {"none", "lower", "higher"}
        Which of two values is the better one.
    headline : bool
        Whether it says most about a result, and is shown first.
    """
    units, directions = ("plain", "share", "count", "seconds", "bytes"), ("none", "lower", "higher")
    if unit not in units:
        raise ValueError(f"the unit of a figure is one of {', '.join(units)}, not {unit!r}")
    if better not in directions:
        raise ValueError(f"better is one of {', '.join(directions)}, not {better!r}")
    return Figure(documentation, unit, better, headline)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a component: type, default, range and one line of documentation.

    Made by `number`, `integer`, `boolean`, `text`, `choice`, `path`, `numbers`, `integers`,
    `texts`, `mapping` and `measure`. A pipeline must give a parameter that has no default.
    """

    type: str
    default: Any = None
    documentation: str = ""
    above: Optional[float] = None
    at_least: Optional[float] = None
    below: Optional[float] = None
    at_most: Optional[float] = None
    unit: str = ""
    choices: Tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.documentation, str):
            raise TypeError(f"the documentation of a parameter is a text, not "
                            f"{self.documentation!r}; a range is given by name, as above=0")
        if self.above is not None and self.at_least is not None:
            raise ValueError("a parameter has the lower limit 'above' or 'at_least', not both")
        if self.below is not None and self.at_most is not None:
            raise ValueError("a parameter has the upper limit 'below' or 'at_most', not both")
        if self.default is not None:
            object.__setattr__(self, "default", self._checked(self.default))

    def described(self, name: str) -> Dict[str, Any]:
        """The parameter in the form of ``semblance describe --json``."""
        kind = {"boolean": "true or false", "integers": "list of integers",
                "numbers": "list of numbers", "texts": "list of texts"}.get(self.type, self.type)
        said: Dict[str, Any] = {"name": name, "type": kind, "documentation": self.documentation,
                                "unit": self.unit, "choices": self.choices}
        limits = {"minimum": self.at_least, "exclusive_minimum": self.above,
                  "maximum": self.at_most, "exclusive_maximum": self.below}
        said.update((end, limit) for end, limit in limits.items() if limit is not None)
        if self.type == "component":
            return {**said, "kind": "similarity", "default_component": self.default or ""}
        if self.default is None:
            return {**said, "required": True}
        return {**said, "default": self.default, "optional": self.type == "path"}

    def _checked(self, value: Any) -> Any:
        if self.type == "component":
            if isinstance(value, str) and value.startswith("similarity/"):
                return value
            raise TypeError(f"the default of a measure is an id, such as 'similarity/rbf', not "
                            f"{value!r}")
        if self.type == "mapping":
            return _named_values(value)
        if self.type.endswith("s") and self.type != "text":
            if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
                raise TypeError(f"the default of a list of {self.type} is a list, not {value!r}")
            return [self._element(self.type[:-1], x) for x in value]
        return self._element(self.type, value)

    def _element(self, kind: str, value: Any) -> Any:
        if kind == "boolean" and isinstance(value, bool):
            return value
        if kind in ("text", "path") and isinstance(value, str):
            if self.choices and value not in self.choices:
                raise ValueError(f"the default {value!r} is none of {list(self.choices)}")
            return value
        if kind in ("integer", "number") and not isinstance(value, (bool, str, bytes)):
            try:
                number_ = int(value) if kind == "integer" else float(value)
            except (TypeError, ValueError, OverflowError):
                number_ = math.nan
            if number_ == value:
                return self._in_range(number_)
        raise TypeError(f"the default of a parameter of type {kind} cannot be {value!r}")

    def _in_range(self, value: float) -> float:
        low_open = self.above is not None and value <= self.above
        low = self.at_least is not None and value < self.at_least
        high_open = self.below is not None and value >= self.below
        high = self.at_most is not None and value > self.at_most
        if low or low_open or high or high_open:
            raise ValueError(f"the default {value!r} is outside of the parameter's own range")
        return value


def _named_values(given: Any) -> Dict[str, Any]:
    """The default of a mapping with Python's own types, and lists for all sequences."""
    where = "the default of a mapping"
    if not isinstance(given, Mapping):
        raise TypeError(f"{where} must be a dict of values by name, got {given!r}.")
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"{where} must have texts for names, got {name!r}.")
        if not name or name == "is":
            raise ValueError(f"{where} cannot have a value of the name {name!r}.")
    return {str(name): _plain(value, f"{where} has {name!r}, which")
            for name, value in given.items()}


def _plain(value: Any, where: str, inside: bool = False) -> Any:
    if not inside and (isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0):
        return [_plain(item, where, True) for item in value]
    if type(value).__name__ in ("bool_", "bool"):  # NumPy's, which may not be installed
        return bool(value)
    if value is None or isinstance(value, str):
        return value if value is None else str(value)
    if isinstance(value, number_types.Integral):
        if not -2**63 <= int(value) < 2**63:
            raise ValueError(f"{where} must fit in 64 bits, got {value!r}.")
        return int(value)
    if not isinstance(value, number_types.Real):
        raise TypeError(f"{where} must be a number, a text, True, False, None or a list of these, "
                        f"got {value!r}.")
    if not math.isfinite(value):
        raise ValueError(f"{where} must be finite, got {value!r}.")
    return float(value)


def _with_range(kind: str, documented: str) -> Callable[..., Parameter]:
    """The function that declares parameters of a kind that has a range."""
    def declare(default: Any = None, documentation: str = "", *, above: Optional[float] = None,
                at_least: Optional[float] = None, below: Optional[float] = None,
                at_most: Optional[float] = None, unit: str = "") -> Parameter:
        return Parameter(kind, default, documentation, above, at_least, below, at_most, unit)

    declare.__name__ = declare.__qualname__ = kind
    declare.__doc__ = documented
    return declare


number = _with_range("number", """A floating-point parameter and its range.

    Examples
    --------
    >>> number(1.0, "width of the bell", above=0).type
    'number'
    """)
integer = _with_range("integer", "A whole number and its range.")
numbers = _with_range("numbers", "A list of numbers; the range holds for each.")
integers = _with_range("integers", "A list of whole numbers; the range holds for each.")


def boolean(default: Optional[bool] = None, documentation: str = "") -> Parameter:
    """True or false."""
    return Parameter("boolean", default, documentation)


def text(default: Optional[str] = None, documentation: str = "") -> Parameter:
    """A text."""
    return Parameter("text", default, documentation)


def choice(default: Optional[str], choices: Sequence[str], documentation: str = "") -> Parameter:
    """One of several texts."""
    if isinstance(choices, str) or not all(isinstance(c, str) for c in choices):
        raise TypeError(f"choices are a list of texts, not {choices!r}")
    return Parameter("text", default, documentation, choices=tuple(choices))


def path(default: Optional[str] = None, documentation: str = "") -> Parameter:
    """A file, relative to the data folder. Its content is part of what the store's keys hash."""
    return Parameter("path", default, documentation)


def texts(default: Optional[Sequence[str]] = None, documentation: str = "") -> Parameter:
    """A list of texts."""
    return Parameter("texts", default, documentation)


def mapping(default: Optional[Mapping[str, Any]] = None, documentation: str = "") -> Parameter:
    """Values by name, such as another library's parameters; the component receives a dict.

    Each is a number, a text, True, False, None, or a list of these, with its type as the pipeline
    writes it: 1 is an int, 1.0 a float.

    Examples
    --------
    >>> mapping({"max_depth": None, "criterion": "gini"}, "the classifier's own").default
    {'max_depth': None, 'criterion': 'gini'}
    """
    return Parameter("mapping", default, documentation)


def measure(default: Optional[str] = None, documentation: str = "") -> Parameter:
    """A similarity measure, such as ``kernel: {is: similarity/rbf, gamma: 1}`` in a pipeline.

    The component receives a function of arrays: ``kernel(X, B)`` gives the similarities of the
    samples X to the bases B, (n, m) of float32. It may be called in every function that gets
    samples, on vectors, or on images and grids like those samples.

    Examples
    --------
    >>> measure("similarity/rbf", "the kernel").default
    'similarity/rbf'
    """
    return Parameter("component", default, documentation)
