# SPDX-License-Identifier: MIT
"""The predictions of a run's solvers for the test samples."""

from __future__ import annotations

import csv
import os
import re
from typing import Any, Dict, Sequence

import numpy as np

#: Columns of text; all other columns are numbers.
_TEXT = ("label", "predicted", "set", "name", "first name", "second name")

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
    with open(file, newline="", encoding="utf-8") as content:
        heading, *rows = csv.reader(content)
    heading = [_as_it_was(name) for name in heading]
    columns = zip(*rows) if rows else [()] * len(heading)
    # Numbers to predict have their estimates beside them; a class may be called NA.
    texts = {name for name in _TEXT if f"predicted {name}" not in heading}
    table = {name: _texts(values) if name in texts else _numbers(values)
             for name, values in zip(heading, columns)}
    try:
        import pandas
    except ImportError:
        return table
    return pandas.DataFrame(table)


def _texts(values: Sequence[str]) -> np.ndarray:
    return np.array([_as_it_was(value) for value in values], dtype=object)


def _numbers(values: Sequence[str]) -> np.ndarray:
    """Whole numbers where all are; NaN where one is not known; texts where one is no number."""
    if values and all(value.isdigit() and len(value) < 19 for value in values):
        return np.array(values).astype(np.int64)
    try:
        return np.array([value or "nan" for value in values], dtype=np.float64)
    except ValueError:
        return _texts(values)
