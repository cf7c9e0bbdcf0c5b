// SPDX-License-Identifier: MIT
#include "rows.hpp"

#include <cmath>
#include <limits>

#include "layouts.hpp"
#include "semblance/new_symbols.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// The reason why a value is refused, for the message.
std::string what_it_is(float value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "infinity" : "minus infinity";
}

/// The first value that is not finite; the number of values where all are. The sum of a block is
/// finite where all its values are, but for sums that overflow: then each is looked at.
std::size_t first_not_finite(const float* values, std::size_t count) {
  constexpr std::size_t block = 4096;
  for (std::size_t start = 0; start < count; start += block) {
    const std::size_t end = std::min(count, start + block);
    // x * 0 is 0 where x is finite, and NaN otherwise: a sum that vectorizes.
    float sums[8] = {};
    std::size_t i = start;
    for (; i + 8 <= end; i += 8)
      for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += values[i + lane] * 0.0F;
    for (; i < end; ++i) sums[0] += values[i] * 0.0F;
    float sum = 0;
    for (const float lane : sums) sum += lane;
    if (sum == 0) continue;
    for (i = start; i < end; ++i)
      if (!std::isfinite(values[i])) return i;
  }
  return count;
}

/// The first value that is infinite; the number of values where none is.
std::size_t first_infinite(const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (std::isinf(values[i])) return i;
  return count;
}

/// The first of `count` values that is no symbol's number; their number where all are.
std::size_t first_no_symbol(const float* values, std::size_t count, std::size_t symbols) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(values[i] >= 0 && values[i] < static_cast<float>(symbols) &&
          values[i] == std::floor(values[i])) &&
        !is_new_symbol(values[i]))
      return i;
  return count;
}

}  // namespace

ArrayRows::ArrayRows(const py::object& values, const Layout& layout, const py::object& offsets,
                     const py::object& columns, const std::string& name, bool missing)
    : layout_(layout), arrays_(py::make_tuple(values, offsets, columns)) {
  const bool ragged = layout_.ragged(), sparse = layout_.kind == LayoutKind::sparse;
  const auto numbers = array_of<float>(values, ragged ? 1 : 2, name);
  view_ = {numbers.data(), static_cast<std::size_t>(numbers.shape(0)), layout_.size(),
           layout_.size()};
  if (ragged) {
    const auto ends = array_of<std::uint64_t>(offsets, 1, "the offsets of " + name);
    const py::ssize_t rows = ends.size() - 1;
    if (rows < 0 || ends.at(0) != 0 || ends.at(rows) != view_.rows)
      throw py::value_error("the offsets of " + name + " must begin with 0 and end with " +
                            std::to_string(view_.rows) + ", the number of values");
    view_ = {numbers.data(), static_cast<std::size_t>(rows), layout_.size(), 0, ends.data()};
  } else if (static_cast<std::size_t>(numbers.shape(1)) != layout_.size()) {
    throw py::value_error(name + " must have " + std::to_string(layout_.size()) +
                          " columns for a " + describe(layout_) + ", got " +
                          std::to_string(numbers.shape(1)));
  }
  if (sparse) {
    const auto places = array_of<std::uint32_t>(columns, 1, "the columns of " + name);
    if (static_cast<std::size_t>(places.size()) != view_.values())
      throw py::value_error("the columns of " + name + " must be as many as its values");
    // Rows without any value are sparse as well, which only the pointers say.
    static constexpr std::uint32_t no_column = 0;
    static constexpr float no_value = 0;
    view_.columns = view_.values() ? places.data() : &no_column;
    if (view_.values() == 0) view_.data = &no_value;
  }
  const py::gil_scoped_release released;
  if (sparse)
    check_columns(name);
  else if (ragged)
    check_sizes(name);
  check_values(name, missing);
}

void ArrayRows::check_sizes(const std::string& name) const {
  for (std::size_t i = 0; i < view_.rows; ++i) {
    const std::size_t start = view_.offsets[i], end = view_.offsets[i + 1], size = end - start;
    if (end <= start || size > layout_.size() || size % layout_.depth != 0)
      throw py::value_error(
          "row " + std::to_string(i) + " of " + name + " must have between 1 and " +
          std::to_string(layout_.width) + " elements of " + std::to_string(layout_.depth) +
          " values; its offsets are " + std::to_string(start) + " and " + std::to_string(end));
  }
}

void ArrayRows::check_columns(const std::string& name) const {
  for (std::size_t i = 0; i < view_.rows; ++i) {
    if (view_.offsets[i + 1] < view_.offsets[i] || view_.offsets[i + 1] > view_.offsets[view_.rows])
      throw py::value_error("the offsets of " + name + " must ascend; those of row " +
                            std::to_string(i) + " are " + std::to_string(view_.offsets[i]) +
                            " and " + std::to_string(view_.offsets[i + 1]));
    const auto columns = view_.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k] >= view_.cols || (k > 0 && columns[k] <= columns[k - 1]))
        throw py::value_error("row " + std::to_string(i) + " of " + name +
                              " has a value in column " + std::to_string(columns[k]) +
                              ": columns must ascend within a row and be below " +
                              std::to_string(view_.cols));
  }
}

void ArrayRows::check_values(const std::string& name, bool missing) const {
  const std::size_t count = view_.values();
  const bool symbols = layout_.kind == LayoutKind::string;
  const std::size_t known = symbols ? symbols_of(layout_).size() : 0;
  const std::size_t bad = symbols   ? first_no_symbol(view_.data, count, known)
                          : missing ? first_infinite(view_.data, count)
                                    : first_not_finite(view_.data, count);
  if (bad == count) return;
  std::size_t row = 0;
  if (view_.ragged())
    while (view_.offsets[row + 1] <= bad) ++row;
  else
    row = bad / view_.cols;
  const std::size_t place = bad - static_cast<std::size_t>(view_.row(row) - view_.data);
  const std::string what =
      view_.sparse() ? "the value in column " + std::to_string(view_.columns[bad]) + " of row "
                     : "value " + std::to_string(place) + " of row ";
  const std::string where = what + std::to_string(row) + " of " + name;
  if (symbols)
    throw py::value_error(where + " is " + std::to_string(view_.data[bad]) +
                          ": a symbol is a whole number from 0 to " + std::to_string(known - 1) +
                          ", its place in the alphabet");
  throw py::value_error(where + " is " + what_it_is(view_.data[bad]) +
                        ": replace or leave out values that are " +
                        (missing ? "infinite" : "NaN or infinity"));
}

void add_rows(py::module_& module) {
  py::class_<ArrayRows>(module, "Rows",
                        "Rows of an array in one layout, in place: nothing is copied, and the "
                        "array is kept alive.")
      .def(py::init([](const py::object& values, const py::dict& layout, const py::object& offsets,
                       const std::string& name, const py::object& columns, bool missing) {
             return ArrayRows(values, layout_from(layout), offsets, columns, name, missing);
           }),
           py::arg("values"), py::arg("layout"), py::arg("offsets") = py::none(),
           py::arg("name") = "X", py::arg("columns") = py::none(), py::arg("missing") = false)
      .def("__len__", [](const ArrayRows& rows) { return rows.view().rows; })
      .def_property_readonly("layout",
                             [](const ArrayRows& rows) { return layout_dict(rows.layout()); })
      .def_property_readonly(
          "address",
          [](const ArrayRows& rows) { return reinterpret_cast<std::uintptr_t>(rows.view().data); },
          "The address of the first value.");
}

}  // namespace semblance::python
