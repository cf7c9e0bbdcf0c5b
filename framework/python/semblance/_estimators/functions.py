# SPDX-License-Identifier: MIT
"""Functions of arrays in the place of a similarity measure, and matrices of similarities."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples, check_is_fitted

from .. import _rows
from .._component import Parameterized
from .estimator import Estimator


class OnFunction(Estimator):
    """What estimators have in common whose similarity measure may be a function f(X, B) of arrays,
    (samples, bases), as scikit-learn's kernels are: its values are then the samples, as those of a
    matrix are."""

    @property
    def _measure(self) -> str:
        """The name of the parameter."""
        names = ("kernel", "similarities", "similarity")
        return next(filter(self.__dict__.__contains__, names))

    def _function(self) -> Optional[Any]:
        """The measure, if it is a function of the user's own."""
        measure = getattr(self, self._measure)
        if type(measure) is str:
            return None
        if isinstance(measure, (list, tuple)) and len(measure) == 1:
            measure = measure[0]
        own = (callable(measure) and not isinstance(measure, (type, Parameterized))
               and not hasattr(measure, "__semblance__"))
        return measure if own else None

    def _precomputed(self) -> bool:
        """Whether X is a matrix of similarities to all training samples."""
        raise NotImplementedError

    def _on_matrix(self) -> bool:
        return self._function() is not None or self._precomputed()

    def _check_training(self, samples: _rows.Samples) -> None:
        rows, *columns = samples.values.shape
        if columns not in ([], [rows]) and self._precomputed():
            raise ValueError(f"Precomputed matrix must be a square matrix: the similarities of all "
                             f"training samples to all training samples. Input is a "
                             f"{rows}x{columns[0]} matrix.")

    def _kind(self, X: Any) -> str:
        # The values of a function of the user's own are dense, whatever the samples are.
        if self._function() is not None and _rows.is_sparse(X):
            return "vector"
        return super()._kind(X)

    def _checked_table(self, X: Any, y: Any, labelled: bool, reset: bool, sparse: bool = False,
                       **how: Any) -> Any:
        function = self._function()
        checked = super()._checked_table(X, y, labelled, reset, sparse or function is not None,
                                         **how)
        if function is None:
            self.__dict__.pop("_X_fit", None)
            return checked
        table, y = checked if labelled else (checked, None)
        values = self._values_of(function, table, reset)
        return (values, y) if labelled else values

    def _values_of(self, function: Any, X: Any, training: bool) -> np.ndarray:
        """The values of a kernel function between samples and training samples."""
        if training:
            X = self._X_fit = copy.deepcopy(X)  # the caller may change his
            self._function_fit = function
        else:
            function = self.__dict__.get("_function_fit", function)
        values = function(X, self._X_fit)
        if _rows.is_sparse(values):
            values = values.toarray()
        values = check_array(values, input_name=f"the {self._measure}'s values")
        wanted = (_num_samples(X), _num_samples(self._X_fit))
        if values.shape != wanted:
            raise ValueError(f"The {self._measure} must give an array of shape {wanted}, a value "
                             f"for each sample and training sample, but gave {values.shape}.")
        checked: np.ndarray = values
        return checked

    def _training_samples(self, X: Any, y: Any = None, labelled: bool = False,
                          numeric: bool = False) -> Tuple[_rows.Samples, Any]:
        self._refuse_sparse_matrix(X)
        function = self._function()
        if function is None or is_table(X):
            return super()._training_samples(X, y, labelled, numeric)
        self._forget()
        samples = _rows.vectors(self._values_of(function, X, True), training=True)
        self._columns = []
        self._layout = dict(samples.layout)
        return samples, self._checked_labels(y, len(samples), numeric) if labelled else y

    def _samples(self, X: Any) -> Any:
        self._refuse_sparse_matrix(X)
        function = self._function()
        if function is None or is_table(X):
            return super()._samples(X)
        check_is_fitted(self)
        return _rows.vectors(self._values_of(function, X, False)).rows()

    def _refuse_sparse_matrix(self, X: Any) -> None:
        if hasattr(X, "tocsr") and self._precomputed():
            raise TypeError("Sparse precomputed kernels are not supported. A sparse matrix was "
                            "passed, but dense data is required. Use X.toarray() to convert to a "
                            "dense numpy array.")

    def _is_plain(self, X: Any) -> bool:
        return self._function() is None and super()._is_plain(X)

    def _column_names(self) -> List[str]:
        return [] if self._function() is not None else super()._column_names()

    def _more_tags(self) -> Dict[str, Any]:
        return {**super()._more_tags(), "pairwise": self._precomputed()}


def is_table(X: Any) -> bool:
    """Whether samples are rows of numbers; a kernel function may take any others."""
    if hasattr(X, "dtype"):
        return X.dtype.kind not in "OSU" and X.ndim < 3
    if not isinstance(X, (list, tuple)) or not X:
        return True
    sizes = {np.shape(row) if np.isscalar(row) else len(row) for row in X if hasattr(row, "__len__")
             or np.isscalar(row)}
    return not any(isinstance(row, (str, bytes)) for row in X) and len(sizes) < 2
