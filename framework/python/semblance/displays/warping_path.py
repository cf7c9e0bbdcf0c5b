# SPDX-License-Identifier: MIT
"""How dynamic time warping aligns two series."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _warping
from ._axes import BLUE, GREY, INK, VERMILION, axes_for


class WarpingPathDisplay:
    """The path of dynamic time warping on the cost matrix of two series.

    :meth:`from_series` makes one.

    Parameters
    ----------
    a, b : ndarray of shape (steps, channels)
        The series.
    costs : ndarray of shape (steps of a, steps of b)
        The distance of each pair of steps; NaN outside of the window.
    path : ndarray of shape (pairs, 2)
        The aligned pairs of steps.
    distance : float
        The distance of the series: the root of the sum of squared costs along the path.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the matrix, or of the alignment.
    figure_ : matplotlib Figure
    path_ : matplotlib artist
        The line of the path; the lines between aligned steps.

    Examples
    --------
    >>> import numpy as np
    >>> from semblance.displays import WarpingPathDisplay
    >>> display = WarpingPathDisplay.from_series([0, 1, 3, 3], [0, 0, 1, 3], plot=False)
    >>> display.distance, display.path.tolist()
    (0.0, [[0, 0], [0, 1], [1, 2], [2, 3], [3, 3]])
    """

    def __init__(self, *, a: np.ndarray, b: np.ndarray, costs: np.ndarray, path: np.ndarray,
                 distance: float) -> None:
        self.a = a
        self.b = b
        self.costs = costs
        self.path = path
        self.distance = distance

    @classmethod
    def from_series(cls, a: Any, b: Any, *, window: float = 100.0, kind: str = "matrix",
                    ax: Any = None, plot: bool = True) -> "WarpingPathDisplay":
        """Aligns two series, and draws how.

        Parameters
        ----------
        a, b : array-like of shape (steps,) or (channels, steps)
            The series. Channels are warped together; give one channel of each to see it alone.
        window : float, default=100.0
            As of :func:`semblance.similarity.dtw`.
        kind, ax
            As of :meth:`plot`.
        plot : bool, default=True
            False: only compute.

        Returns
        -------
        WarpingPathDisplay
        """
        path, distance = _warping.dtw_path(a, b, window=window)
        first, second = _warping.both_series(a, b)
        inside = _warping.band(len(first), len(second), window)
        costs = np.sqrt(_warping.squared_differences(first, second, inside))
        costs[~inside] = np.nan
        display = cls(a=first, b=second, costs=costs, path=path, distance=distance)
        return display.plot(ax=ax, kind=kind) if plot else display

    def plot(self, ax: Any = None, *, kind: str = "matrix",
             cmap: Any = "cividis") -> "WarpingPathDisplay":
        """Draws the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            None: those of a new figure.
        kind : {"matrix", "alignment"}, default="matrix"
            "matrix": the path on the cost matrix, with the series at its sides; "alignment": the
            series above each other, with a line between aligned steps.
        cmap : str or Colormap, default="cividis"
            The colours of the matrix.

        Returns
        -------
        self

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        ValueError
            There is no such kind.
        """
        if kind not in ("matrix", "alignment"):
            raise ValueError(f"The 'kind' parameter of WarpingPathDisplay must be 'matrix' or "
                             f"'alignment', got {kind!r}.")
        self.ax_, self.figure_ = axes_for(self, ax, (5, 5) if kind == "matrix" else None)
        if kind == "matrix":
            self._draw_matrix(cmap)
        else:
            self._draw_alignment()
        return self

    def _draw_matrix(self, cmap: Any) -> None:
        from mpl_toolkits.axes_grid1 import make_axes_locatable
        ax = self.ax_
        self.im_ = ax.imshow(self.costs, origin="lower", aspect="auto", cmap=cmap)
        (self.path_,) = ax.plot(self.path[:, 1], self.path[:, 0], color="white", linewidth=2.5)
        ax.plot(self.path[:, 1], self.path[:, 0], color=VERMILION, linewidth=1.5)
        ax.set(xlabel="step of b", xlim=(-0.5, len(self.b) - 0.5), ylim=(-0.5, len(self.a) - 0.5))
        sides = make_axes_locatable(ax)
        above = sides.append_axes("top", size="22%", pad=0.08, sharex=ax)
        beside = sides.append_axes("left", size="22%", pad=0.08, sharey=ax)
        above.plot(np.arange(len(self.b)), self.b, color=BLUE)
        beside.plot(self.a, np.arange(len(self.a)), color=BLUE)
        beside.invert_xaxis()
        above.set_axis_off()
        for spine in beside.spines.values():
            spine.set_visible(False)
        beside.tick_params(bottom=False, labelbottom=False)
        beside.set_ylabel("step of a")
        ax.tick_params(labelleft=False, left=False)
        above.set_title(f"DTW distance {self.distance:.4g}", fontsize="medium")

    def _draw_alignment(self) -> None:
        from matplotlib.collections import LineCollection
        ax = self.ax_
        shift = 1.1 * (np.ptp(self.a) + np.ptp(self.b)) / 2 + self.b.max() - self.a.min()
        a = self.a + shift
        lines = [[(i, a[i, channel]), (j, self.b[j, channel])] for i, j in self.path
                 for channel in range(a.shape[1])]
        self.path_ = ax.add_collection(LineCollection(lines, colors=GREY, linewidths=0.6))
        for steps, name in ((a, "a"), (self.b, "b")):
            ax.plot(np.arange(len(steps)), steps, color=BLUE if name == "b" else VERMILION)
            ax.annotate(name, (0, steps[0, 0]), xytext=(-6, 0), textcoords="offset points",
                        ha="right", va="center", color=INK)
        ax.set(xlabel="step", yticks=[])
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        ax.set_title(f"DTW distance {self.distance:.4g}", fontsize="medium")
