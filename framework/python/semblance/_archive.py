# SPDX-License-Identifier: MIT
"""A trained machine as bytes, so that it can be pickled: the files of a model folder in a tar
archive. No disk is involved."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from typing import Any, Dict, Optional

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


def from_bytes(packed: bytes, options: Optional[Dict[str, Any]] = None) -> _native.Trained:
    """The machine that :func:`to_bytes` packed, with the same bits.

    Raises
    ------
    SemblanceError
        These are not the bytes of a model.
    """
    return _native.Trained.from_files(_unpacked(packed), options or {})


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
