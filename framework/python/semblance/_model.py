# SPDX-License-Identifier: MIT
"""Models of finished runs, applied to arrays."""

from __future__ import annotations

import numbers
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

import numpy as np

from . import _data, _native, _rows
from ._archive import packed, unpacked
from ._names import of_symbols


NO_PROBABILITIES = ("the scores of {!r} are not probabilities; put calibrator/probabilities "
                    "after it")


class Model:
    """A trained pipeline, as `semblance.load` reads it or a run leaves it.

    Predictions have the bits of the command line's ``semblance predict``.
    """

    def __init__(self, trained: _native.Trained, labels: Optional[_data.Labels] = None) -> None:
        self._trained = trained
        self._labels = labels
        self._pairs: Dict[str, _native.NamedPairs] = {}

    def __repr__(self) -> str:
        return f"<semblance model: {' -> '.join(self.nodes)}>"

    @property
    def nodes(self) -> List[str]:
        """Names of the nodes, each after those that feed it."""
        return list(self._trained.nodes)

    @property
    def classes_(self) -> np.ndarray:
        """The classes of the only solver, or of its calibrator.

        After a run on arrays, the labels as given, with their type. A model folder knows only
        names: integers if all are whole numbers, else str.
        """
        return self._classes(self._trained.scoring_node)

    def _classes(self, node: str) -> np.ndarray:
        names = self._trained.classes(node)
        given = self._labels or {}
        if given and all(name in given for name in names):
            return np.array([given[name] for name in names])
        return _data.class_values(names)

    def decision_function(self, X: Any, node: Optional[str] = None) -> np.ndarray:
        """Scores of a solver or calibrator, (n, classes) float32.

        Parameters
        ----------
        X : samples
            Rows of the source that the model was trained on: an array, a data frame, images,
            series or strings, in the form that training took. Pairs of ``source/pairs``: the names
            of both samples, as a list of tuples, an array of two columns, or a data frame with
            their columns; the files of the samples are read once.
        node : str, optional
            The solver; needed if the model has several.

        Raises
        ------
        ValueError
            The samples do not have the form that the model was trained on.
        SemblanceError
            There is no such node, or several solvers to choose from.
        """
        node = node or self._trained.scoring_node
        check_scores(self._trained, node)
        return self._trained.apply(node, self._rows(X, node))

    def predict(self, X: Any, node: Optional[str] = None) -> np.ndarray:
        """The class of each sample: the one with the largest score; ties go to the first.

        Its values are those of :attr:`classes_`. A regressor's estimates are float64, (n,) or
        (n, numbers); a novelty detector gives 1 for a usual sample and -1 for a novel one.

        Parameters and errors are those of :meth:`decision_function`.
        """
        node = node or self._trained.scoring_node
        scores = self.decision_function(X, node)
        gives = self._trained.output_type(node)
        if gives in ("estimates", "intervals"):
            estimates = (scores if gives == "estimates" else scores[:, 1::3]).astype(np.float64)
            return estimates[:, 0] if estimates.shape[1] == 1 else estimates
        if gives == "novelty scores":
            return np.where(scores[:, 0] >= 0, 1, -1)
        labels: np.ndarray = self._classes(node)[np.argmax(scores, axis=1)]
        return labels

    def predict_interval(self, X: Any, node: Optional[str] = None) -> np.ndarray:
        """The lower and the upper end of the interval of each sample, (n, 2), or (n, numbers, 2).

        Parameters and errors are those of :meth:`decision_function`. A node that gives no intervals
        is refused: let calibrator/conformal_intervals follow the regressor.
        """
        node = node or self._trained.scoring_node
        if self._trained.output_type(node) != "intervals":
            raise ValueError(f"the node '{node}' gives no intervals: let "
                             "calibrator/conformal_intervals follow the regressor")
        ends = _data.interval_ends(self.decision_function(X, node))
        return ends[:, 0] if ends.shape[1] == 1 else ends

    def predict_proba(self, X: Any, node: Optional[str] = None) -> np.ndarray:
        """Probabilities of the classes, (n, classes) float32: each row adds up to 1.

        Parameters and errors are those of :meth:`decision_function`. A node whose scores are not
        probabilities is refused: let a calibrator follow the solver.
        """
        node = node or self._trained.scoring_node
        if not self._trained.gives_probabilities(node):
            raise ValueError(NO_PROBABILITIES.format(node))
        return self.decision_function(X, node)

    def transform(self, X: Any, node: str) -> Any:
        """The rows that any node gives for these samples, in the form of its layout."""
        rows = self._trained.apply(node, self._rows(X, node))
        return _rows.as_python(rows, self._trained.output_layout(node))

    def score_pairs(self, X: Any, pairs: Any, node: Optional[str] = None) -> np.ndarray:
        """Scores of a pair solver for pairs of samples: positive if both are of the same class.

        Parameters
        ----------
        X : samples
            As :meth:`decision_function` has them.
        pairs : array of int, (n, 2)
            The places in X of both samples of each pair.
        node : str, optional
            The solver; needed if the model has several.

        Raises
        ------
        ValueError, TypeError
            The pairs are not pairs of samples of X.
        SemblanceError
            The node scores no pairs.
        """
        node = node or self._trained.scoring_node
        places = np.asarray(pairs)
        if places.dtype.kind not in "iu" or places.ndim != 2 or places.shape[1] != 2:
            raise TypeError(f"pairs must be whole numbers of shape (n, 2), got an array of "
                            f"{places.dtype} and shape {places.shape}")
        return self._trained.apply_pairs(node, self._rows(X, node), places.astype(np.int64))

    def explain(self, X: Any, background: Any = 50, *, rows: Any = None, of_class: Any = None,
                target: Optional[str] = None, top: int = 5, node: Optional[str] = None,
                seed: Optional[int] = None) -> List[Dict[str, Any]]:
        """Why the model gives its result for samples: what ``semblance explain --json`` says.

        Classes have their values in :attr:`classes_`.

        Parameters
        ----------
        X : samples
            As for :meth:`decision_function`.
        background : int or samples
            The samples that the shares of columns (Shapley values) compare with: the largest number
            to draw from X, or the samples themselves, such as training samples. 0: no shares.
        rows : sequence of int, optional
            The places in X of the samples to explain; None: all.
        of_class : optional
            The class to explain instead of the predicted one.
        target : str, optional
            The number to explain, if several are predicted.
        top : int
            The most examples for and against.
        node : str, optional
            The solver; needed if the model has several.
        seed : int, optional
            Of the choice from X, and of the random orders where shares are sampled; None: those of
            ``semblance explain``.

        Raises
        ------
        ValueError, TypeError
            There is no such row, or a number is too small.
        SemblanceError
            The machine is no sum over examples and has no shares, or has no such class.
        """
        solver: str = node or self._trained.scoring_node
        names = self._trained.classes(solver)
        labels = dict(zip(names, self._classes(solver).tolist())) if names else {}
        return explanations(self._trained, solver, self._rows(X, solver), background,
                            lambda others: self._rows(others, solver), labels, rows=rows,
                            of_class=of_class, target=target, top=top, seed=seed)

    def save(self, folder: "str | os.PathLike[str]") -> None:
        """Writes a model folder, byte for byte the same as a run's OUT/model."""
        self._trained.save(os.fspath(folder))

    def _rows(self, X: Any, node: str) -> _native.Rows:
        layout = self._trained.input_layout(node)
        kind = layout["kind"]
        if kind == "pair":
            return self._pairs_of_names(X, node, layout)
        shape = None
        if kind == "image" and np.ndim(X) == 2:
            shape = (layout["height"], layout["width"], layout["depth"])
        names = self._trained.columns(node)
        table = _data.in_order(_data.with_categories(_rows.table_of(X), names), names, "X")
        samples = _rows.samples(table, kind, owner="the model",
                                image_shape=shape, fitted=layout,
                                missing=self._trained.keeps_missing(node))
        return samples.rows()

    def _pairs_of_names(self, X: Any, node: str, layout: Dict[str, Any]) -> _native.Rows:
        if node not in self._pairs:
            opened = self._trained.named_pairs(node)
            if opened is None:
                raise TypeError("X would be pairs of samples, but the model's source names none")
            self._pairs[node] = opened
        pairs = self._pairs[node]
        table = _rows.table_of(X)
        if hasattr(table, "iloc"):
            missing = [name for name in pairs.columns if name not in table.columns]
            if missing:
                raise ValueError(f"X lacks the column '{missing[0]}', which names a sample of each "
                                 f"pair; the model's are {' and '.join(pairs.columns)}")
            table = table[list(pairs.columns)].to_numpy()
        names = []
        for i, pair in enumerate(table):
            if isinstance(pair, (str, bytes)) or np.ndim(pair) != 1 or len(pair) != 2:
                raise ValueError(f"pair {i} of X must be the names of two samples, those of "
                                 f"{' and '.join(pairs.columns)}; got {pair!r}")
            names.append((str(pair[0]), str(pair[1])))
        values, offsets = pairs.rows(names)
        return _native.Rows(values, layout, offsets)

    def __getstate__(self) -> Dict[str, Any]:
        return packed({**vars(self), "_pairs": {}}, with_reports=True)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        vars(self).update(unpacked(state))


