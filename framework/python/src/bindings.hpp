// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

/// The parts of the native module; each adds its functions and classes.
namespace semblance::python {

/// Adds the class `Measure`, a similarity for arrays.
void add_measure(pybind11::module_& module);

/// Adds `nearest()`, the nearest rows of a table by the Euclidean distance.
void add_nearest(pybind11::module_& module);

/// Adds `lost_digits()`, `lost_sparse_digits()` and `lost_series()`, which report what 64-bit
/// numbers lose as float32, by the same rule as for files.
void add_precision(pybind11::module_& module);

/// Adds `run`, `ablate`, `check` and `read_pipeline`.
void add_runs(pybind11::module_& module);

/// Adds the class `Trained` and `train`.
void add_trained(pybind11::module_& module);

}  // namespace semblance::python
