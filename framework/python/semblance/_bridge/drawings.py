# SPDX-License-Identifier: MIT
"""What a solver or an evaluator returns, in the form in which the runtime stores reports
(framework/report/stored_report.cpp): figures, curves and drawings."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
from typing import Any, Dict, Iterable, List

import numpy as np

from .._declare import Bars, Curve, HeatMap, Picture, Refused, Scatter
from .values import numeric

#: What drawings are called, and their kind where they are stored.
KINDS = {Bars: ("bars", "bars"), Curve: ("curve", ""), HeatMap: ("heat map", "heat_map"),
         Scatter: ("scatter", "scatter"), Picture: ("picture", "png")}

Json = Dict[str, Any]


def stored(name: str, drawing: Any) -> Json:
    """The drawing that is reported by this name, whose parts are checked."""
    what = f"the {KINDS[type(drawing)][0]} '{name}'"
    parts: Json = {"kind": KINDS[type(drawing)][1], "name": name}
    for field in dataclasses.fields(drawing):
        part, value = field.name, getattr(drawing, field.name)
        if part in ("x", "y", "errors") or isinstance(drawing, Bars) and part == "values":
            none = part == "errors" and value is None
            parts[part] = numbers(() if none else value, part, what)
        elif part in ("labels", "rows", "columns"):
            parts[part] = texts(value, part, what)
        elif part.endswith("label") or part == "caption":
            if not isinstance(value, str):
                raise Refused(f"'{part}' of {what} is {value!r}, not a text")
            parts[part] = value
    if "x" in parts and len(parts["x"]) != len(parts["y"]):
        raise Refused(f"{what} has {len(parts['x'])} values of x but {len(parts['y'])} of y")
    if isinstance(drawing, Scatter):
        parts.update(_points(what, drawing, parts.pop("x"), parts.pop("y")))
    elif isinstance(drawing, HeatMap):
        parts["values"] = _table(what, drawing.values, len(parts["rows"]), len(parts["columns"]))
    elif isinstance(drawing, Picture):
        if not isinstance(drawing.png, bytes):
            raise Refused(f"'png' of {what} is {drawing.png!r}, not the bytes of a PNG file")
        parts["png"] = base64.b64encode(drawing.png).decode()
    return parts


def _points(what: str, drawing: Scatter, x: List[Any], y: List[Any]) -> Json:
    """The points with their groups and marks, and the names of the groups."""
    marked = np.zeros(len(x), bool) if drawing.marked is None else np.asarray(drawing.marked)
    if marked.dtype != bool:
        raise Refused(f"'marked' of {what} is an array of {marked.dtype}, not of True and False")
    given = _listed([None] * len(x) if drawing.groups is None else drawing.groups, "groups", what)
    for count, of in ((marked.size, "marks"), (len(given), "groups")):
        if count != len(x):
            raise Refused(f"{what} has {len(x)} points but {count} {of}")
    names = [*dict.fromkeys(texts([g for g in given if g is not None], "groups", what))]
    places = {name: i for i, name in enumerate(names)}
    groups = [-1 if g is None else places[str(g)] for g in given]
    return {"groups": names, "points": [*zip(x, y, groups, marked.ravel().tolist())]}


def _table(what: str, given: Any, rows: int, columns: int) -> List[Any]:
    values = numeric(_without_none(given), f"'values' of {what}")
    if values.shape != (rows, columns):
        raise Refused(f"{what} has {rows} rows and {columns} columns but values of the shape "
                      f"{values.shape}")
    return _numbers(values.ravel())


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


def _numbers(values: Iterable[Any]) -> List[Any]:
    """The numbers as JSON has them: those that are not finite are texts."""
    given = [float(value) for value in values]
    return [value if math.isfinite(value) else str(value) for value in given]


def numbers(values: Any, part: str, what: str) -> List[Any]:
    """A list of numbers, or an array of one dimension; None is NaN."""
    array = numeric(_without_none(values), f"'{part}' of {what}")
    if array.ndim != 1:
        raise Refused(f"'{part}' of {what} has the shape {array.shape}, not one dimension")
    return _numbers(array)


def texts(values: Any, part: str, what: str) -> List[str]:
    """A list of texts; numbers, such as labels of classes, are written out."""
    found = _listed(values, part, what)
    for value in found:
        if not isinstance(value, (str, int, float, np.integer, np.floating)):
            raise Refused(f"'{part}' of {what} has {value!r}, which is no text")
    return [str(value) for value in found]


def figures(result: Any, what: str, none_is_well: bool) -> str:
    """Numbers, texts, curves and drawings by name, as a stored report."""
    if result is None and none_is_well:
        result = {}
    if not isinstance(result, dict):
        raise Refused(f"{what} is no dictionary of figures by name, but {type(result).__name__}")
    report: Dict[str, Any] = {"metrics": {}, "curves": [], "tables": [], "plane_maps": [],
                              "drawings": []}
    for key, value in result.items():
        name = str(key)
        if type(value) in KINDS:
            report["curves" if type(value) is Curve else "drawings"].append(stored(name, value))
        else:
            report["metrics"][name] = _figure(name, value, what)
    return json.dumps(report)


def _figure(name: str, value: Any, what: str) -> Any:
    if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, str, np.integer, np.floating)):
        raise Refused(f"the figure '{name}' in {what} is {value!r}, not a number or a text")
    if not isinstance(value, (str, int, np.integer)) and not np.isfinite(value):
        raise Refused(f"the figure '{name}' in {what} is {value}")
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, (int, np.integer)) else float(value)
