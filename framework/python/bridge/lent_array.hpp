// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance::python {

/// Arrays that Python is lent for one call: views of the runtime's memory, nothing is copied. They
/// must not be kept, which finish() checks. Everything under the interpreter's lock.
class LentArrays {
 public:
  /// (rows, cols), read only; where rows differ in size, all values behind each other, and where
  /// each begins.
  pybind11::object rows(MatrixView view);
  /// (rows, cols), to be written.
  pybind11::object room(MutableMatrixView view);
  pybind11::object integers(std::span<const std::int64_t> values);
  pybind11::object integers(std::span<const std::int32_t> values);

  /// Throws Error where Python still refers to one of them.
  void finish();

 private:
  template <class T>
  pybind11::array vector(std::span<const T> values);
  pybind11::array lend(pybind11::array array);

  std::vector<pybind11::array> lent_;
};

}  // namespace semblance::python
