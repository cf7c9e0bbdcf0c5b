# SPDX-License-Identifier: MIT
"""A trained machine as bytes, so that it can be pickled: the files of a model folder in a tar
archive. No disk is involved."""

from __future__ import annotations

import gzip
import io
import pickle
import tarfile
import zlib
from typing import Any, Dict

from . import _native


#: Archives up to this many bytes are compressed: most of theirs is the room between files.
SMALL = 1 << 16


def to_bytes(trained: _native.Trained) -> bytes:
    """The model folder as a tar archive; equal models give equal bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in trained.files().items():
            entry = tarfile.TarInfo(name)  # without owner and time, which say nothing of the model
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    packed = out.getvalue()
    return gzip.compress(packed, 9, mtime=0) if len(packed) <= SMALL else packed


def from_bytes(packed: bytes) -> _native.Trained:
    """The machine that :func:`to_bytes` packed, with the same bits. Raises SemblanceError where
    these are not the bytes of a model."""
    return from_files(packed, {})


def from_files(files: "Dict[str, bytes] | bytes", options: Dict[str, Any]) -> _native.Trained:
    """The machine of such files, or of :func:`to_bytes`, as older pickles have it; see there."""
    return _native.Trained.from_files(
        _unpacked(files) if isinstance(files, bytes) else files, options)


def packed(state: Dict[str, Any]) -> Dict[str, Any]:
    """An estimator's state, with the files of its machine, less what solvers have reported: that is
    in metrics_. A small one is compressed as a whole."""
    files = state["_trained"].files(False)
    whole = {**state, "_trained": files}
    small = sum(map(len, files.values())) <= SMALL
    return {"packed": zlib.compress(pickle.dumps(whole, protocol=4), 9)} if small else whole


def unpacked(state: Dict[str, Any]) -> Dict[str, Any]:
    """The state that :func:`packed` made smaller, with files, or bytes of older versions. Raises
    SemblanceError where it is damaged."""
    if "packed" not in state:
        return state
    try:
        found: Dict[str, Any] = pickle.loads(zlib.decompress(state["packed"]))
    except (zlib.error, pickle.UnpicklingError, EOFError) as problem:
        raise _native.SemblanceError(f"these are not the bytes of a model: {problem}") from problem
    return found


def _unpacked(packed: bytes) -> Dict[str, bytes]:
    files: Dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:*") as archive:
            for entry in archive:
                content = archive.extractfile(entry) if entry.isfile() else None
                if content is None:
                    raise _native.SemblanceError(f"these are not the bytes of a model: "
                                                 f"'{entry.name}' is no file of one")
                files[entry.name] = content.read()
    except (tarfile.TarError, zlib.error, EOFError, OSError) as problem:
        raise _native.SemblanceError(f"these are not the bytes of a model: {problem}") from problem
    if not files:
        raise _native.SemblanceError("these are not the bytes of a model: there are no files")
    return files
