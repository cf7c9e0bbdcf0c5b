# SPDX-License-Identifier: MIT
"""The kinds of components written in Python, as the runtime calls them."""

from __future__ import annotations

import warnings
from typing import Any, List, Tuple

import numpy as np

from .._declare import Refused
from .adapter import Adapter, announced, bases_at_once, rows_at_once
from .drawings import figures
from .saved_state import Untrusted
from .values import (AXES, Layout, Values, chosen_rows, layout_of_shape, locked, numeric, row_count,
                     row_range, shape_of_layout, shaped, tile, whole_number)


class Basis(Adapter):
    """A function that chooses training rows."""

    def count(self, rows: int, classes: int) -> int:
        """The number of rows that it chooses out of `rows`."""
        how = self.declaration.options["count"]
        number = self.values[how] if isinstance(how, str) else \
            announced(how, self.values, rows=rows, classes=classes)
        return whole_number(number, "the option 'count'")

    def select(self, samples: Any, labels: np.ndarray, classes: Tuple[str, ...],
               context: Any) -> List[int]:
        """The positions of the rows that it chooses."""
        given = None if samples is None else shaped(self.shown, samples)
        result = self._call("call", samples=given, labels=labels, classes=classes,
                            context=self._context(context))
        array = numeric(result, self._said())
        if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
            raise Refused(f"{self._said()} is an array of {array.dtype} of the shape {array.shape}, "
                          "not the positions of training rows (whole numbers, in one dimension)")
        return [int(i) for i in array]


class Evaluator(Adapter):
    """A function of scores and labels that returns figures and drawings by name."""

    def evaluate(self, scores: np.ndarray, labels: np.ndarray, classes: Tuple[str, ...],
                 context: Any) -> str:
        """The figures, as a stored report."""
        result = self._call("call", scores=scores, labels=labels, classes=classes,
                            context=self._context(context))
        return figures(result, self._said(), none_is_well=False)


class Transform(Adapter):
    """A feature, or a normalizer: ``f(samples)``, or a class with ``apply(samples)``."""

    def bind(self, layout: Tuple[Any, ...]) -> Tuple[Any, ...]:
        self._set_layout(layout)
        self.given = self._output()
        return self.given

    def _output(self) -> Layout:
        """The layout of the output, found by a trial call on artificial rows."""
        rows = rows_at_once()
        with np.errstate(all="ignore"), warnings.catch_warnings(), self._trying():
            warnings.simplefilter("ignore")
            result = numeric(self._result_for(self._trial(rows)), self._said())
        gives = self.declaration.options["gives"] or "vector"
        expected = {"vector": (2,), "image": (3, 4), "grid": (4,)}[gives]
        if result.ndim not in expected or len(result) != rows or result.size == 0:
            hint = "; for images or grids, say gives=\"image\" or gives=\"grid\""
            raise Refused(f"{self._said()} has the shape {result.shape} for {rows} samples; "
                          f"{'an image' if gives == 'image' else 'a ' + gives} for each is "
                          f"{' or '.join(AXES[gives, n] for n in expected)}"
                          f"{hint if gives == 'vector' else ''}")
        return layout_of_shape(gives, result.shape)

    def _trial(self, rows: int) -> Values:
        """Rows of the layout; each series, string and set has the largest size."""
        size = self.layout.size
        flat = np.linspace(0, 1, rows * size, dtype=np.float32)
        if self.layout.kind == "string":
            flat[:] = 0
        flat = locked(flat)
        if self.layout.ragged:
            return flat, np.arange(0, rows * size + 1, size)
        return locked(flat.reshape(rows, size))

    def _result_for(self, samples: Values) -> Any:
        method = "call" if self.object is None else "apply"
        return self._call(method, samples=shaped(self.shown, samples))

    def _made_of(self, samples: Values) -> np.ndarray:
        rows = row_count(samples)
        result = self._result_for(samples)
        flat = self.given is self.layout and self.shown.kind == "vector"
        shape = (rows, self.given.size) if flat else shape_of_layout(self.given, rows)
        values = self._checked(result, shape, samples)
        if values.ndim == 4 and self.given.kind == "image":
            values = values.transpose(0, 3, 1, 2)
        return values.reshape(rows, -1)