def check_scores(trained: Any, node: str, given: Sequence[str] = ()) -> None:
    """Refuses a node that gives other rows than scores, of one of these types where there are any:
    the largest column of a row of samples is no class. Raises ValueError where it does."""
    gives = trained.output_type(node)
    if gives == "samples" or given and gives not in given:
        raise ValueError(f"the node '{node}' gives {gives}, not "
                         f"{' or '.join(given) or 'scores'}; name a solver or calibrator")


def _whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def _chosen(rows: Any, count: int) -> List[int]:
    if rows is None:
        return list(range(count))
    places = np.asarray(rows)
    if places.dtype.kind not in "iu" and places.size or places.ndim > 1:
        raise TypeError(f"rows must be whole numbers, the places in X of samples, got {rows!r}")
    for place in places.reshape(-1):
        if not 0 <= place < count:
            raise ValueError(f"rows has {place}, but X has {count} samples, counted from 0")
    return [int(place) for place in places.reshape(-1)]


def _with_labels(made: Dict[str, Any], labels: Mapping[str, Any]) -> Dict[str, Any]:
    """The same with the user's labels in place of the program's names of classes."""
    if labels:
        made.update((key, labels[made[key]]) for key in ("predicted", "explained", "against")
                    if key in made)
        for example in made.get("examples", ()):
            if "class" in example:
                example["class"] = labels[example["class"]]
    return made


