# SPDX-License-Identifier: MIT
"""Imports the modules beside a plugin from their present source, and retains that source."""

from __future__ import annotations

import importlib.machinery
import os
import sys
import sysconfig
from typing import Any, Dict, List

_folders: List[str] = []

#: The sources of modules imported from these folders, at the time of the import.
loaded_sources: Dict[str, bytes] = {}

_INSTALLED = tuple({os.path.realpath(sysconfig.get_paths()[name]) + os.sep
                    for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def is_installed(file: str) -> bool:
    """Whether a module's file comes with Python or with a package."""
    parts = file.split(os.sep)
    return (file.startswith((*_INSTALLED, "<frozen", "<__array_function__"))
            or "site-packages" in parts or "dist-packages" in parts)


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Compiles the present source: compiled files are matched by whole seconds only."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        loaded_sources[os.path.realpath(path)] = source
        return self.source_to_code(source, path)


def _fresh_finder(path: str) -> importlib.machinery.FileFinder:
    real = os.path.realpath(path)
    if not any(real == folder or real.startswith(folder + os.sep) for folder in _folders):
        raise ImportError(path)
    return importlib.machinery.FileFinder(path, (_FreshLoader, [".py"]))


def read_fresh(folder: str) -> None:
    """Makes the modules of this folder importable from their present source."""
    folder = os.path.realpath(folder)
    if folder in _folders:
        return
    if not _folders:
        sys.path_hooks.insert(0, _fresh_finder)
    _folders.append(folder)
    sys.path_importer_cache.pop(folder, None)
    if folder not in sys.path:
        sys.path.insert(0, folder)
