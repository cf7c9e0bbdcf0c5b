// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "semblance/source.hpp"

namespace semblance::python {

/// A `Data` of Python: arrays in place, as source/array gives them.
struct HeldData {
  std::shared_ptr<const Dataset> dataset;
  std::string id;  ///< the hash of all that the data say: values, labels, classes, columns, layout
};

/// Adds the class `Data`: what is handed over to source/array.
void add_data(pybind11::module_& module);

}  // namespace semblance::python
