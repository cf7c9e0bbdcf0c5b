# SPDX-License-Identifier: MIT
"""What a solver or an evaluator written in Python returns to be drawn on the page of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence


@dataclass(frozen=True)
class Bars:
    """A bar per label, from 0 to its value.

    Parameters
    ----------
    labels : sequence of str
        Names of the bars.
    values : array-like of shape (labels,)
        NaN: there is none.
    errors : array-like of shape (labels,), optional
        Half the length of each error bar, at least 0.
    value_label : str
        What the values are.
    caption : str
        A sentence below the chart.

    Examples
    --------
    >>> Bars(["cat", "dog"], [0.9, 0.8], value_label="recall").labels
    ['cat', 'dog']
    """

    labels: Sequence[str]
    values: Any
    errors: Any = None
    value_label: str = "value"
    caption: str = ""


@dataclass(frozen=True)
class Scatter:
    """Points in the plane, in the colours of their groups.

    Parameters
    ----------
    x, y : array-like of shape (points,)
        Coordinates.
    groups : sequence of str or None, optional
        The group of each point; None: unknown.
    marked : array-like of bool of shape (points,), optional
        Which points are marked.
    x_label, y_label : str
        What the coordinates are.
    marked_label : str
        What a marked point is.
    caption : str
        A sentence below the chart.

    Examples
    --------
    >>> Scatter([0, 1], [1, 3], groups=["cat", "dog"]).groups
    ['cat', 'dog']
    """

    x: Any
    y: Any
    groups: Optional[Sequence[Optional[str]]] = None
    marked: Any = None
    x_label: str = "x"
    y_label: str = "y"
    marked_label: str = ""
    caption: str = ""


@dataclass(frozen=True)
class HeatMap:
    """A matrix whose values are shown as colours.

    Parameters
    ----------
    values : array-like of shape (rows, columns)
        NaN: there is none.
    rows, columns : sequence of str
        Names; equal names in a row are one group.
    row_label, column_label : str
        What rows and columns are.
    caption : str
        A sentence below the chart.

    Examples
    --------
    >>> HeatMap([[1, 2]], rows=["cat"], columns=["a", "b"]).columns
    ['a', 'b']
    """

    values: Any
    rows: Sequence[str]
    columns: Sequence[str]
    row_label: str = ""
    column_label: str = ""
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture of one's own, for instance a figure of Matplotlib.

    Parameters
    ----------
    png : bytes
        The content of a PNG file of at most 1 MiB and 4096 pixels on a side:
        ``figure.savefig(file, format="png")`` with an ``io.BytesIO`` makes one.
    caption : str
        A sentence below the picture.

    Examples
    --------
    >>> Picture(b"...").caption
    ''
    """

    png: bytes
    caption: str = ""


@dataclass(frozen=True)
class Curve:
    """A line of y over x.

    Parameters
    ----------
    x, y : array-like of shape (points,)
        Coordinates; values that are not finite interrupt the line.
    x_label, y_label : str
        What the coordinates are.

    Examples
    --------
    >>> Curve([1, 2], [0.5, 0.25], "iteration", "gap").y_label
    'gap'
    """

    x: Any
    y: Any
    x_label: str = "x"
    y_label: str = "y"
