// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>

#include "semblance/component.hpp"

namespace semblance::python {

/// For Python, a similarity measure that is a parameter of a component: compares the arrays of one
/// call, with a measure made anew. Only during calls that have a context (LentContext).
pybind11::object measure_object(std::function<std::unique_ptr<Component>()> create);

}  // namespace semblance::python
