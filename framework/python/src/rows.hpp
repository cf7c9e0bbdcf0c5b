// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"

namespace semblance::python {

/// The buffer of a Python object, lent for as long as this lives. Given back under the GIL, from
/// whatever thread lets go of it.
class Lent {
 public:
  /// Asks for a C-contiguous buffer. Raises what the object raises where it has none.
  explicit Lent(const pybind11::handle& object);
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent();

  const Py_buffer& buffer() const noexcept { return buffer_; }
  /// Its struct format without the byte order: "f"; empty where that is not the machine's.
  std::string format() const;

 private:
  Py_buffer buffer_ = {};
};

/// Rows of an array in one layout, in place: nothing is copied, and the array stays alive.
class ArrayRows {
 public:
  /// `values`: float32 in C order, (n, size of the layout), or flat with `offsets` (uint64, n + 1)
  /// where samples differ in size. Sparse rows also have `columns` (uint32), one per value,
  /// ascending within a row. Raises TypeError or ValueError, also where a value is not finite;
  /// messages call the rows `name`. `missing`: values may be NaN.
  ArrayRows(const pybind11::object& values, const Layout& layout, const pybind11::object& offsets,
            const pybind11::object& columns, const std::string& name, bool missing);

  const Layout& layout() const noexcept { return layout_; }
  MatrixView view() const noexcept { return view_; }

 private:
  void take_equal_rows(const std::string& name);
  void take_ragged_rows(const std::string& name);
  void take_columns(const std::string& name);
  void check_sizes(const std::string& name) const;
  void check_columns(const std::string& name) const;
  void check_values(const std::string& name, bool missing) const;
  void check_rows(const std::string& name) const;

  Layout layout_;
  std::shared_ptr<const Lent> values_;
  std::shared_ptr<const Lent> offsets_;
  std::shared_ptr<const Lent> columns_;
  MatrixView view_;
};

/// Adds the class `Rows`.
void add_rows(pybind11::module_& module);

}  // namespace semblance::python
