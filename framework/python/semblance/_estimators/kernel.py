# SPDX-License-Identifier: MIT
"""What machines on a kernel have in common, and what they consist of: functions
f(x) = sum_i b_i k(v_i, x) + bias on vectors v, which are training samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence

import numpy as np

from .. import _rows
from .._component import class_of, resolved
from .functions import OnFunction
from .learners import Learner


@dataclass(frozen=True)
class Expansion:
    """Coefficients, constants and vectors of functions, in double."""

    coefficients: np.ndarray  #: (functions, vectors)
    constants: np.ndarray  #: (functions,)
    used: np.ndarray  #: the vectors with a coefficient in any function
    vectors: Any  #: (vectors, columns), dense or sparse; None: the kernel does not retain them

    @classmethod
    def of(cls, state: Dict[str, Any], columns: int) -> "Expansion":
        """The functions of a machine's learned state, on samples with this many columns."""
        constants = state["biases"]
        dense = np.zeros((len(constants), state["vectors"]))
        next_function = next_value = 0
        for start, count, size in zip(state["group_starts"], state["group_counts"],
                                      state["group_sizes"]):
            functions = state["group_problems"][next_function:next_function + size]
            values = state["coefficients"][next_value:next_value + size * count]
            dense[functions, start:start + count] = values.reshape(size, count)
            next_function += size
            next_value += size * count
        return cls(dense, constants, np.flatnonzero(dense.any(axis=0)),
                   _rows_of(state.get("kernel_bases"), columns))


def _rows_of(kept: Any, width: int) -> Optional[Any]:
    if not isinstance(kept, tuple):
        return kept
    if len(kept) == 2:  # series, strings, sets
        return None
    from scipy.sparse import csr_matrix
    values, offsets, columns = kept
    return csr_matrix((values, columns.astype(np.int64), offsets.astype(np.int64)),
                      shape=(len(offsets) - 1, width))


def read_only(values: Any, sparse: bool = False) -> Any:
    """The values, whose changes would not change the machine: so they are refused. With `sparse`, a
    sparse matrix."""
    if sparse:
        from scipy.sparse import csr_matrix
        values = csr_matrix(values)
        values.data.flags.writeable = False
    else:
        values.flags.writeable = False
    return values


def by_opponents(coefficients: np.ndarray, classes_of_vectors: np.ndarray,
                 classes: int) -> np.ndarray:
    """The coefficients of one function per pair of classes in LIBSVM's form, (classes - 1,
    vectors): for a vector of class c, row j - 1 is for the pair with a later class j, and row j
    for the pair with an earlier one."""
    made = np.zeros((classes - 1, coefficients.shape[1]))
    function = 0
    for first in range(classes):
        for second in range(first + 1, classes):
            own = classes_of_vectors == first
            made[second - 1, own] = coefficients[function, own]
            own = classes_of_vectors == second
            made[first, own] = coefficients[function, own]
            function += 1
    return made


class WithKernel(OnFunction, Learner):
    """What machines have in common whose `kernel` is any similarity measure, or a function of
    arrays as in scikit-learn."""

    kernel: Any

    def _given(self, name: str) -> Any:
        if name == "kernel" and self._function() is not None:
            return "precomputed"
        return super()._given(name)

    def _precomputed(self) -> bool:
        return self._function() is None and self._is_on("similarity/precomputed")

    def _is_on(self, component: str) -> bool:
        given = self._given("kernel")
        if isinstance(given, str) and class_of(f"similarity/{given}") is not None:
            return component == f"similarity/{given}"
        try:
            kernel = resolved(given, "similarity", self._name(), "kernel")
        except (TypeError, ValueError):
            return False
        return bool(kernel.component == component)


class OnKernel(WithKernel):
    """What machines have in common whose outputs are sums over support vectors."""

    def _learn(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        super()._learn(samples, labels, classes, **more)
        self._linear = self._function() is None and self._is_on("similarity/linear")
        self._vector_rows = self._trained.vector_rows(self._result)
        if labels is not None:
            self._vector_classes = labels[self._vector_rows]

    def _expansion(self) -> Expansion:
        """The functions on support vectors."""
        found: Expansion = self._once("support vectors", lambda: Expansion.of(
            self._trained.state(self._result), getattr(self, "n_features_in_", 0)))
        return found

    def _sparse(self) -> bool:
        """Whether it was trained on a sparse matrix: then its vectors and coefficients are sparse,
        as in scikit-learn."""
        return bool(self._layout["kind"] == "sparse vector")

    @property
    def support_(self) -> np.ndarray:
        """The training samples that are support vectors, counted from 0; of a classifier class by
        class."""
        used = self._expansion().used
        support: np.ndarray = self._vector_rows[used]
        return support

    @property
    def support_vectors_(self) -> Any:
        """The support vectors, (vectors, columns), in the order of `support_`; a sparse matrix
        after fit() on one, as `dual_coef_` and `coef_` are then."""
        expansion = self._expansion()
        if expansion.vectors is None or self._layout["kind"] not in _rows.TABLES or \
                self._given("kernel") == "precomputed":
            raise AttributeError(f"This {self._name()} has no support_vectors_: its kernel retains "
                                 "no rows of a table; take X[support_] of its training samples.")
        return expansion.vectors[expansion.used]

    @property
    def n_support_(self) -> np.ndarray:
        """How many support vectors there are; of a classifier, of each class."""
        return np.array([len(self._expansion().used)], dtype=np.int32)

    @property
    def dual_coef_(self) -> Any:
        """Coefficients of the support vectors, (functions, vectors); of KernelRidge (vectors,) or
        (vectors, numbers), as in scikit-learn."""
        expansion = self._expansion()
        coefficients = expansion.coefficients[:, expansion.used]
        if self.component == "solver/kernel_ridge":
            return read_only(coefficients[0] if self._flat else coefficients.T)
        return read_only(coefficients, self._sparse())

    @property
    def intercept_(self) -> np.ndarray:
        """Constants of the functions, (functions,)."""
        constants = self._expansion().constants
        mean = self.__dict__.get("_mean")
        return read_only(constants.copy() if mean is None else constants + mean)

    @property
    def coef_(self) -> Any:
        """Weights of the columns, (functions, columns), where the kernel is similarity/linear."""
        expansion = self._expansion()
        if not self._linear or expansion.vectors is None:
            raise AttributeError("coef_ is only available when using a linear kernel")
        used = expansion.vectors[expansion.used].astype(np.float64)
        return read_only(np.asarray(expansion.coefficients[:, expansion.used] @ used),
                         self._sparse())
