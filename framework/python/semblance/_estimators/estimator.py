# SPDX-License-Identifier: MIT
"""The common base of estimators: training a pipeline on arrays, pickling, tags."""

from __future__ import annotations

import contextlib
import json
import numbers
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_non_negative

from .. import _rows
from .._archive import packed, unpacked
from .._component import Parameterized
from .._names import class_names, hint_for, of_symbols
from .._data import check_order, column_names, refuse_missing
from .._errors import refusing, warn, without_places
from .._former import current
from .._progress import Progress, threads
from .rounding import Rounding, about

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:
    def validate_data(_estimator: Any, /, X: Any = "no_validation", y: Any = "no_validation",
                      **how: Any) -> Any:
        if "ensure_all_finite" in how:
            how["force_all_finite"] = how.pop("ensure_all_finite")
        return _estimator._validate_data(X, y, **how)

Nodes = Dict[str, Dict[str, Any]]

#: Certificates of a training that did not reach its goal.
UNFINISHED = {
    "iteration limit": "it reached the iteration limit, or could prove no more",
    "deadline": "the deadline came first",
    "cancelled": "it was stopped",
}

#: The program's warning of constant columns, which can mean a misread file. Arrays often have such
#: columns, above all in the folds of a cross-validation.
CONSTANT = "the same value in all training rows and so cannot help to predict"


