// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include "registry/python_door.hpp"
#include "semblance/declaration_base.hpp"

namespace semblance::python {

/// The description for the runtime of a component that was declared in Python (an object of
/// semblance._declare.Declaration), as a C++ plugin's table has it. Under the lock.
ComponentEntry entry_of(const pybind11::object& declaration);

/// Reads a file of components written in Python, whose path is absolute, after `before`. What is
/// returned stays valid; nullptr: `problem` says why there is nothing.
const PythonPlugin* read_plugin(const char* file, const char** problem, void (*before)() = nullptr);

}  // namespace semblance::python
