// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include "semblance/layout.hpp"

namespace semblance::python {

/// {"kind": "image", "height": 8, "width": 8, "depth": 1}; what is missing is 1. Raises ValueError
/// for other keys, kinds and extents.
Layout layout_from(const pybind11::dict& said);

/// The same the other way: "alphabet" is only there for strings.
pybind11::dict layout_dict(const Layout& layout);

}  // namespace semblance::python
