# SPDX-License-Identifier: MIT
"""The content of a function or class of this process: its code, and everything it refers to."""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import secrets
import sys
import types
from typing import Any, Dict, List, Set

from .fresh_modules import is_installed
from .versions import versions


class Unnamed(Exception):
    """A component's dependencies cannot be determined, so its results must not be stored."""


class Walk:
    """Hashes the code of a function or class, and everything that this code refers to."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: Dict[int, int] = {}
        self.kept: List[Any] = []  # as long as the walk lasts, an object's id is its own
        self.packages: Set[str] = set()

    def _add(self, *words: Any) -> None:
        for word in words:
            content = word if isinstance(word, bytes) else str(word).encode()
            self.digest.update(f"{len(content)}:".encode() + content)

    def value(self, value: Any) -> None:
        """Adds a value; one whose content cannot be determined is refused."""
        plain = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
        if isinstance(value, plain):
            return self._add(type(value).__name__, repr(value))
        if id(value) in self.seen:
            return self._add("again", self.seen[id(value)])
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        if isinstance(value, (list, tuple)):
            return self._sequence(type(value).__name__, value)
        if isinstance(value, (set, frozenset)):
            return self._sequence("set", sorted(value, key=repr))
        if isinstance(value, dict):
            return self._sequence("dict", [item for pair in value.items() for item in pair])
        self._object(value)

    def _sequence(self, kind: str, values: Any) -> None:
        self._add(kind, len(values))
        for value in values:
            self.value(value)

    def _object(self, value: Any) -> None:
        if isinstance(value, types.CodeType):
            return self._code(value)
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, types.FunctionType) and not self._of_package(value):
            return self._function(value)
        if isinstance(value, types.MethodType):
            self.value(value.__func__)
            return self.value(value.__self__)
        if isinstance(value, type) and not self._of_package(value):
            return self._class(value)
        if isinstance(value, (staticmethod, classmethod)):
            return self.value(value.__func__)
        if isinstance(value, property):
            return self._sequence("property", [value.fget, value.fset, value.fdel])
        if isinstance(value, functools.partial):
            return self._sequence("partial", [value.func, value.args, value.keywords])
        if hasattr(value, "__qualname__") and self._of_package(value):
            return self._named(value)
        if callable(value) and hasattr(value, "__wrapped__"):  # functools.lru_cache, compilers
            self.value(type(value))
            return self.value(value.__wrapped__)
        self._content(value)

    def _of_package(self, value: Any) -> bool:
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        return module is not None and not is_local(module)

    def _named(self, value: Any) -> None:
        """Adds an object of a package by name; the package's version identifies its content."""
        module = getattr(value, "__module__", None) or "builtins"
        self.packages.add(module.split(".")[0])
        self._add("named", module, value.__qualname__)

    def _module(self, module: types.ModuleType) -> None:
        if not is_local(module):
            self.packages.add(module.__name__.split(".")[0])
            return self._add("module", module.__name__)
        self._add("local", module.__name__)
        for name in sorted(vars(module)):
            if not (name.startswith("__") and name.endswith("__")):
                self._add(name)
                self.value(vars(module)[name])

    def _function(self, function: types.FunctionType) -> None:
        self._add("function")
        self.value(function.__code__)
        self._sequence("defaults", [function.__defaults__, function.__kwdefaults__])
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:  # not yet assigned
                self._add("empty")
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                self._add("global", name)
                self.value(function.__globals__[name])

    def _code(self, code: types.CodeType) -> None:
        self._add("code", code.co_code, code.co_argcount, code.co_kwonlyargcount, code.co_flags,
                  *code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
        self._sequence("constants", code.co_consts)

    def _class(self, cls: type) -> None:
        self._add("class", cls.__qualname__)
        self._sequence("bases", cls.__bases__)
        for name in sorted(vars(cls)):
            if name not in ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__",
                            "__static_attributes__", "__semblance__"):
                self._add(name)
                self.value(vars(cls)[name])

    def _content(self, value: Any) -> None:
        """Adds an object: its pickle and its parts."""
        self.value(type(value))
        if type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            if value.dtype.hasobject:
                return self._sequence("objects", value.tolist())
            return self._add(value.dtype.str, getattr(value, "shape", ()), value.tobytes())
        try:
            self._add(pickle.dumps(value, protocol=4))
        except Exception as problem:
            raise Unnamed(f"it uses {value!r}, whose content cannot be determined") from problem


def _names(code: types.CodeType) -> Set[str]:
    """Names that the code, or a function inside it, may look up outside."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


def is_local(module: types.ModuleType) -> bool:
    """Whether a module is the user's own, not a part of Python or of an installed package."""
    name, file = module.__name__, getattr(module, "__file__", None)
    if name == "__main__" or name.startswith("semblance.components."):
        return True
    if name.split(".")[0] == "semblance" or name in sys.builtin_module_names or file is None:
        return False
    return not is_installed(os.path.realpath(file))


def of_target(target: Any) -> str:
    """A text that identifies what a function or class of this process computes.

    If that cannot be determined, the text differs each time, so nothing is taken from the store.
    """
    walk = Walk()
    try:
        walk.value(target)
    except (Unnamed, RecursionError):
        return "unnamed " + secrets.token_hex(16)
    return walk.digest.hexdigest() + "\n" + versions(walk.packages)
