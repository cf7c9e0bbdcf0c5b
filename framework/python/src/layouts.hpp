// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json_fwd.hpp>

#include "semblance/layout.hpp"

namespace semblance::python {

/// {"kind": "image", "height": 8, "width": 8, "depth": 1}; what is missing is 1. Raises ValueError
/// for other extents, Error for other kinds.
Layout layout_from(const pybind11::dict& said);

/// The same the other way: "alphabet" is only there for strings.
pybind11::object layout_dict(const Layout& layout);

/// JSON as Python has it; text that is not UTF-8 gets replacement characters.
pybind11::object as_python(const nlohmann::ordered_json& value);

}  // namespace semblance::python
