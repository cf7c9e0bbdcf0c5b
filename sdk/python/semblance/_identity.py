# SPDX-License-Identifier: MIT
"""What a component written in Python is: the source it comes from, and the versions it uses.

Results are stored under a hash of what made them. Two components that may give different results
must never have the same one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

_folders: List[str] = []


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Compiles the source as it is now: compiled files are matched by whole seconds of time."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _fresh_finder(path: str) -> importlib.machinery.FileFinder:
    real = os.path.realpath(path)
    if not any(real == folder or real.startswith(folder + os.sep) for folder in _folders):
        raise ImportError(path)
    return importlib.machinery.FileFinder(path, (_FreshLoader, [".py"]))


def read_fresh(folder: str) -> None:
    """Let modules of this folder be imported, from their source as it is now."""
    folder = os.path.realpath(folder)
    if folder in _folders:
        return
    if not _folders:
        sys.path_hooks.insert(0, _fresh_finder)
    _folders.append(folder)
    sys.path_importer_cache.pop(folder, None)
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _imported(source: bytes, package: str) -> Set[str]:
    """The names of all modules that a source imports, wherever in it."""
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


class _Sources:
    """The local modules that a source imports, directly or through one another."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: Dict[str, bytes] = {}  #: by path, relative to the folder
        self.packages: Set[str] = set()

    def follow(self, source: bytes, package: str = "") -> None:
        for name in sorted(_imported(source, package)):
            self._follow_name(name)

    def _follow_name(self, name: str) -> None:
        top = name.split(".")[0]
        if not os.path.isfile(os.path.join(self.folder, top + ".py")) and \
                not os.path.isdir(os.path.join(self.folder, top)):
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
            with open(file, "rb") as stream:
                self.files[key] = stream.read()
            self.follow(self.files[key], ".".join(package))


def _check_not_another(name: str, file: str) -> None:
    """Two plugins may have helpers of one name, of which Python imports only one."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded and os.path.realpath(loaded) != os.path.realpath(file):
        raise ImportError(f"it imports the module '{name}', of which two are in use: '{loaded}' "
                          f"and '{file}'; rename one of them")


def _distributions(packages: Set[str]) -> Iterator[Tuple[str, str]]:
    """Name and version of the packages, and of all that these need."""
    providers: Optional[Any] = None
    waiting: List[str] = []
    for top in sorted(packages):
        if top in sys.stdlib_module_names or top == "semblance":
            continue
        try:
            importlib.metadata.distribution(top)
            waiting.append(top)
        except importlib.metadata.PackageNotFoundError:
            providers = providers or importlib.metadata.packages_distributions()
            waiting += providers.get(top, [])
            if top not in providers:
                yield top, _version_of_module(top)
    seen: Set[str] = set()
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # wanted in some circumstances only
        yield key, distribution.version
        for wanted in distribution.requires or ():
            if "extra ==" not in wanted:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", wanted, 1)[0])


def _version_of_module(name: str) -> str:
    """Of a module that no package brings: what it says of itself, and its file's content."""
    spec = importlib.util.find_spec(name)
    text = str(getattr(sys.modules.get(name), "__version__", ""))
    origin = getattr(spec, "origin", None)
    if origin and os.path.isfile(origin):
        with open(origin, "rb") as stream:
            text += " " + hashlib.sha256(stream.read()).hexdigest()
    return text


def versions(packages: Set[str]) -> str:
    """Python, the packages, all that they need, and the package `semblance` itself."""
    lines = [f"python {platform.python_implementation()} {sys.version.split()[0]}", _own_sources()]
    lines += sorted(f"{name} {version}" for name, version in _distributions(packages | {"numpy"}))
    return "\n".join(lines)


def _own_sources() -> str:
    """What stands between the runtime and a component may change what it computes."""
    digest = hashlib.sha256()
    for name in ("_bridge", "_declare", "_state"):
        with open(os.path.join(os.path.dirname(__file__), name + ".py"), "rb") as stream:
            digest.update(stream.read())
    return "semblance " + digest.hexdigest()


def of_file(file: str, source: bytes) -> Tuple[str, str]:
    """A hash of the source and of the local modules that it imports; versions of all others."""
    sources = _Sources(os.path.dirname(file))
    sources.follow(source)
    digest = hashlib.sha256(source)
    for name, content in sorted(sources.files.items()):
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:32], versions(sources.packages)
