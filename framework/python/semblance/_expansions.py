# SPDX-License-Identifier: MIT
"""What a kernel machine consists of, as scikit-learn's machines show it: functions
f(x) = sum_i b_i k(v_i, x) + bias on vectors v, which are training samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

import numpy as np


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

    def linear_weights(self) -> np.ndarray:
        """sum_i b_i v_i, (functions, columns): the functions of a linear kernel."""
        used = self.vectors[self.used].astype(np.float64)
        return np.asarray(self.coefficients[:, self.used] @ used)


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
