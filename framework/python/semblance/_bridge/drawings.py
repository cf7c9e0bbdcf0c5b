# SPDX-License-Identifier: MIT
"""What a solver or an evaluator returns, in the form that the runtime takes: figures, and
drawings as lists of texts and of numbers."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Tuple

import numpy as np

from .._declare import Bars, Curve, HeatMap, Picture, Refused, Scatter
from .values import numeric, shape_text

DRAWINGS = (Bars, Curve, HeatMap, Scatter, Picture)

#: A drawing's kind, and its parts by name.
Plain = Tuple[str, Dict[str, Any]]


def plain(name: str, drawing: Any) -> Plain:
    """The drawing that is reported by this name."""
    if isinstance(drawing, Bars):
        what = f"the bars '{name}'"
        errors = () if drawing.errors is None else drawing.errors
        return "bars", {"value_label": text(drawing.value_label, "value_label", what),
                        "labels": texts(drawing.labels, "labels", what),
                        "values": numbers(drawing.values, "values", what),
                        "errors": numbers(errors, "errors", what),
                        "caption": text(drawing.caption, "caption", what)}
    if isinstance(drawing, Scatter):
        return "scatter", _scatter(f"the scatter '{name}'", drawing)
    if isinstance(drawing, HeatMap):
        return "heat map", _heat_map(f"the heat map '{name}'", drawing)
    if isinstance(drawing, Picture):
        what = f"the picture '{name}'"
        if not isinstance(drawing.png, bytes):
            raise Refused(f"'png' of {what} is {drawing.png!r}, not the bytes of a PNG file")
        return "picture", {"png": drawing.png,
                           "caption": text(drawing.caption, "caption", what)}
    what = f"the curve '{name}'"
    x, y = _coordinates(what, drawing)
    return "curve", {"x": x, "y": y, "x_label": text(drawing.x_label, "x_label", what),
                     "y_label": text(drawing.y_label, "y_label", what)}


def _scatter(what: str, drawing: Scatter) -> Dict[str, Any]:
    x, y = _coordinates(what, drawing)
    marked = np.zeros(len(x), bool) if drawing.marked is None else np.asarray(drawing.marked)
    if marked.dtype != bool:
        raise Refused(f"'marked' of {what} is an array of {marked.dtype}, not of True and False")
    _check_count(what, len(x), marked.size, "marks")
    given = _listed([None] * len(x) if drawing.groups is None else drawing.groups, "groups", what)
    _check_count(what, len(x), len(given), "groups")
    names = [*dict.fromkeys(texts([g for g in given if g is not None], "groups", what))]
    places = {name: i for i, name in enumerate(names)}
    return {"x": x, "y": y, "groups": names,
            "group": [-1 if g is None else places[str(g)] for g in given],
            "marked": [bool(m) for m in marked.ravel()],
            "x_label": text(drawing.x_label, "x_label", what),
            "y_label": text(drawing.y_label, "y_label", what),
            "marked_label": text(drawing.marked_label, "marked_label", what),
            "caption": text(drawing.caption, "caption", what)}


def _heat_map(what: str, drawing: HeatMap) -> Dict[str, Any]:
    values = numeric(_without_none(drawing.values), f"'values' of {what}")
    rows, columns = texts(drawing.rows, "rows", what), texts(drawing.columns, "columns", what)
    if values.shape != (len(rows), len(columns)):
        raise Refused(f"{what} has {len(rows)} rows and {len(columns)} columns but values of the "
                      f"shape {shape_text(values.shape)}")
    return {"rows": rows, "columns": columns, "values": values.astype(float).ravel().tolist(),
            "row_label": text(drawing.row_label, "row_label", what),
            "column_label": text(drawing.column_label, "column_label", what),
            "caption": text(drawing.caption, "caption", what)}


def _coordinates(what: str, drawing: Any) -> Tuple[List[float], List[float]]:
    x, y = numbers(drawing.x, "x", what), numbers(drawing.y, "y", what)
    if len(x) != len(y):
        raise Refused(f"{what} has {len(x)} values of x but {len(y)} of y")
    return x, y


def _check_count(what: str, points: int, given: int, of: str) -> None:
    if points != given:
        raise Refused(f"{what} has {points} points but {given} {of}")


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
    if isinstance(value, DRAWINGS):
        return plain(name, value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, str, np.integer, np.floating)):
        raise Refused(f"the figure '{name}' in {what} is {value!r}, not a number or a text")
    if not isinstance(value, (str, int, np.integer)) and not np.isfinite(value):
        raise Refused(f"the figure '{name}' in {what} is {value}")
    if isinstance(value, str):
        return value
    return int(value) if isinstance(value, (int, np.integer)) else float(value)
