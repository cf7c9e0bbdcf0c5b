# SPDX-License-Identifier: MIT
"""What a solver or an evaluator returns, in the form that the runtime takes: figures, and
drawings as lists of texts and of numbers."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterable, List, Tuple

import numpy as np

from .._declare import Bars, Curve, HeatMap, Picture, Refused, Scatter
from .values import numeric, shape_text

#: What the runtime calls the drawings.
KINDS = {Bars: "bars", Curve: "curve", HeatMap: "heat map", Scatter: "scatter", Picture: "picture"}

#: A drawing's kind, and its parts by name.
Plain = Tuple[str, Dict[str, Any]]


def plain(name: str, drawing: Any) -> Plain:
    """The drawing that is reported by this name: its parts are lists of numbers or of texts, or
    texts."""
    kind = KINDS[type(drawing)]
    what = f"the {kind} '{name}'"
    parts: Dict[str, Any] = {}
    for field in dataclasses.fields(drawing):
        part, value = field.name, getattr(drawing, field.name)
        if part in ("x", "y", "errors") or kind == "bars" and part == "values":
            none = part == "errors" and value is None
            parts[part] = numbers(() if none else value, part, what)
        elif part in ("labels", "rows", "columns"):
            parts[part] = texts(value, part, what)
        elif part.endswith("label") or part == "caption":
            parts[part] = text(value, part, what)
    if "x" in parts and len(parts["x"]) != len(parts["y"]):
        raise Refused(f"{what} has {len(parts['x'])} values of x but {len(parts['y'])} of y")
    if isinstance(drawing, Scatter):
        parts.update(_marks(what, drawing, len(parts["x"])))
    elif isinstance(drawing, HeatMap):
        parts["values"] = _table(what, drawing.values, len(parts["rows"]), len(parts["columns"]))
    elif isinstance(drawing, Picture):
        if not isinstance(drawing.png, bytes):
            raise Refused(f"'png' of {what} is {drawing.png!r}, not the bytes of a PNG file")
        parts["png"] = drawing.png
    return kind, parts


def _marks(what: str, drawing: Scatter, points: int) -> Dict[str, Any]:
    """The marks and groups of points."""
    marked = np.zeros(points, bool) if drawing.marked is None else np.asarray(drawing.marked)
    if marked.dtype != bool:
        raise Refused(f"'marked' of {what} is an array of {marked.dtype}, not of True and False")
    given = _listed([None] * points if drawing.groups is None else drawing.groups, "groups", what)
    for count, of in ((marked.size, "marks"), (len(given), "groups")):
        if count != points:
            raise Refused(f"{what} has {points} points but {count} {of}")
    names = [*dict.fromkeys(texts([g for g in given if g is not None], "groups", what))]
    places = {name: i for i, name in enumerate(names)}
    return {"groups": names, "marked": [bool(m) for m in marked.ravel()],
            "group": [-1 if g is None else places[str(g)] for g in given]}


def _table(what: str, given: Any, rows: int, columns: int) -> List[float]:
    values = numeric(_without_none(given), f"'values' of {what}")
    if values.shape != (rows, columns):
        raise Refused(f"{what} has {rows} rows and {columns} columns but values of the shape "
                      f"{shape_text(values.shape)}")
    table: List[float] = values.astype(float).ravel().tolist()
    return table


def _listed(values: Any, part: str, what: str) -> List[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Refused(f"'{part}' of {what} is {values!r}, not a list of texts")
    return list(values)


def _without_none(values: Any) -> Any:
    """NaN in place of None, in lists."""
    if not isinstance(values, (list, tuple)):
        return values
    array = np.asarray(values, dtype=object)
    missing = np.frompyfunc(lambda value: value is None, 1, 1)(array).astype(bool)
    if not missing.any():
        return values
    array[missing] = np.nan
    return array.tolist()


def numbers(values: Any, part: str, what: str) -> List[float]:
    """A list of numbers, or an array of one dimension; None is NaN."""
    array = numeric(_without_none(values), f"'{part}' of {what}")
    if array.ndim != 1:
        raise Refused(f"'{part}' of {what} has the shape {shape_text(array.shape)}, not one "
                      "dimension")
    return [float(value) for value in array]


def texts(values: Any, part: str, what: str) -> List[str]:
    """A list of texts; numbers, such as labels of classes, are written out."""
    found = _listed(values, part, what)
    for value in found:
        if not isinstance(value, (str, int, float, np.integer, np.floating)):
            raise Refused(f"'{part}' of {what} has {value!r}, which is no text")
    return [str(value) for value in found]


def text(value: Any, part: str, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Refused(f"'{part}' of {what} is {value!r}, not a text")
    return value


def figures(result: Any, what: str, none_is_well: bool) -> Dict[str, Any]:
    """Numbers and texts by name, as Python's own types, and drawings as kind and parts."""
    if result is None and none_is_well:
        return {}
    if not isinstance(result, dict):
        raise Refused(f"{what} is no dictionary of figures by name, but {type(result).__name__}")
    return {str(name): _plain(str(name), value, what) for name, value in result.items()}


def _plain(name: str, value: Any, what: str) -> Any:
    if type(value) in KINDS:
        return plain(name, value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, str, np.integer, np.floating)):
        raise Refused(f"the figure '{name}' in {what} is {value!r}, not a number or a text")
    if not isinstance(value, (str, int, np.integer)) and not np.isfinite(value):
        raise Refused(f"the figure '{name}' in {what} is {value}")
    if isinstance(value, str):
        return value
    return int(value) if isinstance(value, (int, np.integer)) else float(value)
