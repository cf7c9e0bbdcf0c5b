# SPDX-License-Identifier: MIT
"""The rows that a component receives, as users see them, and the checks of its results."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, NoReturn, Optional, Tuple, Union

import numpy as np

from .._declare import Refused


class Layout(NamedTuple):
    """How the values of a sample are arranged, as `Layout` of the SDK."""

    kind: str
    height: int
    width: int
    depth: int
    alphabet: Tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.height * self.width * self.depth

    @property
    def ragged(self) -> bool:
        return self.kind in ("sequence", "string", "set")


def shaped(layout: Layout, values: Any) -> Any:
    """The rows as users see them. Arrays share the runtime's memory.

    Vectors are (n, size); images (n, height, width), with several channels (n, height, width,
    channels); grids (n, height, width, depth); series a list of (steps,), with several channels
    (channels, steps); strings a list of str; sets a list of (points, dimension).
    """
    if not layout.ragged:
        if layout.kind == "image":
            planes = values.reshape(len(values), layout.depth, layout.height, layout.width)
            return planes[:, 0] if layout.depth == 1 else planes.transpose(0, 2, 3, 1)
        if layout.kind == "grid":
            return values.reshape(len(values), layout.height, layout.width, layout.depth)
        return values
    flat, offsets = values
    rows = [flat[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    if layout.kind == "string":
        symbols = layout.alphabet
        # Below 0: a symbol that the alphabet lacks, in new strings.
        return ["".join(symbols[int(x)] if x >= 0 else chr(-1 - int(x)) for x in row)
                for row in rows]
    if layout.kind == "sequence" and layout.depth == 1:
        return rows
    tables = [row.reshape(-1, layout.depth) for row in rows]
    return [t.T for t in tables] if layout.kind == "sequence" else tables


#: The meaning of the axes of an array of samples, by layout and number of axes.
AXES = {("vector", 2): "(samples, values)", ("image", 3): "(samples, height, width)",
        ("image", 4): "(samples, height, width, channels)",
        ("grid", 4): "(samples, height, width, values)"}


def layout_of_shape(kind: str, shape: Tuple[int, ...]) -> Layout:
    """The layout of returned rows of this shape."""
    if kind == "vector":
        return Layout(kind, 1, 1, shape[1])
    return Layout(kind, shape[1], shape[2], shape[3] if len(shape) == 4 else 1)


def shape_of_layout(layout: Layout, rows: int) -> Tuple[int, ...]:
    """The inverse of `layout_of_shape`."""
    if layout.kind == "vector":
        return rows, layout.depth
    if layout.kind == "image" and layout.depth == 1:
        return rows, layout.height, layout.width
    return rows, layout.height, layout.width, layout.depth


Values = Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]


def row_count(values: Values) -> int:
    """The number of rows."""
    return len(values[1]) - 1 if isinstance(values, tuple) else len(values)


def row_range(values: Values, first: int, last: int) -> Values:
    """A view of the rows [first, last)."""
    if isinstance(values, tuple):
        return values[0], values[1][first:last + 1]
    return values[first:last]


def chosen_rows(values: Values, rows: np.ndarray) -> Values:
    """A copy of some of the rows, which may be repeated."""
    if not isinstance(values, tuple):
        return locked(values[rows])
    flat, offsets = values
    parts = [flat[offsets[i]:offsets[i + 1]] for i in rows]
    ends = np.concatenate([[0], np.cumsum([len(p) for p in parts])]).astype(np.int64)
    return locked(np.concatenate(parts) if parts else flat[:0]), ends


def locked(array: np.ndarray) -> np.ndarray:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


def tile(values: Values, first: int, rows: int) -> Values:
    """Rows [first, first + rows); the last row is repeated if there are fewer."""
    count = row_count(values)
    if first + rows <= count:
        return row_range(values, first, first + rows)
    return chosen_rows(values, np.minimum(np.arange(first, first + rows), count - 1))


def numeric(result: Any, what: str) -> np.ndarray:
    """The value as an array of real numbers; `what` names it in messages."""
    try:
        array = np.asarray(result)
    except ValueError:  # rows of differing lengths
        raise Refused(f"{what} is no array of numbers: its rows differ in length") from None
    if array.dtype.kind not in "fiub":
        raise Refused(f"{what} is an array of {array.dtype}, not of real numbers")
    return array


def finite(array: np.ndarray, what: str, rows: str) -> np.ndarray:
    """The array as float32, after a check that every value is finite in it."""
    with np.errstate(over="ignore"):
        values = array.astype(np.float32, copy=False)
    good = np.isfinite(values)
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        found = array[place]
        how = "NaN" if np.isnan(found) else "infinite" if np.isinf(found) else \
            f"{found}, beyond what float32 holds"
        raise Refused(f"{what} has a value that is {how}: {list(place)} of its {rows}; scale the "
                      "samples, or return finite numbers")
    return values


def whole_number(number: Any, what: str) -> int:
    """A whole number of at least 1; `what` names it in messages."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise Refused(f"{what} is {number!r}, not a whole number of at least 1")
    return int(number)


class Measure:
    """A similarity measure, called on arrays like those of the package: ``kernel(X, B)``.

    It compares samples of the component's kind: vectors of any size, or images and grids of the
    component's size, in their own form or as vectors.
    """

    def __init__(self, native: Any, name: str, layout: Callable[[], Layout]) -> None:
        self._native, self._name, self._layout = native, name, layout
        self.trying = False  #: only the shape is looked at, and nothing is computed

    def __call__(self, samples: Any, bases: Optional[Any] = None) -> np.ndarray:
        """Similarities of samples to bases, (samples, bases) of float32.

        Parameters
        ----------
        samples : array of shape (n, ...)
        bases : array of shape (m, ...), optional
            The default is the samples themselves.
        """
        layout, rows = self._rows(samples, "samples")
        if bases is None:
            compared = rows
        else:
            other, compared = self._rows(bases, "bases")
            if other != layout:
                raise Refused(f"{self._name} was called on samples of {layout.size} values and "
                              f"bases of {other.size}; they must be alike")
        if not len(compared):
            raise Refused(f"{self._name} was called without bases")
        values = np.empty((len(rows), len(compared)), np.float32)
        if self.trying:
            values[:] = 0
        elif len(rows):
            self._native.compare(layout, compared, rows, values)
        return values

    def _rows(self, given: Any, what: str) -> Tuple[Layout, np.ndarray]:
        layout, name = self._layout(), f"the {what} that {self._name} was called on"
        if layout.ragged:
            raise Refused(f"{self._name} cannot be called on samples that differ in size")
        array = finite(numeric(given, name), name, what)
        if layout.kind == "vector" and array.ndim == 2:
            layout = Layout("vector", 1, 1, array.shape[1])
        elif array.shape[1:] not in (shape_of_layout(layout, 0)[1:], (layout.size,)):
            raise Refused(f"{name} have the shape {array.shape}, not "
                          f"{shape_of_layout(layout, len(array))}")
        elif layout.kind == "image" and array.ndim == 4:
            array = array.transpose(0, 3, 1, 2)
        return layout, np.ascontiguousarray(array.reshape(len(array), layout.size))

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self._name} is a parameter, and cannot be saved with what was learned; "
                        "keep it as an attribute of its own, or save what is needed by save()")
