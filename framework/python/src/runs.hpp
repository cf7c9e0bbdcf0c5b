// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace semblance::python {

/// Adds `run`, `ablate`, `check` and `read_pipeline`.
void add_runs(pybind11::module_& module);

}  // namespace semblance::python
