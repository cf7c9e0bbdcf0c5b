# SPDX-License-Identifier: MIT
"""What the displays have in common: Matplotlib, which may be missing, and colours."""

from __future__ import annotations

from typing import Any, Tuple

#: Colours that people with colour blindness distinguish (Okabe and Ito 2008).
BLUE, ORANGE, VERMILION, INK, GREY = "#0072B2", "#E69F00", "#D55E00", "#222222", "#8A8A8A"


def axes_for(display: Any, ax: Any, size: Any = None, layout: Any = None) -> Tuple[Any, Any]:
    """The axes to draw in, and their figure; for None new ones, with this size and layout.

    Raises
    ------
    ImportError
        Matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(f"{type(display).__name__}.plot needs Matplotlib, which is not "
                          "installed: apt-get install python3-matplotlib, or pip install "
                          "matplotlib") from error
    if ax is None:
        ax = pyplot.subplots(figsize=size, layout=layout)[1]
    return ax, ax.figure
