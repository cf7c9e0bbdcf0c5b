# SPDX-License-Identifier: MIT
"""How many rows a function is given at once, so that each gets the same bits wherever it stands."""

from __future__ import annotations

import functools
from typing import Callable, Tuple

import numpy as np

#: Pairs of a basis and a sample that a similarity is given at once: as many as stay in the cache
#: where it takes the difference of all values of each pair.
_PAIRS = 4096


@functools.lru_cache(maxsize=None)
def rows_at_once() -> int:
    """As many rows as this machine's matrix product treats alike, 32 at most.

    Some kernels of BLAS add up the products of a row in another order if the row is one of the last
    ones of a block (OpenBLAS in float32 on processors without AVX-512, beyond eight rows).
    """
    return next(rows for rows in (32, 16, 8, 4, 2, 1) if _alike(rows))


def bases_at_once() -> int:
    """How many bases a similarity is given with so many rows."""
    return _PAIRS // rows_at_once()


def _alike(rows: int) -> bool:
    """Whether rows get the same bits at all places, in products of several sizes."""
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