def explanations(trained: Any, node: str, samples: Any, background: Any,
                 rows_of: Callable[[Any], Any], labels: Mapping[str, Any], *, rows: Any,
                 of_class: Any, target: Optional[str], top: Any,
                 seed: Optional[int]) -> List[Dict[str, Any]]:
    """What ``semblance explain --json`` says of samples, rows of the native module.

    `rows_of` makes such rows of a background of samples; `labels` has the label of each class.
    """
    top = _whole(top, "top", 1)
    if seed is not None:
        seed = _whole(seed, "seed", 0)
    others, count = None, 0
    if background is None or isinstance(background, numbers.Number):
        count = _whole(background or 0, "background", 0)
    else:
        others = rows_of(background)
    name = ""
    if of_class is not None:
        known = [text for text, label in labels.items() if label == of_class]
        name = known[0] if known else str(of_class)
    made = trained.explain(node, samples, _chosen(rows, len(samples)), others, count, name,
                           target or "", top, seed)
    return [_with_labels(each, labels) for each in made]


def load(model: "str | os.PathLike[str]", *, threads: Optional[int] = None,
         plugins: Any = (), data_folder: "str | os.PathLike[str] | None" = None) -> Model:
    """Reads a model folder; every run writes one to OUT/model.

    Parameters
    ----------
    model : path
        The folder, or that of the run.
    threads : int, optional
        For predictions; None: all cores.
    plugins : sequence of paths
        Plugins that the model needs besides the installed ones.
    data_folder : path, optional
        Of pairs: where relative paths of the tables of samples start.

    Raises
    ------
    SemblanceError
        The folder is not a model, or is damaged.

    Examples
    --------
    >>> import semblance
    >>> model = semblance.load("out/model")          # doctest: +SKIP
    >>> model.predict(X)                             # doctest: +SKIP
    """
    folder, = of_symbols("folder", [os.fspath(model)])
    inside = os.path.join(folder, "model")
    if not os.path.exists(os.path.join(folder, "model.json")) and os.path.isdir(inside):
        folder = inside
    options = {"threads": threads, "plugin_paths": [os.fspath(path) for path in plugins],
               "data_folder": None if data_folder is None else os.fspath(data_folder)}
    return Model(_native.Trained.load(folder, options))
