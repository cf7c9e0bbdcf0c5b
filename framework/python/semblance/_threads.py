# SPDX-License-Identifier: MIT
"""The number of threads."""

from __future__ import annotations

import numbers
import os
from typing import Optional


def threads(n_jobs: Optional[int]) -> int:
    """Number of threads: scikit-learn's n_jobs, except that None means all cores.

    Raises
    ------
    TypeError, ValueError
        It is not an integer, or it is 0.
    """
    cores = (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity")
             else os.cpu_count() or 1)
    if n_jobs is None:
        said = os.environ.get("OMP_NUM_THREADS", "")
        return min(int(said), cores) if said.isdigit() and int(said) > 0 else cores
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral):
        raise TypeError(f"n_jobs must be an integer or None, got {n_jobs!r}.")
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning: give a number of threads, or -1 for all.")
    return int(n_jobs) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))
