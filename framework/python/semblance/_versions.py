# SPDX-License-Identifier: MIT
"""The software that computes a component: versions of packages, and of the runtime itself."""

from __future__ import annotations

import functools
import glob
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

#: Modules that come with Python; before 3.10 it does not list all of them.
_STANDARD = getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))


def _providers() -> Dict[str, List[str]]:
    """The packages that provide each module."""
    known = getattr(importlib.metadata, "packages_distributions", dict)
    return dict(known())


#: Dependencies of packages that do not declare them: Debian's packages omit them.
_NEEDS = {"scikit-learn": ("scipy", "joblib", "threadpoolctl"), "pandas": ("numpy",)}


def _distributions(packages: Set[str]) -> Iterator[Tuple[str, str]]:
    """Name and version of the packages and of all their dependencies."""
    providers: Optional[Any] = None
    waiting: List[str] = []
    for top in sorted(packages):
        if top in _STANDARD or top == "semblance":
            continue
        try:
            importlib.metadata.distribution(top)
            waiting.append(top)
        except importlib.metadata.PackageNotFoundError:
            providers = providers or _providers()
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
            continue  # needed in some circumstances only
        yield key, distribution.version
        for wanted in (*(distribution.requires or ()), *_NEEDS.get(key, ())):
            if "extra ==" not in wanted:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", wanted, maxsplit=1)[0])


def _version_of_module(name: str) -> str:
    """The version of a module without a package: its `__version__` and its file's content."""
    spec = importlib.util.find_spec(name)
    text = str(getattr(sys.modules.get(name), "__version__", ""))
    origin = getattr(spec, "origin", None)
    if origin and os.path.isfile(origin):
        with open(origin, "rb") as stream:
            text += " " + hashlib.sha256(stream.read()).hexdigest()
    return text


def versions(packages: Set[str]) -> str:
    """Versions of Python, the packages, their dependencies, and `semblance` itself."""
    lines = [f"python {platform.python_implementation()} {sys.version.split()[0]}", _own_sources()]
    lines += sorted(f"{name} {version}" for name, version in _distributions(packages | {"numpy"}))
    if "semblance" in packages:
        lines.append("runtime " + _runtime())
    return "\n".join(lines)


@functools.lru_cache(maxsize=None)
def _runtime() -> str:
    """A hash of the native module and the plugins, for components that use the package itself."""
    package = os.path.dirname(os.path.realpath(sys.modules["semblance"].__path__[0]))
    own = os.path.join(package, "semblance")
    files = glob.glob(os.path.join(own, "_native*.so"))
    for folder in ("lib/semblance/plugins", "../../lib/semblance/plugins",
                   "../../../semblance/plugins"):
        files += glob.glob(os.path.join(own, folder, "*.so"))
    digest = hashlib.sha256()
    for file in sorted(files):
        with open(file, "rb") as stream:
            digest.update(stream.read())
    return digest.hexdigest()


def _own_sources() -> str:
    """A hash of the code between the runtime and a component, which may affect its results."""
    digest = hashlib.sha256()
    package = os.path.dirname(__file__)
    for folder in ("_bridge", "_declare"):
        for name in sorted(os.listdir(os.path.join(package, folder))):
            if name.endswith(".py"):
                with open(os.path.join(package, folder, name), "rb") as stream:
                    digest.update(f"{folder}/{name}\n".encode() + stream.read())
    return "semblance " + digest.hexdigest()
