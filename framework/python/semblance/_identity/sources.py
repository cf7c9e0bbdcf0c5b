# SPDX-License-Identifier: MIT
"""The identity of a plugin's file: its source, and the local modules that it imports."""

from __future__ import annotations

import ast
import hashlib
import os
import secrets
import sys
from typing import Dict, List, Set, Tuple

from .content import Unnamed, Walk
from .fresh_modules import loaded_sources
from .versions import versions


def of_file(file: str, source: bytes) -> Tuple[str, str]:
    """A hash of the source and its local modules, and the versions of all other modules."""
    sources = _Sources(os.path.dirname(file))
    sources.follow(source)
    digest = hashlib.sha256(source)
    for name, content in sorted(sources.files.items()):
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:32], versions(sources.packages)


class _Sources:
    """The local modules that a source imports, directly or through one another."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: Dict[str, bytes] = {}  #: by path, relative to the folder
        self.packages: Set[str] = set()

    def follow(self, source: bytes, package: str = "") -> None:
        if _uses_package(ast.parse(source)):
            self.packages.add("semblance")
        for name in sorted(_imported(source, package)):
            self._follow_name(name)

    def _follow_name(self, name: str) -> None:
        top = name.split(".")[0]
        if not os.path.isfile(os.path.join(self.folder, top + ".py")) and \
                not os.path.isdir(os.path.join(self.folder, top)):
            if top != "semblance":
                self.packages.add(top)
            return
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            self._read(parts[:length])

    def _read(self, parts: List[str]) -> None:
        base = os.path.join(self.folder, *parts)
        for file, package in ((base + ".py", parts[:-1]),
                              (os.path.join(base, "__init__.py"), parts)):
            key = os.path.relpath(file, self.folder)
            if key in self.files or not os.path.isfile(file):
                continue
            _check_not_another(".".join(parts), file)
            self.files[key] = source = _source(".".join(parts), file)
            self.follow(source, ".".join(package))


def _source(name: str, file: str) -> bytes:
    """The source of a module at its import; the file may have changed since."""
    loaded = loaded_sources.get(os.path.realpath(file))
    if loaded is not None and name in sys.modules:
        return loaded
    with open(file, "rb") as stream:
        source = stream.read()
    module = sys.modules.get(name)
    if module is None:
        return source
    walk = Walk()  # its source at the import is not known
    try:
        walk.value(module)
    except (Unnamed, RecursionError):
        return source + f"\n# {secrets.token_hex(16)}".encode()
    return source + f"\n# {walk.digest.hexdigest()}".encode()


def _check_not_another(name: str, file: str) -> None:
    """Refuses two plugins with helper modules of the same name: Python imports only one."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded and os.path.realpath(loaded) != os.path.realpath(file):
        raise ImportError(f"it imports the module '{name}', of which two are in use: '{loaded}' "
                          f"and '{file}'; rename one of them")


def _imported(source: bytes, package: str) -> Set[str]:
    """The names of all modules that a source imports anywhere."""
    names: Set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join(parts[:len(parts) - node.level + 1] + ([base] if base else []))
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return names


def _uses_package(tree: ast.AST) -> bool:
    """Whether a source uses more of the package than its decorators: semblance.KIND.NAME."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("semblance."):
            return True
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and \
                isinstance(node.value.value, ast.Name) and node.value.value.id == "semblance":
            return True
    return False
