// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "interpreter.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"

namespace semblance::python {

/// An array of T in C order, of this many dimensions. Raises TypeError or ValueError.
template <class T>
pybind11::array_t<T> array_of(const pybind11::object& given, pybind11::ssize_t dimensions,
                              const std::string& what) {
  namespace py = pybind11;
  if (!py::isinstance<py::array_t<T, py::array::c_style>>(given))
    throw py::type_error(what + " must be an array of " + std::string(py::str(py::dtype::of<T>())) +
                         " in C order, got " + std::string(py::repr(py::type::of(given))));
  auto array = py::reinterpret_borrow<py::array_t<T>>(given);
  if (array.ndim() != dimensions)
    throw py::value_error(what + " must have " + std::to_string(dimensions) +
                          (dimensions == 1 ? " dimension, got " : " dimensions, got ") +
                          std::to_string(array.ndim()) + ": its shape is " +
                          std::string(py::str(given.attr("shape"))));
  return array;
}

/// Rows of an array in one layout, in place: nothing is copied, and the array stays alive. The
/// package makes them, and has checked what users give.
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
  void check_sizes(const std::string& name) const;
  void check_columns(const std::string& name) const;
  void check_values(const std::string& name, bool missing) const;

  Layout layout_;
  Owned arrays_;  ///< (values, offsets, columns)
  MatrixView view_;
};

/// Adds the class `Rows`.
void add_rows(pybind11::module_& module);

}  // namespace semblance::python
