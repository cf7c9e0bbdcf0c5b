# SPDX-License-Identifier: MIT
"""The validation score over two parameters, such as C and gamma."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._axes import INK, VERMILION, axes_for


class Trial(NamedTuple):
    """A combination of parameters, and its mean score over the folds."""

    values: Dict[str, Any]
    score: float


class ValidationSurfaceDisplay:
    """The mean score of a cross-validation over two parameters, and which values were chosen.

    :meth:`from_estimator`, :meth:`from_cv_results` and :meth:`from_run` make one.

    Parameters
    ----------
    x_values, y_values : sequence
        The values of the two parameters.
    scores : ndarray of shape (y values, x values)
        The mean scores; NaN where there is none.
    x_name, y_name, score_name : str
        What they are.
    best : tuple of int, default=None
        The place (row, column) of the chosen values in `scores`.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    im_ : matplotlib AxesImage
    """

    def __init__(self, *, x_values: Sequence[Any], y_values: Sequence[Any], scores: np.ndarray,
                 x_name: str, y_name: str, score_name: str = "score",
                 best: Optional[Tuple[int, int]] = None) -> None:
        self.x_values = list(x_values)
        self.y_values = list(y_values)
        self.scores = np.asarray(scores, dtype=float)
        self.x_name = x_name
        self.y_name = y_name
        self.score_name = score_name
        self.best = best

    @classmethod
    def from_estimator(cls, estimator: Any, *, x: Optional[str] = None, y: Optional[str] = None,
                       metric: Optional[str] = None, ax: Any = None,
                       plot: bool = True) -> "ValidationSurfaceDisplay":
        """The surface of a fitted search, or of the selection of a fitted PipelineEstimator.

        Parameters
        ----------
        estimator : GridSearchCV, or another search with cv_results_, or PipelineEstimator
            A PipelineEstimator's pipeline must have a `select`.
        x, y : str, default=None
            The parameters, by name or by the last part of it ("gamma" is enough for
            "kernelsvm__kernel__gamma"). None: the two that vary. If more vary, each place shows the
            best score over the other ones.
        metric : str, default=None
            The scorer, where a search has several; None: its only one, or that of ``refit``.
        ax
            As of :meth:`plot`.
        plot : bool, default=True
            False: only collect.

        Returns
        -------
        ValidationSurfaceDisplay

        Raises
        ------
        ValueError, TypeError
            The estimator is not fitted or searches nothing; there are no such parameters; most
            pairs of values were never tried.
        """
        if hasattr(estimator, "cv_results_"):
            if metric is None and isinstance(getattr(estimator, "refit", None), str):
                metric = estimator.refit
            best = getattr(estimator, "best_index_", None)
            return cls.from_cv_results(estimator.cv_results_, x=x, y=y, metric=metric, best=best,
                                       ax=ax, plot=plot)
        trained = getattr(estimator, "_trained", None)
        record = {} if trained is None else json.loads(trained.metrics())
        if "selection" not in record:
            raise TypeError(f"{type(estimator).__name__} has neither cv_results_ nor the results "
                            f"of a selection: give a fitted GridSearchCV, or a fitted "
                            f"PipelineEstimator whose pipeline has a `select` with parameters.")
        return cls._from_selection(record["selection"], x, y, ax, plot)

    @classmethod
    def from_cv_results(cls, cv_results: Mapping[str, Any], *, x: Optional[str] = None,
                        y: Optional[str] = None, metric: Optional[str] = None,
                        best: Optional[int] = None, ax: Any = None,
                        plot: bool = True) -> "ValidationSurfaceDisplay":
        """The surface of a search's ``cv_results_``.

        Parameters
        ----------
        cv_results : dict
            The results.
        best : int, default=None
            Which of them was chosen; None: the one with the greatest score.
        x, y, metric, ax, plot
            As of :meth:`from_estimator`.

        Returns
        -------
        ValidationSurfaceDisplay
        """
        key = f"mean_test_{metric or 'score'}"
        if key not in cv_results:
            known = [name[len("mean_test_"):] for name in cv_results
                     if name.startswith("mean_test_")]
            raise ValueError(f"cv_results_ has no {key}: the 'metric' parameter must be one of "
                             f"{', '.join(known)}.")
        if len(set(cv_results.get("n_resources", ()))) > 1:
            raise ValueError("The candidates of a halving search were scored on different numbers "
                             "of samples, and a surface would compare them: give a GridSearchCV.")
        trials = [Trial(values, float(score))
                  for values, score in zip(cv_results["params"], cv_results[key])]
        return cls._made(trials, best, True, x, y, metric or "score", ax, plot)

    @classmethod
    def from_run(cls, run: Any, *, x: Optional[str] = None, y: Optional[str] = None,
                 ax: Any = None, plot: bool = True) -> "ValidationSurfaceDisplay":
        """The surface of a run whose pipeline has a `select`.

        Parameters
        ----------
        run : RunResult or dict
            What :func:`semblance.run` returned, or the content of a metrics.json.
        x, y, ax, plot
            As of :meth:`from_estimator`.

        Returns
        -------
        ValidationSurfaceDisplay
        """
        record: Mapping[str, Any] = getattr(run, "metrics", run)
        if "selection" not in record:
            raise ValueError("The run has no selection: its pipeline has no `select`.")
        return cls._from_selection(record["selection"], x, y, ax, plot)

    @classmethod
    def _from_selection(cls, selection: Mapping[str, Any], x: Optional[str], y: Optional[str],
                        ax: Any, plot: bool) -> "ValidationSurfaceDisplay":
        trials = [Trial({name: _number_or_text(value) for name, value in trial["values"].items()},
                        np.nan if trial["mean"] is None else trial["mean"])
                  for trial in selection["trials"]]
        chosen = {name: _number_or_text(value) for name, value in selection["chosen"].items()}
        best = next((k for k, trial in enumerate(trials) if trial.values == chosen), None)
        return cls._made(trials, best, selection["better"] == "higher", x, y,
                         selection["metric"], ax, plot)

    @classmethod
    def _made(cls, trials: List[Trial], best: Optional[int], higher: bool, x: Optional[str],
              y: Optional[str], score_name: str, ax: Any,
              plot: bool) -> "ValidationSurfaceDisplay":
        x, y = _two_parameters(trials, x, y)
        columns, rows = _values_of(trials, x), _values_of(trials, y)
        scores = _best_scores(trials, columns, rows, x, y, higher)
        if best is None and not np.isnan(scores).all():
            best_score = np.nanmax(scores) if higher else np.nanmin(scores)
            best = next(k for k, trial in enumerate(trials) if trial.score == best_score)
        place = None if best is None else (rows.index(trials[best].values[y]),
                                           columns.index(trials[best].values[x]))
        names = [name.rpartition("__")[2] for name in (x, y)]
        if names[0] == names[1]:
            names = [x, y]
        if any(len(_values_of(trials, name)) > 1 for name in _names_of(trials)
               if name not in (x, y)):
            score_name += ", the best over other parameters"
        display = cls(x_values=columns, y_values=rows, scores=scores, x_name=names[0],
                      y_name=names[1], score_name=score_name, best=place)
        return display.plot(ax=ax) if plot else display

    def plot(self, ax: Any = None, *, cmap: Any = "cividis", include_values: Optional[bool] = None,
             values_format: str = ".3g", colorbar: bool = True) -> "ValidationSurfaceDisplay":
        """Draws the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            None: those of a new figure.
        cmap : str or Colormap, default="cividis"
            The colours.
        include_values : bool, default=None
            Whether each place has its score as text; None: if there are at most 64.
        values_format : str, default=".3g"
            The format of scores.
        colorbar : bool, default=True
            Whether a bar explains the colours.

        Returns
        -------
        self

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        self.ax_, self.figure_ = axes_for(self, ax)
        self.im_ = self.ax_.imshow(self.scores, origin="lower", aspect="auto", cmap=cmap)
        self.ax_.set_facecolor("0.85")
        self.ax_.set(xlabel=self.x_name, ylabel=self.y_name)
        self.ax_.set_xticks(range(len(self.x_values)), [_label(value) for value in self.x_values])
        self.ax_.set_yticks(range(len(self.y_values)), [_label(value) for value in self.y_values])
        if include_values or (include_values is None and self.scores.size <= 64):
            self._write_scores(values_format)
        if self.best is not None:
            row, column = self.best
            self.ax_.add_patch(_frame(column, row))
        if colorbar:
            self.figure_.colorbar(self.im_, ax=self.ax_, label=f"mean {self.score_name}")
        return self

    def _write_scores(self, values_format: str) -> None:
        for (row, column), score in np.ndenumerate(self.scores):
            failed = np.isnan(score)
            light = not failed and sum(self.im_.cmap(self.im_.norm(score))[:3]) > 1.5
            self.ax_.text(column, row, "–" if failed else format(score, values_format),
                          ha="center", va="center", color=INK if failed or light else "white",
                          weight="bold" if (row, column) == self.best else "normal")


