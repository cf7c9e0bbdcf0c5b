# SPDX-License-Identifier: MIT
"""Machines on similarities to some of the training samples."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, check_is_fitted

from . import _rows, _surroundings
from ._component import component, resolved
from ._estimator import Estimator, Nodes
from ._machines import Learner, WeightedMachine


class OnBases(Estimator):
    """What estimators have in common that compare samples with some of the training samples.

    Attributes
    ----------
    basis_indices_ : ndarray of int
        The training samples that are bases.
    """

    basis_indices_: np.ndarray

    def _measures(self) -> List[Any]:
        """Its similarities."""
        raise NotImplementedError

    def _precomputed(self) -> bool:
        """Whether X is a matrix of similarities to all training samples."""
        try:
            return any(map(_surroundings.is_precomputed, self._measures()))
        except (TypeError, ValueError):
            return False

    def _on_matrix(self) -> bool:
        return self._precomputed()

    def _check_training(self, samples: _rows.Samples) -> None:
        if self._precomputed():
            _surroundings.refuse_unless_square(samples)

    def _keep(self, trained: Any) -> None:
        super()._keep(trained)
        self.basis_indices_ = trained.chosen_rows(_surroundings.BASES)

    def _more_tags(self) -> Dict[str, Any]:
        return {**super()._more_tags(), "pairwise": self._precomputed()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags


class BasisExpandingMachine(OnBases, WeightedMachine):
    """A linear machine on similarities to bases."""

    similarities: Any
    bases: Any
    features: Any
    normalizer: Any
    output_normalizer: Any

    def _parts(self) -> Tuple[List[Any], List[Tuple[Any, ...]]]:
        measures = _surroundings.similarity_list(self.similarities, self._name(), "similarities")
        return measures, _surroundings.feature_chains(self.features, len(measures), self._name())

    def _measures(self) -> List[Any]:
        return self._parts()[0]

    def accepted_layouts(self) -> Tuple[str, ...]:
        measures, chains = self._parts()
        return _surroundings.accepted(measures, chains, self.normalizer, self._name())

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        measures, chains = self._parts()
        maker = _surroundings.NodeMaker()
        names = _surroundings.maps(maker, measures, chains, self.normalizer, self.bases, kind,
                                   self._name())
        if self.output_normalizer is not None:
            scaling = resolved(self.output_normalizer, "normalizer", self._name(),
                               "output_normalizer")
            names = [maker.add("phi", scaling.spec(), from_=names)]
        maker.nodes["machine"] = {**self._solver(classes, labels), "from": names}
        return maker.nodes


class NeighbourSurroundings(OnBases, Learner):
    """What machines have in common that look at the most similar training samples."""

    k: int
    similarity: Any
    bases: Any
    features: Any
    normalizer: Any

    def kneighbors(self, X: Any, n_neighbors: Optional[int] = None,
                   return_distance: bool = True) -> Any:
        """The nearest training samples of each sample, nearest first; of equally near ones first
        the one that stands first.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().
        n_neighbors : int, optional
            How many; None: `k`.
        return_distance : bool, default=True
            Whether to give distances too.

        Returns
        -------
        distances : ndarray of shape (n, n_neighbors), float32
            Only with `return_distance`. Euclidean distances where `similarity` is "auto", else
            minus the similarities.
        indices : ndarray of shape (n, n_neighbors)
            Numbers of training samples, counted from 0.

        Raises
        ------
        ValueError
            X does not fit, or there are fewer bases than neighbours.
        """
        check_is_fitted(self)
        wanted = self.k if n_neighbors is None else n_neighbors
        if isinstance(wanted, bool) or not isinstance(wanted, numbers.Integral):
            raise TypeError(f"n_neighbors must be an integer, got {wanted!r}.")
        if not 1 <= wanted <= len(self.basis_indices_):
            raise ValueError(f"Expected 1 <= n_neighbors <= {len(self.basis_indices_)}, the number "
                             f"of samples that it compares with, got {wanted}.")
        found = [self._nearest(some, int(wanted)) for some in _in_parts(X, self.basis_indices_)]
        distances, indices = (np.concatenate(parts) for parts in zip(*found))
        return (distances, indices) if return_distance else indices

    def _nearest(self, X: Any, count: int) -> Tuple[np.ndarray, np.ndarray]:
        distances = 0 - self._apply(_surroundings.SIMILARITY, X)  # no -0
        columns = _smallest(distances, count)
        return np.take_along_axis(distances, columns, axis=1), self.basis_indices_[columns]

    def _weighs_exactly(self) -> bool:
        return self.normalizer in (None, "auto")  # others learn from all samples

    def _parts(self) -> Tuple[Any, List[Tuple[Any, ...]], Any]:
        """Similarity, features before it, and normalizer."""
        if isinstance(self.similarity, str) and self.similarity == "auto":
            # The similarity is minus the distance: other functions of a distance round far
            # samples, or near ones, to the same similarity. The distance measure takes series.
            distance = component("similarity/euclidean", as_="negative")
            chain = _surroundings.feature_chains(self.features, 1, self._name())[0]
            if self.normalizer not in (None, "auto"):
                chain += (resolved(self.normalizer, "normalizer", self._name(), "normalizer"),)
            return distance, [(*chain, component("feature/as_series"))], None
        return (_surroundings.similarity_list([self.similarity], self._name(), "similarity")[0],
                _surroundings.feature_chains(self.features, 1, self._name()), self.normalizer)

    def _measures(self) -> List[Any]:
        return [self._parts()[0]]

    def accepted_layouts(self) -> Tuple[str, ...]:
        measure, chains, normalizer = self._parts()
        return _surroundings.accepted([measure], chains, normalizer, self._name())

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        measure, chains, normalizer = self._parts()
        maker = _surroundings.NodeMaker()
        names = _surroundings.maps(maker, [measure], chains, normalizer, self.bases, kind,
                                   self._name())
        maker.nodes["machine"] = {**self._solver(classes, labels), "from": names}
        return maker.nodes


def _smallest(values: np.ndarray, count: int) -> np.ndarray:
    """The columns of the smallest values of each row, in ascending order; of equal ones the first
    columns."""
    limits = np.partition(values, count - 1, axis=1)[:, count - 1, np.newaxis]
    rows, columns = np.nonzero(values <= limits)
    order = np.lexsort((values[rows, columns], rows))  # stable
    first = np.searchsorted(rows, np.arange(len(values)))
    found: np.ndarray = columns[order[first[:, np.newaxis] + np.arange(count)]]
    return found


#: The most similarities that kneighbors() holds at a time: they stay near the processor.
MOST_VALUES = 1 << 22


def _in_parts(X: Any, bases: np.ndarray) -> Iterator[Any]:
    """X in parts with few enough similarities to the bases."""
    count, step = _num_samples(X), max(1, MOST_VALUES // len(bases))
    for first in range(0, count, step):
        yield X if count <= step else _safe_indexing(X, slice(first, first + step))
    if count == 0:
        yield X  # refused like any other empty array


class NearestNeighbourMachine(NeighbourSurroundings, WeightedMachine):
    """A classifier by votes of the most similar training samples."""

    def _weighs_exactly(self) -> bool:
        return self.k == 1 and super()._weighs_exactly()  # further ones count, whatever they weigh
