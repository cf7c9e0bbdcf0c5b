# SPDX-License-Identifier: MIT
"""Arrays that replace a pipeline's sources."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _native, _rows
from ._names import class_names, of_symbols

_FORMS = "X, (X, y), (X, y, X_test) or (X, y, X_test, y_test)"
#: Names that archives of arrays give the parts.
_ALIASES = {"x": "X", "x_train": "X", "X_train": "X", "y_train": "y", "x_test": "X_test"}
_PARTS = ("X", "y", "X_test", "y_test", "groups", "sample_weight", "target", "target_test")


def data_for(given: Any, taken: Sequence[str], name: str, missing: bool = False) -> _native.Data:
    """The data of a run for the source `name`, whose consumers take the layouts `taken`, and with
    `missing` values that are NaN. Raises ValueError or TypeError where the parts do not fit
    together, or are not samples and labels."""
    if isinstance(given, _native.Data):
        return given
    x, y, x_test, y_test, groups, weights, target, target_test = _parts(given, name)
    x, x_test = _rows.table_of(x), _rows.table_of(x_test, "X_test")
    owner = f"the pipeline's source '{name}'"
    kind = _rows.layout_kind(x, tuple(taken), None, owner)
    names = column_names(x)
    if kind in _rows.TABLES:
        check_different(names, "X")
    train = _rows.samples(x, kind, owner=owner, training=True, missing=missing)
    test = None
    if x_test is not None:
        x_test = in_order(x_test, names, "X_test")
        test = _rows.samples(x_test, kind, owner=owner, fitted=train.layout, name="X_test",
                             missing=missing)
        train, test = _rows.in_common(train, test)
    classes, labels, test_labels = encoded(y, y_test)
    count = len(train)
    if test is not None and groups is not None and len(groups) != count:
        count += len(test)
    together = None if groups is None else group_numbers(groups, count)
    return _native.Data(train.rows(), labels, None if test is None else test.rows("X_test"),
                        test_labels, classes, names if kind in _rows.TABLES else [],
                        weights=_weights(weights), groups=together,
                        **_targets(target, target_test, y, name))


def _targets(target: Any, target_test: Any, y: Any, name: str) -> Dict[str, Any]:
    """The numbers to predict, if there are any, and their names."""
    if target is None:
        if target_test is not None:
            raise ValueError("target_test is given without target: give the numbers of the "
                             "training rows")
        return {}
    if y is not None:
        raise ValueError(f"the data of '{name}' have y, which is classes, and target, which is "
                         "numbers: give one of them")
    parts = {"targets": _numbers(target, "target")}
    _rows.check_digits(parts["targets"], "target")
    if target_test is not None:
        parts["test_targets"] = _numbers(target_test, "target_test")
    return {**parts, "target_names": target_names(target)
            or numbered_targets(parts["targets"].shape[1])}


def _weights(weights: Any) -> Optional[np.ndarray]:
    if weights is None:
        return None
    numbers = np.ascontiguousarray(weights, dtype=np.float64)
    return numbers[:, 0] if numbers.ndim == 2 and numbers.shape[1] == 1 else numbers


def _numbers(target: Any, name: str) -> np.ndarray:
    given = np.asarray(target)
    may_lack = name == "target_test"  # as NaN or None
    refuse_missing(target, np.empty(0) if may_lack else given, name, "numbers")
    if given.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers, got an array of type {given.dtype}")
    numbers = given.astype(np.float64)
    if numbers.ndim not in (1, 2):
        raise ValueError(f"{name} must have one or more numbers per row, got the shape "
                         f"{numbers.shape}")
    return np.ascontiguousarray(numbers.reshape(len(numbers), -1))


def target_names(y: Any) -> List[str]:
    """The names of the numbers, if y has names: a data frame or a series."""
    names = list(getattr(y, "columns", ())) or [getattr(y, "name", None)]
    usable = all(isinstance(name, str) and name for name in names)
    return of_symbols("column", names) if usable and len(set(names)) == len(names) else []


def interval_ends(rows: np.ndarray) -> np.ndarray:
    """The ends of intervals, (n, numbers, 2), from rows of lower end, estimate and upper end of
    each number."""
    return rows.astype(np.float64).reshape(len(rows), -1, 3)[:, :, ::2]


def numbered_targets(count: int) -> List[str]:
    """Names for numbers that have none."""
    return ["y"] if count == 1 else [f"y{i + 1}" for i in range(count)]


def _parts(given: Any, name: str) -> Tuple[Any, ...]:
    """The parts of a run's data; None for each that is not given."""
    if isinstance(given, (str, os.PathLike)) and os.fspath(given).endswith(".npz"):
        with np.load(given) as file:
            given = dict(file)
    if isinstance(given, Mapping):
        given = {_ALIASES.get(key, key): value for key, value in given.items()}
        unknown = [key for key in given if key not in _PARTS]
        if unknown or given.get("X") is None:
            raise ValueError(f"the data of '{name}' must have X, and may have "
                             f"{', '.join(_PARTS[1:])}; got {', '.join(map(str, given))}")
        return tuple(given.get(key) for key in _PARTS)
    parts = tuple(given) if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 4:
        raise ValueError(f"the data of '{name}' must be {_FORMS}; got {len(parts)} parts")
    return parts + (None,) * (len(_PARTS) - len(parts))