def _frame(column: int, row: int) -> Any:
    from matplotlib.patches import Rectangle
    return Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, edgecolor=VERMILION,
                     linewidth=3)


def _number_or_text(value: str) -> Any:
    try:
        return float(value)
    except ValueError:
        return value


def _label(value: Any) -> str:
    return f"{value:g}" if isinstance(value, (int, float, np.number)) \
        and not isinstance(value, bool) else str(value)


def _values_of(trials: Sequence[Trial], name: str) -> List[Any]:
    """The values of a parameter: numbers by size, others in the order of the trials."""
    values: List[Any] = []
    for trial in trials:
        if name in trial.values and trial.values[name] not in values:
            values.append(trial.values[name])
    numbers = all(isinstance(value, (int, float, np.number)) for value in values)
    return sorted(values) if numbers else values


def _names_of(trials: Sequence[Trial]) -> List[str]:
    return list(dict.fromkeys(name for trial in trials for name in trial.values))


def _best_scores(trials: Sequence[Trial], columns: List[Any], rows: List[Any], x: str, y: str,
                 higher: bool) -> np.ndarray:
    """The best score of each pair of values, (rows, columns); NaN where there is none.

    Raises
    ------
    ValueError
        Most pairs were never tried.
    """
    scores = np.full((len(rows), len(columns)), np.nan)
    tried = np.zeros(scores.shape, dtype=bool)
    for trial in trials:
        if x in trial.values and y in trial.values:
            place = rows.index(trial.values[y]), columns.index(trial.values[x])
            tried[place] = True
            both = scores[place], trial.score
            scores[place] = np.fmax(*both) if higher else np.fmin(*both)  # which ignore NaN
    if tried.mean() < 0.5:
        raise ValueError(f"Only {tried.sum()} of the {tried.size} pairs of values of {x} and {y} "
                         f"were tried: a surface needs a grid, as GridSearchCV has it.")
    return scores


