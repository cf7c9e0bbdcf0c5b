# SPDX-License-Identifier: MIT
"""A trained machine as bytes, so that it can be pickled: the files of a model folder in an
uncompressed tar archive. No disk is involved."""

from __future__ import annotations

import io
import tarfile
from typing import Any, Dict, Optional

from . import _native


def to_bytes(trained: _native.Trained) -> bytes:
    """The model folder as an uncompressed tar archive; equal models give equal bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in trained.files().items():
            entry = tarfile.TarInfo(name)  # without owner and time, which say nothing of the model
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


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
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
            for entry in archive:
                content = archive.extractfile(entry) if entry.isfile() else None
                if content is None:
                    raise _native.SemblanceError(f"these are not the bytes of a model: "
                                                 f"'{entry.name}' is no file of one")
                files[entry.name] = content.read()
    except tarfile.TarError as problem:
        raise _native.SemblanceError(f"these are not the bytes of a model: {problem}") from problem
    if not files:
        raise _native.SemblanceError("these are not the bytes of a model: there are no files")
    return files
