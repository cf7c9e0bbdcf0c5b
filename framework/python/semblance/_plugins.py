# SPDX-License-Identifier: MIT
"""Reads a file of components written in Python, and reports its errors in a form for users."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from types import ModuleType, TracebackType
from typing import List, NamedTuple, Optional

from . import _declare, _identity
from ._declare import decorators


class Plugin(NamedTuple):
    """A file that was read, and its declarations."""

    name: str
    version: str
    licence: str
    hash: str
    linked: str
    declarations: List[_declare.Declaration]


def _module_name(file: str) -> str:
    """A unique module name, so that a file may have the name of one of Python's modules."""
    stem = "semblance_plugin_" + os.path.splitext(os.path.basename(file))[0]
    name, number = stem, 1
    while name in sys.modules and getattr(sys.modules[name], "__file__", None) != file:
        number += 1
        name = f"{stem}_{number}"
    return name


def load(file: str) -> Plugin:
    """Runs the file and collects its declarations and its identity: a hash of source and more."""
    with open(file, "rb") as stream:
        source = stream.read()
    folder = os.path.dirname(file)
    _identity.read_fresh(folder)
    module = ModuleType(_module_name(file))
    module.__file__ = file
    sys.modules[module.__name__] = module
    found: List[_declare.Declaration] = []
    decorators.readers.append(found)
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    finally:
        decorators.readers.remove(found)
    if not found:
        raise _declare.Refused("it declares no component; decorate a function or class with "
                               "@semblance.similarity(\"similarity/NAME\") or one of the other kinds")
    try:
        importlib.import_module("numpy")
    except ImportError as problem:
        raise _declare.Refused(
            "components written in Python need NumPy, which this Python "
            f"({sys.version.split()[0]}, {sys.prefix}) does not have: {problem}; "
            "install it (apt-get install python3-numpy)") from None
    own, linked = _identity.of_file(file, source)
    return Plugin(os.path.splitext(os.path.basename(file))[0],
                  str(getattr(module, "__version__", "0")),
                  str(getattr(module, "__license__", "not said")), own, linked, found)


# Errors -----------------------------------------------------------------------------------------

#: Folders whose functions do not appear in messages: they call the user's own functions.
_PACKAGE = os.path.dirname(os.path.realpath(__file__))
_OWN = (_PACKAGE, *(os.path.join(_PACKAGE, folder)
                    for folder in ("_bridge", "_declare")))


def _shown(file: str) -> str:
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return file if relative.startswith("..") else relative


def _last_frame(trace: Optional[TracebackType]) -> Optional[traceback.FrameSummary]:
    """The last frame in the user's own files; if there is none, the last frame of all."""
    frames = [f for f in traceback.extract_tb(trace)
              if os.path.dirname(os.path.realpath(f.filename)) not in _OWN]
    own = [f for f in frames if not _identity.is_installed(f.filename)]
    return own[-1] if own else frames[-1] if frames else None


def told(problem: BaseException) -> str:
    """One line: file, line and function of the last frame, type and message."""
    if isinstance(problem, _declare.Refused):
        return str(problem)
    if isinstance(problem, SyntaxError) and problem.filename:
        text = f": {problem.text.strip()}" if problem.text else ""
        return (f"{_shown(problem.filename)}:{problem.lineno}: {type(problem).__name__}: "
                f"{problem.msg}{text}")
    message = " ".join(str(problem).split())
    if isinstance(problem, SystemExit):
        message = f"it asked to end the program ({message})"
    elif isinstance(problem, KeyboardInterrupt):
        message = "it was interrupted"
    elif isinstance(problem, MemoryError):
        message = f"out of memory{': ' + message if message else ''}"
    frame = _last_frame(problem.__traceback__)
    place = f"{_shown(frame.filename)}:{frame.lineno} in {frame.name}: " if frame else ""
    return f"{place}{type(problem).__name__}{': ' + message if message else ''}"
