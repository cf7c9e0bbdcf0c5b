# SPDX-License-Identifier: MIT
"""Declared parameters, and values by name in the program's form."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Dict


def named_values(given: Any, where: str) -> Dict[str, Any]:
    """The values of a mapping, numbers, texts, True, False, None, or lists of these, as Python's
    own types, lists for all sequences. `where` is the name of the parameter in messages: "The
    'options' parameter of Library". Raises TypeError where the value is not a mapping, a name is
    not a text, or a value is of another type; ValueError where a name is empty, a number is not
    finite, or an integer needs more than 64 bits."""
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
    """A parameter as its component declares it; its type and range are checked by the runtime."""

    name: str = ""  #: in the component, where Python has another
    default: Any = None
    component: str = ""  #: kind of the component that it is
    required: bool = False
    optional: bool = False

    def is_default(self, value: Any) -> bool:
        """Whether this value, in the form of JSON, need not be said."""
        usual = list(self.default) if isinstance(self.default, tuple) else self.default
        same_type = isinstance(value, bool) == isinstance(usual, bool)
        return not self.required and same_type and bool(value == usual)
