# SPDX-License-Identifier: MIT
"""The critical difference diagram of a study."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Tuple

from ._axes import GREY, INK, VERMILION, axes_for

#: Why blocks that are related in this way have no critical difference.
NO_DIFFERENCE = {
    "overlapping": "its blocks are divisions of the same data, which Friedman's and Nemenyi's "
                   "tests would take for independent data sets",
    "same_rows": "its blocks have the same test rows, which Friedman's and Nemenyi's tests would "
                 "take for independent data sets",
}


class CriticalDifferenceDisplay:
    """Average ranks, and which of them do not differ: J. Demsar, "Statistical comparisons of
    classifiers over multiple data sets", JMLR 7, 2006, figure 1.

    Ranks, Friedman's test and Nemenyi's critical difference at 5 % are those of the study: see
    :meth:`from_study`. The best rank is on the left. A bar joins those that differ by less than the
    critical difference.

    Parameters
    ----------
    names : sequence of str
        The methods.
    ranks : sequence of float
        Their average ranks, 1 for the best.
    critical_difference : float
        The distance of ranks from which on two methods differ.
    friedman_p : float or None, default=None
        The p value that no method differs from another.

    Attributes
    ----------
    groups : list of list of str
        Methods, the best first, that do not differ; the largest such groups.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from semblance.displays import CriticalDifferenceDisplay
    >>> CriticalDifferenceDisplay(names=["a", "b", "c"], ranks=[2.8, 1.2, 2.0],
    ...                           critical_difference=1.0).groups
    [['b', 'c'], ['c', 'a']]
    """

    def __init__(self, *, names: Sequence[str], ranks: Sequence[float],
                 critical_difference: float, friedman_p: Optional[float] = None) -> None:
        if len(names) != len(ranks):
            raise ValueError(f"There are {len(names)} names and {len(ranks)} ranks: each method "
                             f"has one of both.")
        self.names = list(names)
        self.ranks = [float(rank) for rank in ranks]
        self.critical_difference = float(critical_difference)
        self.friedman_p = friedman_p

    @classmethod
    def from_study(cls, study: Any, *, ax: Any = None,
                   plot: bool = True) -> "CriticalDifferenceDisplay":
        """The diagram of a study's variants.

        Parameters
        ----------
        study : StudyResult or dict
            What :func:`semblance.ablate` returned, or the content of a study.json.
        ax
            As of :meth:`plot`.
        plot : bool, default=True
            False: only collect.

        Returns
        -------
        CriticalDifferenceDisplay

        Raises
        ------
        ValueError
            The study has no critical difference: its blocks are not independent, or too few.
        """
        content: Mapping[str, Any] = getattr(study, "study", study)
        comparison = content["comparison"]
        ranked = [method for method in comparison["methods"]
                  if method.get("average_rank") is not None]
        if comparison.get("critical_difference") is None:
            reason = NO_DIFFERENCE.get(comparison["blocks_are"],
                                       "it needs two variants on two blocks at least")
            raise ValueError(f"The study has no critical difference: {reason}. Compare the "
                             "variants over data sets (`over`), or on data that each seed draws "
                             "anew.")
        one = len(content["slots"]) == 1  # then its name says nothing
        choices = {method["name"]: method["choices"] for method in content["methods"]}
        display = cls(names=[choices[method["name"]][0] if one else method["name"]
                             for method in ranked],
                      ranks=[method["average_rank"] for method in ranked],
                      critical_difference=comparison["critical_difference"],
                      friedman_p=comparison.get("friedman_p"))
        return display.plot(ax=ax) if plot else display

    @property
    def groups(self) -> List[List[str]]:
        order = self._order()
        return [[self.names[k] for k in order[first:last + 1]] for first, last in self._groups()]

    def _order(self) -> List[int]:
        return sorted(range(len(self.ranks)), key=lambda k: self.ranks[k])

    def _groups(self) -> List[Tuple[int, int]]:
        """The first and last places, by rank, of the largest groups that do not differ."""
        ranks = sorted(self.ranks)
        found: List[Tuple[int, int]] = []
        reached = -1
        for first, rank in enumerate(ranks):
            last = max(k for k, other in enumerate(ranks)
                       if k == first or 0 <= other - rank < self.critical_difference)
            if last > first and last > reached:
                found.append((first, last))
            reached = max(reached, last)
        return found

    def plot(self, ax: Any = None) -> "CriticalDifferenceDisplay":
        """Draws the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            None: those of a new figure.

        Returns
        -------
        self

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        groups, order = self._groups(), self._order()
        rows = (len(order) + 1) // 2
        first_name = 0.9 + 0.35 * len(groups)  # below the axis, after the bars
        size = 8, 1.3 + 0.32 * (first_name + rows)
        # Names are beside the axes, and the layout makes room for them.
        self.ax_, self.figure_ = axes_for(self, ax, size, "constrained")
        low, high = 1, max(len(order), 2)
        self._draw_axis(low, high)
        ranks = [self.ranks[k] for k in order]
        for level, (first, last) in enumerate(groups):
            y = -0.45 - 0.35 * level
            self.ax_.plot([ranks[first] - 0.03, ranks[last] + 0.03], [y, y], color=VERMILION,
                          linewidth=4, solid_capstyle="butt")
        for place, k in enumerate(order):
            left = place < rows
            y = -first_name - (place if left else len(order) - 1 - place)
            end = low - 0.06 * (high - low) if left else high + 0.06 * (high - low)
            self.ax_.plot([self.ranks[k], self.ranks[k], end], [0, y, y], color=GREY, linewidth=1)
            self.ax_.annotate(f"{self.names[k]}  ({self.ranks[k]:.2f})", (end, y),
                              xytext=(-4 if left else 4, 0), textcoords="offset points",
                              ha="right" if left else "left", va="center", color=INK)
        self.ax_.set(ylim=(-first_name - rows + 0.4, 2.3))
        return self

    def _draw_axis(self, low: float, high: float) -> None:
        ax = self.ax_
        ax.set_axis_off()
        ax.plot([low, high], [0, 0], color=INK, linewidth=1)
        for rank in range(int(low), int(high) + 1):
            ax.plot([rank, rank], [0, 0.15], color=INK, linewidth=1)
            ax.annotate(str(rank), (rank, 0.2), ha="center", va="bottom", color=INK)
        end = low + self.critical_difference
        ax.plot([low, low, low, end, end, end], [1.25, 1.55, 1.4, 1.4, 1.55, 1.25], color=INK,
                linewidth=1)
        said = f"critical difference {self.critical_difference:.2f}"
        if self.friedman_p is not None:
            said += f", Friedman's p = {self.friedman_p:.2g}"
        ax.annotate(said, (low, 1.65), ha="left", va="bottom", color=INK, fontsize="small")
