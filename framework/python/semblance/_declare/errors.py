# SPDX-License-Identifier: MIT
"""What is raised by components written in Python, and the hint in messages about names."""

from __future__ import annotations

import difflib
from typing import Sequence


class Stopped(BaseException):
    """Raised by ``context.check_stop()`` once the run is asked to stop."""


class Refused(Exception):
    """What a component raises where it can say in one sentence what is wrong and what to do.

    The sentence is shown as it is, behind node and line of the pipeline; any other exception is
    shown with the file, line and function that raised it.
    """


def did_you_mean(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""
