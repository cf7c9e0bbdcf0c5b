# SPDX-License-Identifier: MIT
"""The identity of a component written in Python: its source, and the versions it uses.

Results are stored under a hash of the code that made them. Two components that may give different
results must never have the same hash. Modules beside a plugin are imported from their present
source, which is retained.
"""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import pickle
import secrets
import sys
import sysconfig
import types
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ._versions import versions

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
        for name in sorted({name for code in _codes(function.__code__) for name in code.co_names}):
            if name in function.__globals__:
                self._add("global", name)
                self.value(function.__globals__[name])
        for name in sorted(_imports(function.__code__, function.__globals__.get("__package__"))):
            self._imported_later(name)

    def _imported_later(self, name: str) -> None:
        """Adds a module that a function imports when it is called."""
        top = name.split(".")[0]
        try:
            spec = importlib.util.find_spec(top)
        except ValueError:  # __main__ has none
            spec = None
        file = getattr(spec, "origin", None) or ""
        if not os.path.isfile(file) or is_installed(os.path.realpath(file)) or top == "semblance":
            return self.packages.add(top)
        try:
            self.value(importlib.import_module(name))
        except ImportError as problem:  # whether the function needs it is not known
            self._add("missing", name, problem)

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


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code, and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _imports(code: types.CodeType, package: Optional[str]) -> Set[str]:
    """Names of the modules that the code, or a function inside it, imports, and of what it takes
    from them, which may be modules, too."""
    names: Set[str] = set()
    loaded: List[Any] = [0, None]
    for instruction in (each for inner in _codes(code) for each in dis.get_instructions(inner)):
        if instruction.opname.startswith("LOAD_"):
            loaded.append(instruction.argval)
        elif instruction.opname == "IMPORT_NAME":
            dots = "." * loaded[-2] if isinstance(loaded[-2], int) else ""
            name = (importlib.util.resolve_name(dots + instruction.argval, package)
                    if dots and package else instruction.argval)
            names.add(name)
        elif instruction.opname == "IMPORT_FROM":
            names.add(f"{name}.{instruction.argval}")
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
        tree = ast.parse(source)
        if _uses_package(tree):
            self.packages.add("semblance")
        for name in sorted(_imports(compile(tree, "source", "exec", dont_inherit=True), package)):
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


def _uses_package(tree: ast.AST) -> bool:
    """Whether a source uses more of the package than its decorators: semblance.KIND.NAME."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("semblance."):
            return True
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and \
                isinstance(node.value.value, ast.Name) and node.value.value.id == "semblance":
            return True
    return False