class Estimator(Parameterized, BaseEstimator):
    """A pipeline with one source, trained on arrays.

    The learned state is in ``_trained`` (of the native module) and pickles as the bytes of a model.
    """

    #: Common parameters that every subclass has in its constructor.
    random_state: Any
    n_jobs: Optional[int]
    memory: Any
    deadline: Optional[float]
    verbose: bool

    _result: str = "machine"  #: the node whose rows are the estimator's
    _centre: Optional[np.ndarray] = None  #: what is subtracted from a table's columns, in double
    _columns: Sequence[str] = ()  #: names of columns that are not features: the steps of series

    # For subclasses ---------------------------------------------------------------------------

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        """The nodes after the source ``data``, whose samples are of this kind."""
        return {self._result: {**self._solver(classes, labels), "from": "data"}}

    def _densifies(self) -> bool:
        """Whether sparse rows are taken, and become dense ones first."""
        return False

    def accepted_layouts(self) -> Tuple[str, ...]:
        taken = super().accepted_layouts()
        return (*taken, "sparse vector") if self._densifies() else taken

    def _solver(self, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Dict[str, Any]:
        """The node of its component, without its inputs."""
        return self.spec()

    def _check_training(self, samples: _rows.Samples) -> None:
        """Refuses training samples that do not fit a machine of this kind."""

    # Samples ----------------------------------------------------------------------------------

    def _image_shape(self) -> Any:
        return getattr(self, "image_shape", None)

    def _name(self) -> str:
        return type(self).__name__

    def _kind(self, X: Any) -> str:
        """The kind of the samples X."""
        return _rows.layout_kind(X, self.accepted_layouts(), self._image_shape(), self._name())

    def _training_samples(self, X: Any, y: Any = None, labelled: bool = False,
                          numeric: bool = False) -> Tuple[_rows.Samples, Any]:
        """X and y, checked, as training data. With `numeric`, y is one or more numbers each."""
        kind = self._kind(X)
        sparse = kind == "sparse vector"
        self._forget()
        if kind in _rows.TABLES:
            how = {"multi_output": True, "y_numeric": True} if numeric else {}
            checked = self._checked_table(X, y, labelled, reset=True, sparse=sparse, **how)
            X, y = checked if labelled else (checked, y)
            if self.positive_only:
                check_non_negative(X, self._name())
            if not sparse:
                X = self._centred(X)
            samples = (_rows.sparse_vectors(X, training=True) if sparse else
                       _rows.vectors(X, training=True, missing=self.takes_missing))
        else:
            samples = _rows.samples(X, kind, owner=self._name(), image_shape=self._image_shape(),
                                    missing=self.takes_missing, training=True)
            y = self._checked_labels(y, len(samples), numeric) if labelled else y
        self._columns = column_names(X) if kind not in _rows.TABLES else []
        self._check_training(samples)
        self._layout = dict(samples.layout)
        return samples, y

    def _forget(self) -> None:
        """Forgets what was learned: an error from here on leaves nothing half trained."""
        for name in ("_trained", "n_features_in_", "feature_names_in_", "n_iter_", "certificate_"):
            self.__dict__.pop(name, None)

    @contextlib.contextmanager
    def _refitting(self) -> Iterator[None]:
        """Ctrl-C meanwhile leaves the machine as it was."""
        former = dict(self.__dict__)
        try:
            yield
        except KeyboardInterrupt:
            self.__dict__.clear()
            self.__dict__.update(former)
            raise

    def _checked_table(self, X: Any, y: Any, labelled: bool, reset: bool, sparse: bool = False,
                       **how: Any) -> Any:
        """X and perhaps y as scikit-learn checks them; `sparse`: X may be sparse."""
        if reset and _rows.passes_checks(X) and (not labelled or _rows.passes_checks(y, X)):
            self.n_features_in_ = X.shape[1]
            return (X, y) if labelled else X
        if labelled and y is not None:
            refuse_missing(y, np.asarray(y), of="numbers" if "y_numeric" in how else "labels")
        if self.takes_missing:
            how["ensure_all_finite"] = "allow-nan"
        given = (_rows.table_of(X), y) if labelled else (_rows.table_of(X),)
        return validate_data(self, *given, reset=reset, accept_sparse="csr" if sparse else False,
                             **how)

    def _checked_labels(self, y: Any, count: int, numeric: bool = False) -> np.ndarray:
        from sklearn.utils import check_array, check_consistent_length, column_or_1d
        if y is None:
            raise ValueError(f"This {self._name()} estimator requires y to be passed, but the "
                             f"target y is None.")
        refuse_missing(y, np.asarray(y), of="numbers" if numeric else "labels")
        y = (check_array(y, ensure_2d=False, dtype="numeric", input_name="y") if numeric
             else column_or_1d(y, warn=True))
        check_consistent_length(np.empty(count), y)
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        return y

    def _samples(self, X: Any) -> Any:
        """X, checked against what was trained on, as rows of the native module."""
        check_is_fitted(self)
        layout = self._layout
        if layout["kind"] not in _rows.TABLES:
            check_order(X, self._columns, f"X and the samples that {self._name()} was trained on")
            made = _rows.samples(X, self._kind(X), owner=self._name(),
                                 image_shape=self._image_shape(), fitted=layout,
                                 missing=self.takes_missing)
            return made.rows()
        if self._is_plain(X):
            return _rows.Samples(_rows.as_float32(about(X, self._centre),
                                                  missing=self.takes_missing), layout,
                                 missing=self.takes_missing).rows()
        sparse = layout["kind"] == "sparse vector" or (
            _rows.is_sparse(X) and "sparse vector" in self._takes())
        X = self._checked_table(X, None, False, reset=False, sparse=sparse)
        if layout["kind"] == "sparse vector":
            return _rows.sparse_vectors(X).rows()
        X = X.toarray() if _rows.is_sparse(X) else X
        return _rows.vectors(about(X, self._centre), missing=self.takes_missing).rows()

    def _centred(self, X: Any) -> Any:
        """A table to learn from, about a centre where it matters; sets the centre."""
        self._centre = None
        self.__dict__.pop("_rounding", None)
        free = self._ignores_constants()
        if free is None:
            return X
        self._rounding = Rounding.of(X, centred=free)
        self._centre = None if self._rounding is None else self._rounding.centre
        return about(X, self._centre)

    def _ignores_constants(self) -> Optional[bool]:
        """Whether a constant that is added to a column changes nothing; None: no matter."""
        return None

    def _loses(self, rounding: Rounding) -> bool:
        """Whether what was learned differs for the values that were rounded to float32."""
        return False

    def _is_plain(self, X: Any) -> bool:
        """Whether only X's values need checks, which the conversion makes anyway."""
        return (self._layout["kind"] == "vector" and type(X) is np.ndarray and X.ndim == 2
                and X.dtype.kind == "f" and len(X) > 0 and X.shape[1] == self.n_features_in_
                and "feature_names_in_" not in self.__dict__)

    # Training ---------------------------------------------------------------------------------

    def _train(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        """Trains the pipeline, and retains the learned state and the reported figures."""
        rounding = self.__dict__.pop("_rounding", None)
        data = self._data(samples, labels, classes, **more)
        nodes: Nodes = {"data": {"is": "source/array", "data": data.id}}
        if self.takes_missing:
            nodes["data"]["missing"] = "keep"
        kind = samples.layout["kind"]
        dense = kind == "sparse vector" and self._densifies()
        made = self._nodes("vector" if dense else kind, classes, labels)
        if dense:
            nodes["dense"] = {"is": "feature/dense", "from": "data"}
            made = {name: {**node, "from": "dense"} if node.get("from") == "data" else node
                    for name, node in made.items()}
        nodes.update(made)
        text = json.dumps({"name": self._name(), "nodes": nodes})
        self._run(text, self._name(), data, [], self._options())
        if rounding is not None and self._loses(rounding):
            warn(f"{self._name()} learns from float32 values, and rounding X to them loses "
                 "differences between columns that matter here: give the differences as columns of "
                 "their own, such as end - start, or subtract a constant from X first.")

    def _data(self, samples: _rows.Samples, labels: Optional[np.ndarray],
              classes: Sequence[Any], **more: Any) -> Any:
        """The data to train on; `more` is weights, groups, or targets and their names."""
        from .. import _native
        columns = self._column_names()
        return _native.Data(samples.rows(), labels, classes=class_names(classes), columns=columns,
                            **more)

    def _column_names(self) -> List[str]:
        names = of_symbols("column", [str(name) for name in getattr(self, "feature_names_in_", ())])
        return names if len(set(names)) == len(names) else []  # two of one name: by number

    def _run(self, text: str, file: str, data: Any, changes: List[str],
             options: Dict[str, Any]) -> None:
        """Trains on data by the names of sources, or on those whose id the text has."""
        from .. import _native
        with Progress(bool(self.verbose), self._shown_names()) as progress:
            trained = self._told(_native.train, text, file, data, changes, options,
                                 progress.callback)
        self._keep(trained)

    def _shown_names(self) -> Dict[str, str]:
        """What progress calls the nodes that an estimator names itself."""
        return {self._result: self._name()}

    def _apply(self, node: str, X: Any) -> Any:
        """Rows of a node for samples X."""
        rows = self._samples(X)
        return self._told(self._trained.apply, node, rows)

    def _told(self, call: Any, *arguments: Any) -> Any:
        return refusing(call, *arguments, message=self._message)

    def _message(self, error: Exception) -> str:
        """The text of an error, without places in a text that the user has not written."""
        return without_places(error, self._name())

    def _keep(self, trained: Any) -> None:
        self._trained = trained
        self.__dict__.pop("_read", None)
        figures = trained.figures()
        self.metrics_ = figures.get(self._result, {})
        # A calibrator has none: then take that of the only node that has one.
        ends = [node["certificate"] for node in figures.values() if "certificate" in node]
        self._tell(trained.warnings,
                   self.metrics_.get("certificate", ends[0] if len(ends) == 1 else None))

    def _once(self, name: str, read: Callable[[], Any]) -> Any:
        """What is read of the learned state, once; pickles do not have it."""
        known = self.__dict__.setdefault("_read", {})
        if name not in known:
            if "_trained" not in self.__dict__:
                raise AttributeError(f"This {self._name()} is not fitted yet: it has no {name}.")
            known[name] = read()
        return known[name]

    def _tell(self, warnings: Sequence[str], certificate: Optional[str]) -> None:
        """Issues the warnings of a run; a machine that did not converge gives the warning that
        scikit-learn's users expect."""
        if certificate is not None:
            self.certificate_ = certificate
        own = f"{self._result}: "
        unfinished = UNFINISHED.get(str(certificate))
        said = []
        for text in warnings:
            if CONSTANT in text:
                continue
            if unfinished and text.startswith(own):
                said.append(text[len(own):])
            else:
                warn(f"{self._name()}: {text[len(own):]}" if text.startswith(own) else text)
        if unfinished:
            reason = "; ".join(said) or (f"{unfinished}; more iterations, scaled columns or a "
                                         "smaller C may help, and metrics_ has the remaining gap")
            warn(f"{self._name()} did not converge (certificate {certificate!r}): {reason}.",
                 ConvergenceWarning)

    def _options(self) -> Dict[str, Any]:
        options: Dict[str, Any] = {"threads": threads(self.n_jobs), "memory": self.memory,
                                   "deadline": self.deadline, "cache": None}
        seed = seed_of(self.random_state)
        if seed is not None:
            options["seed"] = seed
        return options

    # scikit-learn -----------------------------------------------------------------------------

    def set_params(self, **parameters: Any) -> Any:
        """Sets parameters, those of components inside by NAME__PARAMETER.

        A component that was given by its name becomes an object: ``kernel__gamma=2`` makes of
        ``kernel="rbf"`` ``kernel=RBF(gamma=2)``.
        """
        parameters = current(self.former, parameters, self._name(), self._get_param_names())
        own = {key: value for key, value in parameters.items() if "__" not in key}
        known = self._get_param_names()
        for name in own.keys() - {*known}:
            hint = hint_for(name, known)
            if hint:
                raise ValueError(f"Invalid parameter {name!r} for {self._name()}: {hint}.")
        super().set_params(**own)
        inside = {key: value for key, value in parameters.items() if "__" in key}
        for name in dict.fromkeys(key.partition("__")[0] for key in inside):
            if name in self._get_param_names():
                self._opened(name)
        return super().set_params(**inside)

    def __sklearn_is_fitted__(self) -> bool:
        return "_trained" in self.__dict__

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_read", None)
        return packed(state) if "_trained" in state else state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        trained = "packed" in state or "_trained" in state
        super().__setstate__(unpacked(state) if trained else state)

    def _takes(self) -> Tuple[str, ...]:
        """Kinds of samples that it takes, for its tags; tables if a parameter is wrong."""
        try:
            return self.accepted_layouts()
        except (TypeError, ValueError, OSError):
            return ("vector",)

    def _more_tags(self) -> Dict[str, Any]:
        forms = {"vector": "2darray", "sparse vector": "sparse", "image": "3darray",
                 "grid": "3darray", "set": "3darray", "sequence": "3darray", "string": "string",
                 "graph": "graph", "pair": "pair"}
        taken = self._takes()
        kinds = tuple(kind for kind in taken if kind in _rows.TABLES) or taken
        return {"X_types": list(dict.fromkeys(forms[kind] for kind in kinds)),
                "preserves_dtype": [np.float32], "requires_positive_X": self.positive_only,
                "allow_nan": self.takes_missing}

    def __sklearn_tags__(self) -> Any:
        tags, said = super().__sklearn_tags__(), self._more_tags()
        for name, form in (("two_d_array", "2darray"), ("sparse", "sparse"), ("string", "string"),
                           ("three_d_array", "3darray")):
            setattr(tags.input_tags, name, form in said["X_types"])
        tags.input_tags.positive_only = said["requires_positive_X"]
        tags.input_tags.allow_nan = said["allow_nan"]
        tags.input_tags.pairwise = said.get("pairwise", False)
        tags.target_tags.required = said.get("requires_y", False)
        tags.target_tags.multi_output = said.get("multioutput", False)
        return tags


def seed_of(random_state: Any) -> Optional[int]:
    """The program's seed; None: its default. Raises ValueError where it is not a seed."""
    if random_state is None:
        return None
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if not 0 <= seed < 2 ** 64:
            raise ValueError(f"random_state must be in the range [0, 2**64), got {seed}.")
        return seed
    return int(check_random_state(random_state).randint(2 ** 31))


