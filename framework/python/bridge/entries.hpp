// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include "semblance/declaration_base.hpp"

namespace semblance::python {

/// The description for the runtime of a component that was declared in Python (an object of
/// semblance._declare.Declaration), as a C++ plugin's table has it. Under the lock.
ComponentEntry entry_of(const pybind11::object& declaration);

}  // namespace semblance::python