def group_numbers(groups: Any, count: int) -> np.ndarray:
    """The groups of samples as numbers: samples with equal entries belong together. Raises
    ValueError where the number of entries is not the number of samples, or one is missing."""
    entries = np.asarray(groups)
    if entries.ndim == 2 and entries.shape[1] == 1:
        entries = entries[:, 0]
    if entries.ndim != 1 or len(entries) != count:
        raise ValueError(f"groups must have one entry per sample, {count}; got the shape "
                         f"{entries.shape}")
    if _lacks_labels(groups) or any(map(_is_missing, entries.tolist())):
        raise ValueError("groups has entries that are missing: fill them in, or leave out their "
                         "samples")
    known: Dict[Any, int] = {}
    return np.array([known.setdefault(entry, len(known)) for entry in entries.tolist()],
                    dtype=np.int32)


def column_names(x: Any) -> List[str]:
    """The names of a data frame's columns, if all have one."""
    names = list(getattr(x, "columns", ()))
    return of_symbols("column", names) if all(isinstance(name, str) for name in names) else []


def check_order(table: Any, names: Sequence[str], what: str) -> None:
    """Refuses a data frame that has the columns `names`, but in another order: if the meaning of a
    column depends on its place, the result would be wrong without a message. Raises ValueError
    where the order differs."""
    given = column_names(table)
    if given != list(names) and sorted(given) == sorted(names):
        raise ValueError(f"{what} have the same columns in another order: give both in one")


def in_order(table: Any, names: Sequence[str], what: str) -> Any:
    """A data frame with its columns in the order of `names`, if both have names; else unchanged.
    Raises ValueError where a column is missing, or two have the same name."""
    given = column_names(table)
    if not names or not given or list(names) == given:
        return table
    missing = [name for name in names if name not in given]
    if missing:
        raise ValueError(f"{what} lacks the column '{missing[0]}', which was trained on")
    check_different(given, what)
    return table[list(names)]


def check_different(names: Sequence[str], what: str) -> None:
    """Refuses columns of the same name, as sources of files do. Raises ValueError where there are
    such."""
    if len(set(names)) != len(names):
        raise ValueError(f"{what} has several columns of the same name; rename them")


def with_categories(table: Any, names: Sequence[str]) -> Any:
    """A data frame in which columns of categories, as files have them, are one column per category
    of the model's `names`; other tables unchanged. Raises ValueError where a value is none of the
    categories."""
    given = column_names(table)
    categories: Dict[str, List[str]] = {}
    for name in [name for name in names if name not in given and len(set(given)) == len(given)]:
        whole = max((column for column in given if name.startswith(f"{column}=")), key=len,
                    default=None)
        if whole is not None:
            categories.setdefault(whole, []).append(name[len(whole) + 1:])
    made: Dict[str, np.ndarray] = {}
    for whole, known in categories.items():
        if "days since 1970" in known:
            raise ValueError(f"X has no dates in the column {whole!r}: make them such, with "
                             "pandas.to_datetime")
        values = np.array(["" if _is_missing(value) else str(value) for value in table[whole]],
                          dtype=object)
        unknown = ~np.isin(values, known)
        if unknown.any():
            raise ValueError(f"X has {table[whole][unknown].iloc[0]!r} in the column {whole!r}, which "
                             "is none of its categories in training: "
                             f"{', '.join(map(repr, known))}")
        made.update((f"{whole}={category}", values == category) for category in known)
    return table.drop(columns=list(categories)).assign(**made) if made else table


def encoded(y: Any, y_test: Any = None
            ) -> Tuple[List[str], Optional[np.ndarray], Optional[np.ndarray]]:
    """Names of the classes in their order, and the labels as places among them. Raises ValueError
    where the labels are not a list, or some are missing."""
    if y is None:
        if y_test is not None:
            raise ValueError("y_test is given without y: give the labels of the training rows")
        return [], None, None
    train = _labels(y, "y")
    test = None if y_test is None else _labels(y_test, "y_test")
    every = train if test is None else np.concatenate([train, test])
    try:
        values, places = np.unique(every, return_inverse=True)
    except TypeError:
        raise TypeError("the labels are of types that have no order among them: make them all "
                        "numbers, or all texts") from None
    names = class_names(list(values))
    known = class_values(names)  # whole numbers of any type have their order, as in files
    order = np.arange(len(names)) if known.dtype == object else np.argsort(known)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    places = rank[places.reshape(-1)]
    return [names[i] for i in order], places[:len(train)], (
        None if test is None else places[len(train):])


