# SPDX-License-Identifier: MIT
"""Similarity measures as functions of arrays."""

from __future__ import annotations

import json
from typing import Any, Dict, Tuple

import numpy as np

from . import _rows
from ._component import Component
from ._errors import refusing, without_places


#: Similarities made of a distance that divide it by a width.
WIDE = ("gaussian", "exponential", "laplacian")


class SimilarityComponent(Component):
    """A similarity measure: a parameter of machines, and a function of arrays."""

    def __call__(self, X: Any, B: Any = None) -> Any:
        """Similarities of samples to bases, as a kernel function of scikit-learn's machines.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the measure takes
            The samples.
        B : array-like, optional
            The bases; the default is X.

        Returns
        -------
        ndarray of shape (n, bases), float32; a float if X and B are one series, string or set each

        Raises
        ------
        ValueError, TypeError
            A parameter is out of range; the measure does not take samples such as X or B.
        """
        return self.similarities(X, X if B is None else B)

    def similarities(self, X: Any, B: Any, *, image_shape: Any = None,
                     n_jobs: Any = None) -> Any:
        """Similarities of samples to bases; `image_shape` as in the estimators. A float where both
        are one series, string or set of points. A ValueError where one is not finite."""
        if self._is_one(X) and self._is_one(B):
            if getattr(self, "width", 1) == "auto" and getattr(self, "as_", "") in WIDE:
                raise ValueError(f"{type(self).__name__} has no width, and two samples say nothing "
                                 f"of one: give a number, or as_=\"negative\" for minus their "
                                 f"distance.")
            return float(self.similarities([X], [B], n_jobs=n_jobs)[0, 0])
        bases, samples = self._both(X, B, image_shape)
        measure = self._measure(bases.layout, n_jobs)
        refusing(measure.set_bases, bases.rows("B"))
        values: np.ndarray = refusing(measure.apply, samples.rows("X"))
        if values.size and not np.isfinite([values.min(), values.max()]).all():
            i, j = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(f"{self.component} of sample {i} of X and sample {j} of B is "
                             f"{values[i, j]}, which is no finite number of float32: scale the "
                             f"samples, or choose other parameters.")
        return values

    def _is_one(self, sample: Any) -> bool:
        """Whether this is a single sample, of a kind that has another number of axes than several."""
        taken = self.accepted_layouts()
        if isinstance(sample, str):
            return "string" in taken
        dimensions = 1 if taken == ("sequence",) else 2 if taken == ("set",) else 0
        if dimensions == 0 or _rows.is_list_of_arrays(sample) or _rows.is_panel(sample):
            return False
        try:
            return np.ndim(sample) == dimensions and np.asarray(sample).dtype.kind in "fiub"
        except ValueError:  # a list of samples that differ in size
            return False

    def _both(self, X: Any, B: Any, image_shape: Any) -> Tuple[_rows.Samples, _rows.Samples]:
        from ._data import check_order, column_names
        owner, taken = type(self).__name__, self.accepted_layouts()
        same = X is B
        name = "X" if same else "B"
        B = _rows.table_of(B, name)
        X = B if same else _rows.table_of(X)
        kind = _rows.layout_kind(X if _rows.is_sparse(X) else B, taken, image_shape, owner)
        if kind == "string":  # one alphabet for both
            B, X = _rows.texts_of(B, name), _rows.texts_of(X, "X")
            both = _rows.samples([*B, *X], kind, owner=owner)
            return self._fitted_to(both.layout, B, X, name)
        check_order(X, column_names(B), "X and B")
        bases = _rows.samples(B, kind, owner=owner, image_shape=image_shape, name=name,
                              training=True)
        if X is B:
            return bases, bases
        samples = _rows.samples(X, kind, owner=owner, image_shape=image_shape)
        if kind in _rows.TABLES and samples.layout != bases.layout:
            raise ValueError(f"Incompatible dimension for X and B matrices: X has "
                             f"{_rows.size_of(samples.layout)} columns while B has "
                             f"{_rows.size_of(bases.layout)}.")
        if kind == "graph" and samples.layout["shape"] != bases.layout["shape"]:
            return self._fitted_to(_rows.both_graphs(bases.layout, samples.layout), B, X, name)
        return _rows.in_common(bases, samples)

    def _fitted_to(self, layout: _rows.Layout, B: Any, X: Any,
                   name: str) -> Tuple[_rows.Samples, _rows.Samples]:
        kind, owner = layout["kind"], type(self).__name__
        return _rows.in_common(_rows.samples(B, kind, owner=owner, fitted=layout, name=name),
                               _rows.samples(X, kind, owner=owner, fitted=layout))

    def _measure(self, layout: _rows.Layout, n_jobs: Any = None) -> Any:
        from . import _native
        from ._progress import threads
        return refusing(_native.Measure, json.dumps(self.spec()), layout, 0, threads(n_jobs),
                        message=lambda error: without_places(error, type(self).__name__))

    @property
    def symmetric(self) -> bool:
        """Whether s(a, b) is s(b, a), by construction."""
        return bool(self._measure(self._example()).symmetric)

    @property
    def positive_semidefinite(self) -> bool:
        """Whether all its matrices are positive semi-definite, by construction."""
        return bool(self._measure(self._example()).positive_semidefinite)

    def _example(self) -> _rows.Layout:
        kind = self.accepted_layouts()[0]
        examples: Dict[str, Dict[str, Any]] = {
            "vector": {"depth": 4}, "string": {"width": 8, "depth": 1, "alphabet": "AB"},
            "set": {"width": 4, "depth": 2}, "sequence": {"width": 8, "depth": 1},
            "graph": {"width": 1, "depth": 1, "shape": {
                "nodes": 4, "edges": 4, "directed": False, "node_labels": ["A", "B"],
                "edge_labels": []}}}
        return {"kind": kind, **examples.get(kind, {"height": 8, "width": 8, "depth": 1})}
