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
import sys
from typing import Set

#: Modules that come with Python; before 3.10 it does not list all of them.
_STANDARD = getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))


@functools.lru_cache(maxsize=None)
def _installed() -> str:
    """A hash of the names and versions of all installed packages: what one of them needs may affect
    results as well, and not every package declares it."""
    found = sorted({f"{package.metadata['Name']} {package.version}"
                    for package in importlib.metadata.distributions()})
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _version_of(name: str) -> str:
    """The version of a module, and its file's content: it may belong to no package."""
    spec = importlib.util.find_spec(name)
    text = str(getattr(sys.modules.get(name), "__version__", ""))
    origin = getattr(spec, "origin", None)
    if origin and os.path.isfile(origin):
        with open(origin, "rb") as stream:
            text += " " + hashlib.sha256(stream.read()).hexdigest()
    return text


def versions(packages: Set[str]) -> str:
    """Versions of Python, the packages, all that are installed, and `semblance` itself."""
    used = sorted(packages.union(["numpy"]).difference(_STANDARD, ["semblance"]))
    lines = [f"python {platform.python_implementation()} {sys.version.split()[0]}", _own_sources(),
             f"packages {_installed()}", *(f"{name} {_version_of(name)}" for name in used)]
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
