# SPDX-License-Identifier: MIT
"""Trained machines in pickles: the files of a model folder. No disk is involved."""

from __future__ import annotations

import pickle
import zlib
from typing import Any, Dict

from . import _native
from ._progress import threads

#: Machines up to this many bytes are compressed: most of theirs is the text around the numbers.
SMALL = 1 << 16


def packed(state: Dict[str, Any], with_reports: bool = False) -> Dict[str, Any]:
    """An object's state, with the files of its machine ``_trained``; perhaps without what solvers
    have reported. A small one is compressed as a whole; equal states give equal bytes."""
    files = state["_trained"].files(with_reports)
    whole = {**state, "_trained": files}
    small = sum(map(len, files.values())) <= SMALL
    return {"packed": zlib.compress(pickle.dumps(whole, protocol=4), 9)} if small else whole


def unpacked(state: Dict[str, Any]) -> Dict[str, Any]:
    """The state that :func:`packed` has made smaller, with its machine. Raises SemblanceError where
    it is damaged."""
    if "packed" in state:
        try:
            state = pickle.loads(zlib.decompress(state["packed"]))
        except (zlib.error, pickle.UnpicklingError, EOFError) as problem:
            raise _native.SemblanceError(
                f"these are not the bytes of a model: {problem}") from problem
    options = {"threads": threads(state.get("n_jobs")), "memory": state.get("memory")}
    return {**state, "_trained": _native.Trained.from_files(state["_trained"], options)}
