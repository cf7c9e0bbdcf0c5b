# SPDX-License-Identifier: MIT
"""A trained machine as bytes, so that it can be pickled: the files of a model folder in an
uncompressed tar archive. No disk is involved, and small files take no time, which tarfile would."""

from __future__ import annotations

import io
import tarfile
from typing import Any, Dict, List, Optional

from . import _native

_BLOCK = 512
_END = bytes(2 * _BLOCK)


def to_bytes(trained: _native.Trained) -> bytes:
    """The model folder as an uncompressed tar archive; equal models give equal bytes."""
    parts: List[bytes] = []
    for name, content in trained.files().items():
        parts += (_header(name, len(content)), content, bytes(-len(content) % _BLOCK))
    return b"".join((*parts, _END))


def from_bytes(packed: bytes, options: Optional[Dict[str, Any]] = None) -> _native.Trained:
    """The machine that :func:`to_bytes` packed, with the same bits.

    Raises
    ------
    SemblanceError
        These are not the bytes of a model.
    """
    return _native.Trained.from_files(_unpacked(packed), options or {})


def _header(name: str, size: int) -> bytes:
    """The header of a file, without owner and time, which say nothing of the model."""
    path = name.encode()
    if len(path) > 100 or not name.isascii() or size >= 8 ** 11:
        entry = tarfile.TarInfo(name)
        entry.size = size
        return entry.tobuf(tarfile.PAX_FORMAT)
    head = b"%b0000644\0" b"0000000\0" b"0000000\0" b"%011o\0" b"00000000000\0" % (path.ljust(100, b"\0"), size)
    rest = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + b"0000000\0" b"0000000\0" + bytes(167)
    checksum = sum(head) + sum(rest) + 8 * ord(" ")
    return b"%b%06o\0 %b" % (head, checksum, rest)


def _unpacked(packed: bytes) -> Dict[str, bytes]:
    files: Dict[str, bytes] = {}
    place = 0
    while packed[place:place + 1] not in (b"", b"\0"):
        header = packed[place:place + _BLOCK]
        name, _, _ = header[:100].partition(b"\0")
        if header[156:157] != b"0" or header != _header_of(name, header):
            return _unpacked_slowly(packed)
        size = int(header[124:135], 8)
        place += _BLOCK
        if place + size > len(packed):
            raise _native.SemblanceError("these are not the bytes of a model: unexpected end of data")
        files[name.decode()] = packed[place:place + size]
        place += size + -size % _BLOCK
    if not files:
        raise _native.SemblanceError("these are not the bytes of a model: there are no files")
    return files


def _header_of(name: bytes, header: bytes) -> Optional[bytes]:
    """The header that :func:`to_bytes` writes of a file with the size that this one says."""
    size = header[124:135]
    return _header(name.decode(), int(size, 8)) if size.isdigit() and name.isascii() else None


def _unpacked_slowly(packed: bytes) -> Dict[str, bytes]:
    """The files of an archive with other headers: of long names, or of another program."""
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
    return files
