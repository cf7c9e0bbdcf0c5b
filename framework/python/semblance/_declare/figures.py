# SPDX-License-Identifier: MIT
"""The numbers that a component written in Python reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A number that a solver or an evaluator reports."""

    documentation: str
    unit: str = "plain"
    better: str = "none"
    headline: bool = False


def figure(documentation: str, *, unit: str = "plain", better: str = "none",
           headline: bool = False) -> Figure:
    """Declares a reported number, by its documentation.

    Parameters
    ----------
    documentation : str
        One line.
    unit : {"plain", "share", "count", "seconds", "bytes"}
        Its unit; a share of 1 is shown in per cent.
    better : {"none", "lower", "higher"}
        Which of two values is the better one.
    headline : bool
        Whether it says most about a result, and is shown first.
    """
    units, directions = ("plain", "share", "count", "seconds", "bytes"), ("none", "lower", "higher")
    if unit not in units:
        raise ValueError(f"the unit of a figure is one of {', '.join(units)}, not {unit!r}")
    if better not in directions:
        raise ValueError(f"better is one of {', '.join(directions)}, not {better!r}")
    return Figure(documentation, unit, better, headline)