def _two_parameters(trials: Sequence[Trial], x: Optional[str],
                    y: Optional[str]) -> Tuple[str, str]:
    """The full names of the parameters.

    Raises
    ------
    ValueError
        There are none of these names, or it is open which ones are meant.
    """
    names = _names_of(trials)
    varying = [name for name in names if len(_values_of(trials, name)) > 1]
    found = [None if asked is None else _full_name(asked, names, axis)
             for asked, axis in ((x, "x"), (y, "y"))]
    left = [name for name in varying if name not in found]
    missing = found.count(None)
    if missing > len(left) or (missing and len(left) > missing):
        raise ValueError(f"A surface is over two parameters, and {len(varying)} vary: "
                         f"{', '.join(varying) or 'none'}. Say which ones by x and y.")
    full = [name if name is not None else left.pop(0) for name in found]
    if full[0] == full[1]:
        raise ValueError(f"x and y are the same parameter, {full[0]}.")
    return full[0], full[1]


def _full_name(asked: str, names: Sequence[str], axis: str) -> str:
    found = [name for name in names if name == asked] or \
        [name for name in names if name.rpartition("__")[2] == asked]
    if len(found) != 1:
        raise ValueError(f"The {axis!r} parameter must name one of {', '.join(names)}, got "
                         f"{asked!r}.")
    return found[0]
