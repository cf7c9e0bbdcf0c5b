# SPDX-License-Identifier: MIT
"""Transformers: features, normalizers and similarity maps."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from . import _rows, _surroundings
from ._basis_machines import OnBases
from ._component import Component
from ._estimator import Estimator, Nodes


class SampleTransformer(TransformerMixin, Estimator):
    """A transformer: learns from training samples, then maps each sample to another one."""

    _result = "transformer"

    def fit(self, X: Any, y: Any = None) -> "SampleTransformer":
        """Learns from training samples.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the component takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,), optional
            Their labels, for components that choose samples by class; others ignore them.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, or with X.
        """
        self.spec()
        samples, _ = self._training_samples(X)
        classes, labels = self._classes(y, len(samples))
        self._train(samples, labels, classes)
        self._output = dict(self._trained.output_layout(self._result))
        if not _rows.is_ragged(self._output):
            self._n_features_out = _rows.size_of(self._output)
        return self

    def transform(self, X: Any) -> Any:
        """Transforms samples.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of float32, of shape (n, columns)
            A list of arrays if the output samples differ in size; a sparse matrix if they are
            sparse, as after fit() on a sparse matrix.
        """
        return _rows.as_python(self._apply(self._result, X), self._output, flat=self._flat())

    def _flat(self) -> bool:
        return bool(getattr(self, "flatten", False))

    def _classes(self, y: Any, count: int) -> Tuple[Sequence[Any], Optional[np.ndarray]]:
        return (), None

    def _one_to_one(self) -> bool:
        return False

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the output columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, if the estimator was trained without names.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        if self._one_to_one():
            names: np.ndarray = _check_feature_names_in(self, input_features)
            return names
        if not hasattr(self, "_n_features_out"):
            raise AttributeError(f"Samples that come out of {self._name()} differ in size: they "
                                 f"have no columns.")
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


class Transformer(SampleTransformer, Component):
    """A feature or a normalizer; it is also a component for other estimators."""

    __hash__ = Component.__hash__

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        return {"transformer": {**self.spec(), "from": "data"}}

    def _one_to_one(self) -> bool:
        return (not self.gives and self._layout["kind"] == self._output["kind"]
                and self._output["kind"] in _rows.TABLES
                and _rows.size_of(self._output) == _rows.size_of(self._layout))

    @property
    def output_shape_(self) -> Tuple[int, ...]:
        """Shape of one output sample, before it becomes a flat row."""
        check_is_fitted(self)
        if _rows.is_ragged(self._output):
            raise AttributeError(f"Samples that come out of {self._name()} differ in size.")
        if self._output["kind"] in _rows.TABLES:
            return (_rows.size_of(self._output),)
        return (int(self._output["height"]), int(self._output["width"]),
                int(self._output["depth"]))


class MapTransformer(OnBases, SampleTransformer):
    """The similarities of samples to bases."""

    similarity: Any
    bases: Any
    features: Any
    normalizer: Any

    def spec(self) -> Dict[str, Any]:
        return {}

    def _parts(self) -> Tuple[List[Any], List[Tuple[Any, ...]]]:
        measures = _surroundings.similarity_list([self.similarity], self._name(), "similarity")
        return measures, _surroundings.feature_chains(self.features, 1, self._name())

    def _measures(self) -> List[Any]:
        return self._parts()[0]

    def accepted_layouts(self) -> Tuple[str, ...]:
        measures, chains = self._parts()
        return _surroundings.accepted(measures, chains, self.normalizer, self._name())

    def _classes(self, y: Any, count: int) -> Tuple[Sequence[Any], Optional[np.ndarray]]:
        if y is None or _surroundings.draws_bases(self.bases):
            return (), None
        y = self._checked_labels(y, count)
        check_classification_targets(y)
        classes, labels = np.unique(y, return_inverse=True)
        return classes, np.ascontiguousarray(labels.reshape(-1), dtype=np.int32)

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        measures, chains = self._parts()
        maker = _surroundings.NodeMaker()
        names = _surroundings.maps(maker, measures, chains, self.normalizer, self.bases, kind,
                                   self._name())
        self._finish(maker, names)
        return maker.nodes

    def _finish(self, maker: _surroundings.NodeMaker, names: List[str]) -> None:
        maker.nodes["transformer"] = maker.nodes.pop(names[0])


class NystroemTransformer(MapTransformer):
    """Features whose inner products approximate a kernel."""

    def spec(self) -> Dict[str, Any]:
        return Estimator.spec(self)

    def _finish(self, maker: _surroundings.NodeMaker, names: List[str]) -> None:
        maker.nodes["transformer"] = {**self.spec(), "from": names}
