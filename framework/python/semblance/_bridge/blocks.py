# SPDX-License-Identifier: MIT
"""Numbers of rows per call of a function, so that a row gets the same bits at any position."""

from __future__ import annotations

import functools
from typing import Callable, Tuple

import numpy as np

#: Pairs of a basis and a sample per call of a similarity. They stay in the cache even if it forms
#: the differences of all values of each pair.
_PAIRS = 4096


@functools.lru_cache(maxsize=None)
def rows_at_once() -> int:
    """The number of rows, at most 32, that this machine's matrix product treats alike.

    Some kernels of BLAS sum the products of a row in another order if the row is among the last of
    a block (OpenBLAS in float32 on processors without AVX-512, beyond eight rows).
    """
    return next(rows for rows in (32, 16, 8, 4, 2, 1) if _alike(rows))


def bases_at_once() -> int:
    """The number of bases per call of a similarity with `rows_at_once()` rows."""
    return _PAIRS // rows_at_once()


def _alike(rows: int) -> bool:
    """Whether rows get the same bits at all positions, in products of several sizes."""
    random = np.random.Generator(np.random.PCG64(0))
    for values, others in ((3, 16), (24, 20), (100, 128), (800, 48), (24, _PAIRS // rows)):
        x = random.random((rows, values), dtype=np.float32)
        y = random.random((others, values), dtype=np.float32)
        w = random.random((values, others), dtype=np.float32)
        products: Tuple[Callable[[np.ndarray], np.ndarray], ...] = (
            lambda x: x @ y.T, lambda x: (y @ x.T).T, lambda x: x @ w)
        expected = [product(x) for product in products]
        for shift in range(1, min(rows, 4)):
            moved = np.roll(x, shift, axis=0)
            if any(not np.array_equal(np.roll(e, shift, axis=0), product(moved))
                   for e, product in zip(expected, products)):
                return False
    return True
