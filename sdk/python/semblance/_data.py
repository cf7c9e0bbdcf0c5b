# SPDX-License-Identifier: MIT
"""Arrays in the place of a pipeline's sources."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _native, _rows

_FORMS = "X, (X, y), (X, y, X_test) or (X, y, X_test, y_test)"


def data_for(given: Any, taken: Sequence[str], name: str) -> _native.Data:
    """What a run is given for the source `name`, whose consumers take the layouts `taken`.

    Raises
    ------
    ValueError, TypeError
        The parts do not belong together, or are no samples and labels.
    """
    if isinstance(given, _native.Data):
        return given
    parts = tuple(given) if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 4:
        raise ValueError(f"the data of '{name}' must be {_FORMS}; got {len(parts)} parts")
    x, y, x_test, y_test = parts + (None,) * (4 - len(parts))
    owner = f"the pipeline's source '{name}'"
    kind = _rows.layout_kind(x, tuple(taken), None, owner)
    train = _rows.samples(x, kind, owner=owner)
    test = None
    if x_test is not None:
        test = _rows.samples(x_test, kind, owner=owner, fitted=train.layout, name="X_test")
        train, test = _same_layout(train, test)
    classes, labels, test_labels = encoded(y, y_test)
    return _native.Data(train.rows(), labels, None if test is None else test.rows("X_test"),
                        test_labels, classes, column_names(x) if kind == "vector" else [])


def _same_layout(train: _rows.Samples, test: _rows.Samples) -> Tuple[_rows.Samples, _rows.Samples]:
    """Samples that differ in size have one layout, that of the largest of all."""
    if train.layout.get("width") == test.layout.get("width"):
        return train, test
    layout = {**train.layout, "width": max(train.layout["width"], test.layout["width"])}
    return (_rows.Samples(train.values, layout, train.offsets),
            _rows.Samples(test.values, layout, test.offsets))


def column_names(x: Any) -> List[str]:
    """The names of a table's columns, where all have one."""
    columns = getattr(x, "columns", getattr(x, "column_names", None))
    names = list(columns) if columns is not None else []
    return names if all(isinstance(name, str) for name in names) else []


def encoded(y: Any, y_test: Any = None
            ) -> Tuple[List[str], Optional[np.ndarray], Optional[np.ndarray]]:
    """Names of the classes in their order, and the labels as places among them.

    Raises
    ------
    ValueError
        The labels are no list, or some are missing.
    """
    if y is None:
        if y_test is not None:
            raise ValueError("y_test is given without y: give the labels of the training rows, too")
        return [], None, None
    train = _labels(y, "y")
    test = None if y_test is None else _labels(y_test, "y_test")
    every = train if test is None else np.concatenate([train, test])
    values, places = np.unique(every, return_inverse=True)
    places = places.astype(np.int32)
    return [class_name(value) for value in values], places[:len(train)], (
        None if test is None else places[len(train):])


def _labels(y: Any, name: str) -> np.ndarray:
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"{name} must be a one-dimensional array of labels, got the shape "
                         f"{labels.shape}")
    if labels.dtype == object:
        if any(label is None or label != label for label in labels):
            raise ValueError(f"{name} has labels that are missing: fill them in, or leave out their "
                             f"rows")
        if all(isinstance(label, str) for label in labels):
            labels = labels.astype(str)
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            raise ValueError(f"Input {name} contains NaN or infinity.")
        if (labels != np.floor(labels)).any():
            raise ValueError(f"Unknown label type: {name} has fractions, and classes are whole "
                             f"numbers or texts")
    return labels


def class_name(label: Any) -> str:
    """What the runtime calls a class: as a file with these labels would."""
    if isinstance(label, (float, np.floating)):
        return str(int(label))
    return str(label)


def class_values(names: Sequence[str]) -> np.ndarray:
    """The classes of a model as Python has them: numbers where all names are whole numbers."""
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return np.array(names, dtype=object)
    if [str(number) for number in numbers] != list(names):
        return np.array(names, dtype=object)
    return np.array(numbers, dtype=np.int64)


def bind(text: str, file: str, data: Optional[Mapping[str, Any]]) -> dict[str, _native.Data]:
    """The data of a run, by the names of its sources."""
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise TypeError(f"data must be a dict of the pipeline's sources, such as "
                        f"{{'images': (X, y)}}; got {type(data).__name__}")
    return {name: data_for(given, _native.layouts_taken(text, file, name), name)
            for name, given in data.items()}
