// SPDX-License-Identifier: MIT
#pragma once

#include "interpreter.hpp"
#include "registry/python_door.hpp"

namespace semblance::python {

/// Reads a file of components written in Python, whose path is absolute. What is returned stays
/// valid, as a loaded library does. Throws Error.
const PythonPlugin* read_plugin(const char* file);

}  // namespace semblance::python
