# SPDX-License-Identifier: MIT
"""Machines that look at the most similar training samples."""

from __future__ import annotations

import numbers
from typing import Any, Iterator, Optional, Sequence, Tuple

import numpy as np
from sklearn.utils.validation import _num_samples, check_is_fitted

from .. import _rows
from .bases import BASES, SIMILARITY, OnBases, Parts, feature_chains
from .._component import component, resolved
from .estimator import Nodes
from .learners import Learner
from .._progress import threads


class Neighbours(OnBases, Learner):
    """What machines have in common that look at the most similar training samples."""

    k: int
    scores: str
    similarity: Any

    def kneighbors(self, X: Any = None, n_neighbors: Optional[int] = None,
                   return_distance: bool = True) -> Any:
        """The nearest training samples of each sample, nearest first; of equally near ones first
        the one that stands first.

        Parameters
        ----------
        X : array-like, optional
            Samples like those of fit(). None: the training samples that are bases, of which none
            is its own neighbour.
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
        most = len(self.basis_indices_) - (X is None)
        if not 1 <= wanted <= most:
            raise ValueError(f"Expected 1 <= n_neighbors <= {most}, the number of samples that it "
                             f"compares with, got {wanted}.")
        others = int(wanted) + (X is None)
        distances, places = self._nearest(X, others)
        if X is None:
            own = places == np.arange(len(places))[:, np.newaxis]
            own[~own.any(axis=1), -1] = True  # hidden behind others at the same place
            distances, places = (found[~own].reshape(len(places), -1)
                                 for found in (distances, places))
        indices = self.basis_indices_[places]
        return (distances, indices) if return_distance else indices

    def _nearest(self, X: Any, count: int) -> Tuple[np.ndarray, np.ndarray]:
        """Distances, and the places of bases."""
        bases = self._rows_of_bases()
        if bases is not None:
            from .. import _native
            rows = bases if X is None else self._apply(self._compares, X)
            rows = (rows[0] if isinstance(rows, tuple) else rows).reshape(-1, bases.shape[1])
            if bases.shape[1] <= TREE_COLUMNS and len(bases) >= TREE_BASES:
                return self._by_tree(bases, rows, count)
            return _native.nearest(bases, rows, count, threads(self.n_jobs))
        if X is None:
            raise ValueError("kneighbors() without X takes the Euclidean distance of samples of one "
                             "size, similarity=\"auto\"; give it the training samples.")
        found = []
        for some in _in_parts(X, self.basis_indices_):
            distances = 0 - self._apply(SIMILARITY, some)  # no -0
            places = _smallest(distances, count)
            found.append((np.take_along_axis(distances, places, axis=1), places))
        distances, places = (np.concatenate(parts) for parts in zip(*found))
        return distances, places

    def _by_tree(self, bases: np.ndarray, rows: np.ndarray,
                 count: int) -> Tuple[np.ndarray, np.ndarray]:
        """What _native.nearest() gives, in less time for many bases with few columns."""
        from sklearn.neighbors import KDTree
        from .. import _native
        tree, more = self._once("tree", lambda: KDTree(bases)), min(count + 1, len(bases))
        parts = [tree.query(rows[i:i + 4096], more) for i in range(0, len(rows), 4096)]
        far, places = (np.concatenate(part) for part in zip(*parts))
        distances = far.astype(np.float32)
        order = np.lexsort((places, distances))
        distances, places = (np.take_along_axis(found, order, axis=1)[:, :count]
                             for found in (distances, places))
        # The tree chooses among equally near bases as it likes.
        tied = np.flatnonzero(far.astype(np.float32)[:, -1] == distances[:, -1])
        if more > count and len(tied):
            distances[tied], places[tied] = _native.nearest(bases, rows[tied], count,
                                                            threads(self.n_jobs))
        return distances, places

    def _rows_of_bases(self) -> Optional[np.ndarray]:
        """The bases as rows of a table, where it compares these by the Euclidean distance."""
        if not self.__dict__.get("_compares"):
            return None

        def read() -> Optional[np.ndarray]:
            values, offsets = self._trained.state(SIMILARITY)["bases"]
            sizes = np.diff(offsets.astype(np.int64))
            return values.reshape(len(sizes), -1) if (sizes == sizes[0]).all() else None
        found: Optional[np.ndarray] = self._once("bases", read)
        return found

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        nodes = super()._nodes(kind, classes, labels)
        # The node whose rows the Euclidean distance compares.
        self._compares: Any = nodes[SIMILARITY]["from"] if (
            kind == "vector" and self._is_automatic()) else None
        if classes is not None and len(classes) and self.scores != "shares":
            nodes["probabilities"] = {**nodes[self._result], "scores": "shares"}
        return nodes

    def _probabilities(self) -> str:
        return self._result if self.scores == "shares" else "probabilities"

    def _ignores_constants(self) -> Optional[bool]:
        own = self._is_automatic() and self.features is None and self.normalizer in (None, "auto")
        return True if own else None

    def _densifies(self) -> bool:
        return self._is_automatic() and self.features is None

    def _is_automatic(self) -> bool:
        return isinstance(self.similarity, str) and self.similarity == "auto"

    def _weighs_exactly(self) -> bool:
        # Further neighbours count, whatever they weigh; normalizers learn from all samples.
        return (self._numeric or self.k == 1) and self.normalizer in (None, "auto")

    def _check_training(self, samples: _rows.Samples) -> None:
        super()._check_training(samples)
        if self._numeric and self.bases == "all" and len(samples) < self.k:
            raise ValueError(f"k = {self.k} neighbours are more than n_samples = {len(samples)}: "
                             "lower k, or train with more samples")

    def _parts(self) -> Parts:
        if not self._is_automatic():
            return super()._parts()
        # The similarity is minus the distance: other functions of a distance round far samples, or
        # near ones, to the same similarity. The distance measure takes series.
        distance = component("similarity/euclidean", as_="negative")
        chain = feature_chains(self.features, 1, self._name())[0]
        if self.normalizer not in (None, "auto"):
            chain += (resolved(self.normalizer, "normalizer", self._name(), "normalizer"),)
        return [distance], [(*chain, component("feature/as_series"))], None


def _smallest(values: np.ndarray, count: int) -> np.ndarray:
    """The columns of the smallest values of each row, in ascending order; of equal ones the first
    columns."""
    limits = np.partition(values, count - 1, axis=1)[:, count - 1, np.newaxis]
    rows, columns = np.nonzero(values <= limits)
    order = np.lexsort((values[rows, columns], rows))  # stable
    first = np.searchsorted(rows, np.arange(len(values)))
    found: np.ndarray = columns[order[first[:, np.newaxis] + np.arange(count)]]
    return found


#: From this many bases on, with up to this many columns, a tree finds the nearest ones sooner.
TREE_BASES, TREE_COLUMNS = 10_000, 8

#: The most similarities that kneighbors() holds at a time: they stay near the processor.
MOST_VALUES = 1 << 22


def _in_parts(X: Any, bases: np.ndarray) -> Iterator[Any]:
    """X in parts with few enough similarities to the bases."""
    count, step = _num_samples(X), max(1, MOST_VALUES // len(bases))
    if count > step and hasattr(X, "tocsr"):  # other sparse matrices have no rows
        X = X.tocsr()
    for first in range(0, count, step):
        yield X if count <= step else getattr(X, "iloc", X)[first:first + step]
    if count == 0:
        yield X  # refused like any other empty array
