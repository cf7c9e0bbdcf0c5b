// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace semblance::python {

/// Adds the class `Trained` and `train`.
void add_trained(pybind11::module_& module);

}  // namespace semblance::python