class Normalizer(Transform):
    """Gives rows like its inputs, or vectors of the size that the option `size` says."""

    def _output(self) -> Layout:
        size = self.declaration.options["size"]
        if self.object is None or "fit" not in self.declaration.wanted:
            return super()._output()
        if size is None:
            if self.layout.ragged:
                raise Refused("a normalizer of samples that differ in size gives vectors; say "
                              "their size by the option 'size'")
            return self.layout
        number = self.values[size] if isinstance(size, str) else \
            announced(size, self.values, layout=self.layout)
        return Layout("vector", 1, 1, whole_number(number, "the option 'size'"))

    def fit(self, samples: Values, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> Any:
        """Learns from the training samples."""
        self._learn(samples=shaped(self.shown, samples), labels=labels, classes=classes,
                    context=self._context(context))

    def _learned(self) -> Any:
        return self.learned

    def _take(self, learned: Any) -> None:
        self._restore(learned)


class Solver(Normalizer):
    """A class with ``fit(samples, labels)``; ``apply(samples)`` gives a score for each class."""

    scores = 0

    def _output(self) -> Layout:
        return Layout("vector", 1, 1, self.scores)

    def fit(self, samples: Values, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> str:
        """Learns from the training samples; returns the reported figures, as a stored report."""
        result = self._learn(samples=shaped(self.shown, samples), labels=labels,
                             classes=classes, context=self._context(context))
        self._set_scores(len(classes))
        return figures(result, self._said("fit"), none_is_well=True)

    def _set_scores(self, count: int) -> None:
        self.scores = count
        self.given = self._output()

    def _learned(self) -> Any:
        return {"classes": self.scores, "learned": self.learned}

    def _take(self, learned: Any) -> None:
        self._restore(learned["learned"])
        self._set_scores(whole_number(learned["classes"], "its saved number of classes"))

    def _shape_says(self) -> str:
        return "a row for each sample, a score for each class"


class Similarity(Adapter):
    """``f(bases, samples)``, or a class with ``fit(bases)`` and ``apply(samples)``."""

    bases: Values
    indices: np.ndarray

    def set_bases(self, bases: Values, indices: np.ndarray, context: Any) -> None:
        """Stores a copy of the bases; a class learns from them."""
        self.count = row_count(bases)
        self.bases = chosen_rows(bases, np.arange(self.count))
        if self.object is None:
            self._check_pairs()
        else:
            self._learn(bases=shaped(self.shown, self.bases), indices=locked(indices.copy()),
                        context=self._context(context))

    def _learned(self) -> Any:
        if self.object is not None:
            return {"count": self.count, "learned": self.learned}
        ragged = isinstance(self.bases, tuple)
        return {"values": self.bases[0] if ragged else self.bases,
                "offsets": self.bases[1] if ragged else None}

    def _take(self, learned: Any) -> None:
        if self.object is not None:
            self.count = int(learned["count"])
            return self._restore(learned["learned"])
        values, offsets = learned["values"], learned["offsets"]
        right = _are_ragged_rows if self.layout.ragged else _is_table
        if not right(self.layout, values, offsets) or values.dtype != np.float32:
            raise Untrusted("its saved bases are not samples like those that it compares; "
                            "train it again")
        self.bases = (locked(values), offsets) if self.layout.ragged else locked(values)
        self.count = row_count(self.bases)

    def _shape_says(self) -> str:
        return "a row for each sample, a column for each basis"

    def _tile_of(self, bases: Values, samples: Values) -> np.ndarray:
        result = self._call("call", bases=shaped(self.shown, bases),
                            samples=shaped(self.shown, samples))
        return self._checked(result, (row_count(samples), row_count(bases)), samples)

    def _check_pairs(self) -> None:
        """Checks that the similarity of a pair depends on nothing but the pair."""
        few = tile(self.bases, 0, 3)
        both = self._tile_of(few, tile(self.bases, 0, 4))
        alone = self._tile_of(row_range(few, 0, 1), tile(self.bases, 0, 4))
        scale = np.abs(both).max(initial=0)
        if not np.allclose(both[:, :1], alone, rtol=1e-3, atol=1e-4 * scale):
            raise Refused(f"{self._said()} for a basis and a sample depends on the other bases, or "
                          "differs from call to call; to learn from all bases, declare a class "
                          "with fit(bases) and apply(samples)")

    def _made_of(self, samples: Values) -> np.ndarray:
        return self._columns(samples, 0, self.count)

    def _columns(self, samples: Values, first: int, last: int) -> np.ndarray:
        """The similarities to the bases [first, last), in tiles that begin at the same bases for
        any range."""
        if self.object is not None:
            result = self._call("apply", samples=shaped(self.shown, samples))
            whole = self._checked(result, (row_count(samples), self.count), samples)
            return whole[:, first:last]
        most = bases_at_once()
        begin = first // most * most
        columns = []
        for start in range(begin, last, most):
            bases = min(most, self.count - start)
            wide = bases if isinstance(self.bases, tuple) else -(-bases // 16) * 16
            columns.append(self._tile_of(tile(self.bases, start, wide), samples)[:, :bases])
        whole = columns[0] if len(columns) == 1 else np.hstack(columns)
        return whole[:, first - begin:last - begin]

    def apply_range(self, samples: Values, first: int, out: np.ndarray, context: Any) -> None:
        """Writes the similarities to the bases from `first` on, one per column of `out`."""
        last = first + out.shape[1]
        if first == last:
            return
        self._in_blocks(samples, out, context, lambda block: self._columns(block, first, last))

    def compare_with_itself(self, rows: Values, out: np.ndarray) -> None:
        """Writes the similarity of each row to itself."""
        most = rows_at_once()
        for first in range(0, row_count(rows), most):
            count = min(most, row_count(rows) - first)
            block = row_range(rows, first, first + count) if isinstance(rows, tuple) else \
                tile(rows, first, most)
            out[first:first + count, 0] = np.diagonal(self._tile_of(block, block))[:count]


def _are_ragged_rows(layout: Layout, values: np.ndarray, offsets: Any) -> bool:
    """Whether saved values and offsets are rows of the layout."""
    if offsets is None or values.ndim != 1 or offsets.dtype != np.int64 or offsets.ndim != 1:
        return False
    if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(values):
        return False
    sizes = np.diff(offsets)
    if (sizes <= 0).any() or (sizes > layout.size).any() or (sizes % layout.depth != 0).any():
        return False
    return layout.kind != "string" or bool(np.isin(values, np.arange(len(layout.alphabet))).all())


def _is_table(layout: Layout, values: np.ndarray, offsets: Any) -> bool:
    """Whether saved values are rows of the layout, one below the other."""
    return offsets is None and values.ndim == 2 and values.shape[1] == layout.size \
        and len(values) > 0
