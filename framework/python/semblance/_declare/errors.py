# SPDX-License-Identifier: MIT
"""Exceptions of components written in Python, and the hint in messages about names."""

from __future__ import annotations

import difflib
from typing import Sequence


class Stopped(BaseException):
    """Raised by ``context.check_stop()`` once the run is asked to stop."""


class Refused(Exception):
    """Raised by a component that can say in one sentence what is wrong and what to do.

    The sentence is shown unchanged, after node and line of the pipeline. Any other exception is
    shown with the file, line and function that raised it.
    """


def did_you_mean(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""
