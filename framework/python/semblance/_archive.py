# SPDX-License-Identifier: MIT
"""A model folder as bytes, so that a trained machine can be pickled."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from typing import Any, Dict, Optional

from . import _native


def to_bytes(trained: _native.Trained) -> bytes:
    """The model folder as an uncompressed tar archive; equal models give equal bytes."""
    with tempfile.TemporaryDirectory(prefix="semblance-") as folder:
        model = os.path.join(folder, "model")
        trained.save(model)
        return _packed(model)


def from_bytes(packed: bytes, options: Optional[Dict[str, Any]] = None) -> _native.Trained:
    """The machine that :func:`to_bytes` packed, with the same bits.

    Raises
    ------
    SemblanceError
        These are not the bytes of a model.
    """
    with tempfile.TemporaryDirectory(prefix="semblance-") as folder:
        _unpack(packed, folder)
        return _native.Trained.load(folder, options or {})


def _packed(folder: str) -> bytes:
    files = sorted(os.path.relpath(os.path.join(place, name), folder)
                   for place, _, names in os.walk(folder) for name in names)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in files:
            path = os.path.join(folder, name)
            entry = tarfile.TarInfo(name)  # without owner and time, which say nothing of the model
            entry.size = os.path.getsize(path)
            with open(path, "rb") as content:
                archive.addfile(entry, content)
    return out.getvalue()


def _unpack(packed: bytes, folder: str) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
            for entry in archive:
                _unpack_file(archive, entry, folder)
    except tarfile.TarError as problem:
        raise _native.SemblanceError(f"these are not the bytes of a model: {problem}") from problem


def _unpack_file(archive: tarfile.TarFile, entry: tarfile.TarInfo, folder: str) -> None:
    """Writes one file, never outside of the folder, whatever path it claims."""
    target = os.path.normpath(os.path.join(folder, entry.name))
    content = archive.extractfile(entry) if entry.isfile() else None
    if content is None or not target.startswith(folder + os.sep):
        raise _native.SemblanceError(f"these are not the bytes of a model: '{entry.name}' is no "
                                     f"file of one")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with content, open(target, "wb") as out:
        while block := content.read(1 << 20):
            out.write(block)
