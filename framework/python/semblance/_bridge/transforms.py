# SPDX-License-Identifier: MIT
"""Features and normalizers written in Python."""

from __future__ import annotations

import warnings
from typing import Any, Tuple

import numpy as np

from . import blocks
from .._declare import Refused
from .adapter import Adapter, announced
from .layouts import SAY_GIVES, Layout, axes_text, layout_of_shape, shape_of_layout, shaped
from .results import numeric, shape_text, whole_number
from .rows import Values, locked, row_count


class Transform(Adapter):
    """A feature, or a normalizer: ``f(samples)``, or a class with ``apply(samples)``."""

    def bind(self, layout: Tuple[Any, ...]) -> Tuple[Any, ...]:
        self._set_layout(layout)
        self.given = self._output()
        return self.given

    def _output(self) -> Layout:
        """The layout of the output, found by a trial call on artificial rows."""
        rows = blocks.rows_at_once()
        with np.errstate(all="ignore"), warnings.catch_warnings(), self._trying():
            warnings.simplefilter("ignore")
            result = numeric(self._result_for(self._trial(rows)), self._said())
        gives = self.declaration.options["gives"] or "vector"
        expected = {"vector": (2,), "image": (3, 4), "grid": (4,)}[gives]
        if result.ndim not in expected or len(result) != rows or result.size == 0:
            raise Refused(f"{self._said()} has the shape {shape_text(result.shape)} for {rows} "
                          f"samples; {'an image' if gives == 'image' else 'a ' + gives} for each "
                          f"is {' or '.join(axes_text(gives, n) for n in expected)}"
                          f"{SAY_GIVES if gives == 'vector' else ''}")
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
