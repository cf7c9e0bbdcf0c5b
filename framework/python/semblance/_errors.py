# SPDX-License-Identifier: MIT
"""Warnings and errors of the Python layer."""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Any, Callable, Optional, Type

#: Folders whose frames a warning skips: this package.
_INSIDE = (os.path.dirname(os.path.abspath(__file__)),)


def warn(message: str, category: Optional[Type[Warning]] = None) -> None:
    """Issues a warning that names the line of the caller outside of this package."""
    if category is None:
        from ._native import SemblanceWarning
        category = SemblanceWarning
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.abspath(
            frame.f_code.co_filename).startswith(_INSIDE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level + 1)


def refusing(call: Callable[..., Any], *arguments: Any,
             message: Callable[[Exception], str] = str) -> Any:
    """Calls the runtime; its refusals become a ValueError, as scikit-learn's users expect.

    Raises
    ------
    DataError
        Replaces any other SemblanceError except Stopped; `message` makes its text.
    """
    from . import _native
    try:
        return call(*arguments)
    except _native.Stopped:
        raise
    except _native.SemblanceError as error:
        raise _native.DataError(message(error)) from None


def without_places(error: Exception, owner: str) -> str:
    """The text of an error about a pipeline that `owner` has written, and not the user."""
    diagnostics = getattr(error, "diagnostics", None)
    if diagnostics:
        said = "; ".join(dict.fromkeys(": ".join(filter(None, (one["message"], one["help"])))
                                       for one in diagnostics))
        return f"{owner}: {said}"
    place = re.compile(rf"^{re.escape(owner)}:\d+:\d+: error: node '\w+' "
                       r"\(([a-z0-9_/]+)\), while [^:]*: ")
    return place.sub(r"\1: ", str(error))
