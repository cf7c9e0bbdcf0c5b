// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace semblance::python {

/// Adds `arrow_columns(table)`.
void add_arrow(pybind11::module_& module);

}  // namespace semblance::python
