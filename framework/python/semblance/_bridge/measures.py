# SPDX-License-Identifier: MIT
"""Similarity measures that are parameters of components written in Python."""

from __future__ import annotations

from typing import Any, Callable, NoReturn, Optional, Tuple

import numpy as np

from .._declare import Refused
from .layouts import Layout, shape_of_layout
from .results import finite, numeric, shape_text


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
            raise Refused(f"{name} have the shape {shape_text(array.shape)}, not "
                          f"{shape_text(shape_of_layout(layout, len(array)))}")
        elif layout.kind == "image" and array.ndim == 4:
            array = array.transpose(0, 3, 1, 2)
        return layout, np.ascontiguousarray(array.reshape(len(array), layout.size))

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self._name} is a parameter, and cannot be saved with what was learned; "
                        "keep it as an attribute of its own, or save what is needed by save()")
