// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace semblance::python {

/// Adds the class `Measure`, a similarity for arrays.
void add_measure(pybind11::module_& module);

}  // namespace semblance::python
