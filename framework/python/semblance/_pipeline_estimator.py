# SPDX-License-Identifier: MIT
"""Any pipeline as an estimator."""

from __future__ import annotations

from textwrap import dedent
from typing import Any, ClassVar, Dict, Mapping, Optional, Sequence, Tuple, TypeVar

import numpy as np

from . import _rows
from ._data import keeps_missing
from ._estimators.classifiers import Classifier
from ._estimators.estimator import Estimator
from ._generator.docstrings import attributes_of, documented, extra_documentation, sentence
from ._generator.shapes import COMMON, IMAGE_SHAPE, Shape
from ._estimators.learners import Learner
from ._model import NO_PROBABILITIES, check_scores
from ._pipeline_text import UNNAMED, overrides_of, text_of
from ._estimators.regressors import Detector, Regressor

P = TypeVar("P", bound="PipelineParts")


class PipelineParts(Learner):
    """What estimators have in common whose machine is a pipeline; its source is replaced by the
    arrays of fit()."""

    takes_weights = True
    pipeline: Any
    source: Optional[str]
    node: Optional[str]
    set: Optional[Mapping[str, Any]]
    data_folder: Optional[str]
    _usual: ClassVar[str] = ""  #: the solver of the pipeline that None stands for
    _scores_are: ClassVar[Sequence[str]] = ()  #: what its node may give

    # Of any type: mypy would take this base for the class of each estimator.
    def __init__(self: Any, pipeline: Any = None, *, source: Optional[str] = None,
                 node: Optional[str] = None, set: Optional[Mapping[str, Any]] = None,
                 image_shape: Optional[Sequence[int]] = None, data_folder: Optional[str] = None,
                 random_state: Any = None, n_jobs: Optional[int] = None, memory: Any = None,
                 deadline: Optional[float] = None, verbose: bool = False) -> None:
        self.pipeline = pipeline
        self.source = source
        self.node = node
        self.set = set
        self.image_shape = image_shape
        self.data_folder = data_folder
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.deadline = deadline
        self.verbose = verbose

    def fit(self: P, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> P:
        """Trains the pipeline. Weights are refused if the pipeline's solver does not take any.

        Parameters
        ----------
        X : array-like
            Training samples.
        y : array-like of shape (n,) or (n, numbers)
            Their labels, numbers or texts, or the numbers to predict; novelty detectors ignore it.
        sample_weight : array-like of shape (n,), optional
            How much each sample counts.
        groups : array-like of shape (n,), optional
            Which samples belong together, such as those of one patient: numbers or texts. The
            folds of the pipeline's `select` and calibrators never divide them.

        Returns
        -------
        self
        """
        self.__dict__.pop("_taken", None)  # what the source takes is read anew
        self._taken = self.accepted_layouts()
        self._keeps_missing = keeps_missing(*self._text(), self._source(), self.set)
        return self._fit(X, y, sample_weight, groups)

    @property
    def takes_missing(self) -> bool:  # type: ignore[override]
        """Whether values may be NaN after fit(), as the pipeline's source says."""
        return bool(self.__dict__.get("_keeps_missing", False))

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Parameters by name; with `deep` also each entry of `set`, as ``set__PATH``."""
        found = super().get_params(deep=deep)
        if deep and isinstance(self.set, Mapping):
            found.update((f"set__{path}", value) for path, value in self.set.items())
        return found

    def set_params(self, **params: Any) -> Any:
        """Sets parameters; ``set__PATH`` changes one entry of `set`."""
        entries = {name[len("set__"):]: value for name, value in params.items()
                   if name.startswith("set__")}
        super().set_params(**{name: value for name, value in params.items()
                              if not name.startswith("set__")})
        if entries:
            self.set = {**(self.set if isinstance(self.set, Mapping) else {}), **entries}
        return self

    def _text(self) -> Tuple[str, str]:
        """The pipeline's text, and its file for messages; see text_of() for what it raises."""
        pipeline = self.pipeline
        if pipeline is None:
            pipeline = {"nodes": {"data": {"is": "source/array"},
                                  "x": {"is": "normalizer/zscore", "from": "data"},
                                  "machine": {"is": self._usual, "from": "x"}}}
        if isinstance(pipeline, Mapping):
            pipeline = {"name": self._name(), **pipeline}
        text, file = text_of(pipeline)
        return text, self._name() if file == UNNAMED else file

    def _source(self) -> str:
        from . import _native
        if self.source is not None:
            return self.source
        names = _native.source_names(*self._text())
        if not names:  # if the pipeline cannot be read, report that
            found = _native.check(*self._text(), {}, [], {})
            if found:
                raise _native.PipelineError("; ".join(
                    f"{said['file']}:{said['line']}: {said['message']}" for said in found))
        if len(names) != 1:
            raise ValueError(f"The pipeline has {len(names)} sources ({', '.join(names)}): say by "
                             f"the 'source' parameter of {self._name()} which one X replaces.")
        return str(names[0])

    def accepted_layouts(self) -> Tuple[str, ...]:
        from . import _native
        if "_taken" in self.__dict__:
            return tuple(self._taken)
        return tuple(_native.layouts_taken(*self._text(), self._source()))

    def _kind(self, X: Any) -> str:
        return Estimator._kind(self, X)

    def _train(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        text, file = self._text()
        source = self._source()
        # Every sample is for training: evaluation is done with scikit-learn.
        changes = [f"nodes.{source}.test_fraction=0", *overrides_of(self.set)]
        options = {**self._options(), "data_folder": self.data_folder}
        self._run(text, file, {source: self._data(samples, labels, classes, **more)}, changes,
                  options)

    def _keep(self, trained: Any) -> None:
        self._result = self.node or trained.scoring_node
        self._told(check_scores, trained, self._result, self._scores_are)
        super()._keep(trained)

    def _message(self, error: Exception) -> str:
        return str(error)

    def _shown_names(self) -> Dict[str, str]:
        return {}  # nodes have the names of the pipeline

    def rows(self, X: Any, node: str) -> Any:
        """Rows of any node of the pipeline.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().
        node : str
            Name of the node.

        Returns
        -------
        ndarray of float32
            A list of arrays if they differ in size; a sparse matrix if they are sparse.
        """
        return _rows.as_python(self._apply(node, X), self._trained.output_layout(node))


#: The documentation of the estimators below.
_DOCUMENTATION = """{what}: its source is replaced by the arrays of fit().

Parameters
----------
pipeline : str, path, dict or None, default=None
    A pipeline's file, its text, or the same as a dict {{"nodes": {{...}}}}, in which components
    may be objects. None: {usual} on columns scaled by normalizer/zscore.
source : str or None, default=None
    The node that X, y replace; None: the pipeline's only source.
node : str or None, default=None
    {node}
set : dict or None, default=None
    Changes of the pipeline, {{path: value}}, as the program's ``--set``: {{"nodes.svm.C": 10}}.
    Each is a parameter of its own, ``set__nodes.svm.C``, in set_params() and in the grid of a
    GridSearchCV.
data_folder : str or None, default=None
    The folder of relative paths in the pipeline; None: as for the program.
{common}

Attributes
----------
{attributes}
"""


def _documented(base: str, **words: str) -> str:
    """The documentation of a class with this base: parameters and attributes as of others."""
    common = map(extra_documentation, (IMAGE_SHAPE, *COMMON))
    attributes = (documented(name, kind, "", sentence(text))
                  for name, kind, text in attributes_of(Shape((base,))))
    return _DOCUMENTATION.format(common=dedent("\n".join(common)),
                                 attributes=dedent("\n".join(attributes)), **words)


class PipelineEstimator(PipelineParts, Classifier):
    __doc__ = _documented(
        "Classifier", what="A pipeline as a classifier", usual="solver/kernel_svm",
        node="The solver or calibrator whose scores are the classifier's; None: the\n    "
             "pipeline's only solver, or the calibrator after it.")
    _usual = "solver/kernel_svm"
    _scores_are = ("scores",)

    def _probabilities(self) -> str:
        if "_trained" not in self.__dict__:
            raise AttributeError(f"This {self._name()} is not fitted yet: it is unknown whether "
                                 "its scores are probabilities.")
        if not self._trained.gives_probabilities(self._result):
            raise AttributeError(NO_PROBABILITIES.format(self._result))
        return self._result


class PipelineRegressor(PipelineParts, Regressor):
    __doc__ = _documented(
        "Regressor", what="A pipeline that predicts numbers", usual="solver/ridge",
        node="The solver whose estimates, or calibrator whose intervals, are wanted; None:\n    "
             "the pipeline's only solver, or the calibrator after it.")
    _usual = "solver/ridge"
    _scores_are = ("estimates", "intervals")

    def _finds_means(self) -> bool:
        return False  # that depends on its solver

    def _gives_intervals(self) -> bool:
        return bool(self._trained.output_type(self._result) == "intervals")

    def _check_intervals(self) -> bool:
        if "_trained" not in self.__dict__:
            raise AttributeError(f"This {self._name()} is not fitted yet: it is unknown whether "
                                 "it gives intervals.")
        if not self._gives_intervals():
            raise AttributeError(f"the node '{self._result}' gives no intervals: let "
                                 "calibrator/conformal_intervals follow the regressor")
        return True


class PipelineNoveltyDetector(PipelineParts, Detector):
    __doc__ = _documented(
        "Detector", what="A pipeline that recognizes novel samples", usual="solver/one_class_svm",
        node="The solver whose scores are wanted; None: the pipeline's only one.")
    _usual = "solver/one_class_svm"
    _scores_are = ("novelty scores",)
