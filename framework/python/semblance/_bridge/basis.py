# SPDX-License-Identifier: MIT
"""Functions written in Python that choose training rows."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from .._declare import Refused
from .adapter import Adapter, announced
from .layouts import shaped
from .results import numeric, shape_text, whole_number


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
            raise Refused(f"{self._said()} is an array of {array.dtype} of the shape "
                          f"{shape_text(array.shape)}, not the positions of training rows (whole "
                          "numbers, in one dimension)")
        return [int(i) for i in array]
