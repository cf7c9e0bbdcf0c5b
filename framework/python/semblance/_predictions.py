# SPDX-License-Identifier: MIT
"""The predictions of a run's solvers for the test samples."""

from __future__ import annotations

import csv
import os
import re
from typing import Any, Dict

import numpy as np

#: Columns of text; all other columns are numbers.
_TEXT = ("label", "predicted", "name", "first_name", "second_name")

#: Texts with an apostrophe before them, so that no spreadsheet computes them: a sign and more text
#: that is not a number.
_FORMULA = re.compile(r"[ \t\r\n]*[-=+@](?s:.)", re.ASCII)
_NUMBER = re.compile(r"[ \t\r\n]*\+?-?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf|infinity|nan)",
                     re.ASCII | re.IGNORECASE)


def _as_it_was(text: str) -> str:
    behind = text.lstrip("'")
    guarded = behind != text and _FORMULA.match(behind) and not _NUMBER.fullmatch(behind)
    return text[1:] if guarded else text


def read_predictions(folder: str) -> Dict[str, Any]:
    """The files NODE.csv of a folder, by node."""
    if not os.path.isdir(folder):
        return {}
    names = sorted(name for name in os.listdir(folder) if name.endswith(".csv"))
    return {name[:-4]: _read(os.path.join(folder, name)) for name in names}


def _read(file: str) -> Any:
    try:
        import pandas
    except ImportError:
        return _arrays(file)
    # A class may be called NA, and a label may be missing: texts stay unchanged.
    text = {name: str for name in _TEXT}
    heading = pandas.read_csv(file, nrows=0, keep_default_na=False).columns
    numbers = _numbers(heading)
    text = {name: kind for name, kind in text.items() if name not in numbers}
    missing = {name: [""] for name in numbers}  # numbers that are not known
    table = pandas.read_csv(file, dtype=text, keep_default_na=False, na_values=missing,
                            float_precision="round_trip")
    for name in set(text).intersection(table.columns):
        if table[name].str.startswith("'").any():
            table[name] = table[name].map(_as_it_was)
    return table


def _numbers(heading: Any) -> set:
    """The columns of numbers to predict: beside each is its estimate."""
    return {name for name in heading if f"predicted {name}" in heading}


def _arrays(file: str) -> Dict[str, np.ndarray]:
    with open(file, newline="", encoding="utf-8") as content:
        heading, *rows = csv.reader(content)
    columns = zip(*rows) if rows else [()] * len(heading)
    text = set(_TEXT) - _numbers(heading)
    return {name: np.array([_as_it_was(value) for value in values], dtype=object)
            if name in text else np.array([value or "nan" for value in values], dtype=np.float64)
            for name, values in zip(heading, columns)}
