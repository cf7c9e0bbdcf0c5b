# SPDX-License-Identifier: MIT
"""Threads and progress of trainings."""

from __future__ import annotations

import numbers
import os
import sys
from typing import Any, Mapping, Optional


def threads(n_jobs: Optional[int]) -> int:
    """Number of threads: scikit-learn's n_jobs, except that None means all cores. Raises TypeError
    or ValueError where it is not an integer, or it is 0."""
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


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class Progress:
    """A bar that shows the running node. A short run shows nothing.

    `wanted`: True: tqdm decides by its own conventions; False: never; None: if tqdm is installed
    and there is a terminal or a notebook. `names`: what nodes are called whose names are not the
    user's."""

    def __init__(self, wanted: Optional[bool], names: Mapping[str, str] = {}) -> None:
        self._bar: Any = None
        self._names = names
        self._tqdm = self._find(wanted)

    @staticmethod
    def _find(wanted: Optional[bool]) -> Any:
        if wanted is False or (wanted is None and not sys.stderr.isatty() and not _in_notebook()):
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if wanted:
                raise ImportError("progress=True needs tqdm: install python3-tqdm") from None
            return None
        return tqdm

    @property
    def callback(self) -> Optional["Progress"]:
        """The callback for the runtime; None if nothing is shown."""
        return self if self._tqdm is not None else None

    def __call__(self, node: str, done: float, total: float) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=1.0, delay=0.5, leave=False,
                                   bar_format="{desc}{percentage:3.0f} %|{bar}| [{elapsed}]")
        self._bar.set_description(self._names.get(node, node), refresh=False)
        self._bar.n = min(1.0, done / total) if total > 0 else 0.0
        self._bar.update(0)
        self._bar.refresh()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
