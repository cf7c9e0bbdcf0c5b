// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace semblance::python {

/// Adds `spectrum_figures()`, `positive_semidefinite()` and `repair()`: what evaluator/spectrum
/// and the repairs of solver/kernel_svm say of a matrix, for matrices of Python.
void add_diagnostics(pybind11::module_& module);

}  // namespace semblance::python
