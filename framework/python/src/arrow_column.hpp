// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "arrow_interface.hpp"

namespace semblance::python {

/// A column in one chunk of a table: its rows begin at `offset`, besides the array's own.
struct ArrowChunk {
  const ArrowArray* array = nullptr;
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::shared_ptr<void> owner;  ///< keeps the array alive
};

/// The column as an array of NumPy where it holds numbers or truth values (in place where it is one
/// chunk of numbers without nulls; with nulls in floating point, where they are NaN), and as a list
/// of str where it holds text, where a null is None. Raises TypeError for other types.
pybind11::object arrow_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks);

}  // namespace semblance::python
