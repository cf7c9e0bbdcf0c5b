# SPDX-License-Identifier: MIT
"""Similarities written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import blocks
from .._declare import Refused
from .adapter import Adapter
from .layouts import Layout, shaped
from .rows import Values, chosen_rows, locked, row_count, row_range, tile
from .saved_state import Untrusted


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
        most = blocks.bases_at_once()
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
        most = blocks.rows_at_once()
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