def coded(y: Any) -> Tuple[Any, np.ndarray]:
    """The classes in y, in their order, and the labels as places among them. Raises ValueError
    where y is no labels, but numbers to predict, or several columns."""
    from sklearn.utils.multiclass import check_classification_targets
    plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU"
    if not plain:
        check_classification_targets(y)
    classes, labels = np.unique(y, return_inverse=True)
    if plain and 2 * len(classes) > len(y):  # perhaps numbers to predict, of which it may warn
        check_classification_targets(y)
    return classes, np.ascontiguousarray(labels.reshape(-1), dtype=np.int32)


def _labels(y: Any, name: str) -> np.ndarray:
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"{name} must be a one-dimensional array of labels, got the shape "
                         f"{labels.shape}")
    refuse_missing(y, labels, name)
    if labels.dtype == object:
        if all(isinstance(label, str) for label in labels):
            labels = labels.astype(str)
        elif any(isinstance(label, (float, np.floating)) for label in labels):
            labels = labels.astype(float)  # with whole numbers between them
    if labels.dtype.kind in "cmMSV":
        raise TypeError(f"{name} must hold whole numbers, truth values or texts, got labels of "
                        f"type {labels.dtype}")
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            raise ValueError(f"Input {name} contains NaN or infinity.")
        if (labels != np.floor(labels)).any():
            raise ValueError(f"Unknown label type: {name} has fractions, and classes are whole "
                             f"numbers or texts; give numbers to predict as 'target' of a dict")
    return labels


def refuse_missing(y: Any, labels: np.ndarray, name: str = "y", of: str = "labels") -> None:
    """Refuses labels, or numbers, some of which are missing; `labels` are y as an array. Raises
    ValueError where there are such."""
    of_list = y if labels.dtype.kind == "U" and isinstance(y, (list, tuple)) else ()
    several = labels.ravel() if labels.dtype == object and labels.ndim > 0 else of_list
    if _lacks_labels(y) or any(map(_is_missing, several)):  # NumPy makes 'nan' of one in a list
        raise ValueError(f"{name} has {of} that are missing: fill them in, or leave out "
                         f"their rows")


def _lacks_labels(y: Any) -> bool:
    """Whether labels are masked, or of pandas' own types and missing; NumPy turns these into NaN,
    and ignores masks."""
    if isinstance(y, np.ma.MaskedArray):
        return bool(np.any(y.mask))
    dtype = getattr(y, "dtype", None)
    if dtype is None or isinstance(dtype, np.dtype) or not hasattr(y, "isna"):
        return False
    return bool(np.asarray(y.isna()).any())


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas' NA equals nothing, not even by a truth value
        return True


def class_values(names: Sequence[str]) -> np.ndarray:
    """The classes of a model as Python values: numbers if all names are whole numbers."""
    try:
        numbers = np.array([int(name) for name in names], dtype=np.int64)
    except (ValueError, OverflowError):
        return np.array(names, dtype=object)
    return numbers if list(map(str, numbers)) == list(names) else np.array(names, dtype=object)


#: The labels of a run's data, by the runtime's names of classes.
Labels = Dict[str, Any]


def labels_of(data: Optional[Mapping[str, Any]]) -> Optional[Labels]:
    """The labels of a run's data; None if no source has any, or if sources differ."""
    found: List[Labels] = []
    for name, given in (data or {}).items():
        if not isinstance(given, (tuple, Mapping, str, os.PathLike)):
            continue
        _, y, _, y_test = _parts(given, name)[:4]
        if y is not None:
            parts = [_labels(part, "y") for part in (y, y_test) if part is not None]
            values = np.unique(np.concatenate(parts))
            found.append(dict(zip(class_names(list(values)), values)))
    return found[0] if found and all(labels == found[0] for labels in found) else None


def bind(text: str, file: str, data: Optional[Mapping[str, Any]],
         changes: Optional[Mapping[str, Any]]) -> Dict[str, _native.Data]:
    """The data of a run, by the names of its sources."""
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise TypeError(f"data must be a dict of the pipeline's sources, such as "
                        f"{{'images': (X, y)}}; got {type(data).__name__}")
    of_symbols("source", list(map(str, data)))
    return {name: data_for(given, _native.layouts_taken(text, file, name), name,
                           keeps_missing(text, file, name, changes))
            for name, given in data.items()}


def keeps_missing(text: str, file: str, source: str,
                  changes: Optional[Mapping[str, Any]]) -> bool:
    """Whether a pipeline's source leaves missing values to a component that fills them in."""
    changed = changes.get(f"nodes.{source}.missing") if isinstance(changes, Mapping) else None
    return changed == "keep" or changed is None and _native.keeps_missing(text, file, source)
