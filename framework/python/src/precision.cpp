// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "bindings.hpp"
#include "semblance_numerics/column_precision.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
using numerics::ColumnPrecision;

std::string numbered(std::size_t column) {
  return "column " + std::to_string(column) + " (from 0)";
}

template <class T>
void add_present(ColumnPrecision& precision, std::size_t column, T value) {
  // Others are refused where that is said.
  if (std::isfinite(static_cast<float>(value))) precision.add(column, value);
}

/// The reason to refuse a table, and a warning about it; both empty if its columns lose nothing.
template <class T>
std::tuple<std::string, std::string> lost_digits(const py::array_t<T>& table) {
  const auto values = table.template unchecked<2>();
  const bool by_columns = table.strides(0) < table.strides(1);
  const py::gil_scoped_release released;
  ColumnPrecision precision(static_cast<std::size_t>(values.shape(1)));
  const py::ssize_t outer = values.shape(by_columns ? 1 : 0),
                    inner = values.shape(by_columns ? 0 : 1);
  for (py::ssize_t i = 0; i < outer; ++i)
    for (py::ssize_t k = 0; k < inner; ++k)
      add_present(precision, static_cast<std::size_t>(by_columns ? i : k),
                  by_columns ? values(k, i) : values(i, k));
  return {precision.lost(numbered), precision.rounded(numbered)};
}

/// The same of a sparse table: the values, their columns, and the number of rows.
template <class T>
std::tuple<std::string, std::string> lost_sparse_digits(const py::array_t<T>& values,
                                                        const py::array_t<std::int64_t>& columns,
                                                        std::size_t rows) {
  const auto value = values.template unchecked<1>();
  const auto column = columns.unchecked<1>();
  const py::gil_scoped_release released;
  // There may be far more columns than values.
  std::unordered_map<std::int64_t, std::size_t> places;
  std::vector<std::int64_t> used;
  std::vector<std::size_t> counts;
  ColumnPrecision precision;
  for (py::ssize_t i = 0; i < value.shape(0); ++i) {
    const auto [at, fresh] = places.try_emplace(column(i), used.size());
    if (fresh) {
      used.push_back(column(i));
      counts.push_back(0);
      precision.resize(used.size());
    }
    ++counts[at->second];
    add_present(precision, at->second, value(i));
  }
  for (std::size_t k = 0; k < used.size(); ++k)
    if (counts[k] < rows) precision.add(k, 0.0);
  const auto name = [&](std::size_t k) { return numbered(static_cast<std::size_t>(used[k])); };
  return {precision.lost(name), precision.rounded(name)};
}

/// For series of the shape (series, steps, channels): the first one that is lost and the reason;
/// the first one that loses less, or -1; and how many lose less.
template <class T>
std::tuple<py::ssize_t, std::string, py::ssize_t, std::size_t> lost_series(
    const py::array_t<T>& series) {
  const auto values = series.template unchecked<3>();
  const py::gil_scoped_release released;
  const py::ssize_t channels = values.shape(2);
  ColumnPrecision precision(static_cast<std::size_t>(channels));
  py::ssize_t first = -1;
  std::size_t count = 0;
  for (py::ssize_t i = 0; i < values.shape(0); ++i) {
    precision.clear();
    bool rounded = false;
    for (py::ssize_t c = 0; c < channels; ++c) {
      const auto channel = static_cast<std::size_t>(c);
      for (py::ssize_t t = 0; t < values.shape(1); ++t)
        add_present(precision, channel, values(i, t, c));
      if (const std::string lost = precision.lost(channel, "it"); !lost.empty())
        return {i,
                "the values of the series" +
                    (channels > 1 ? " in channel " + std::to_string(c) + " (from 0)" : "") + " " +
                    lost,
                first, count};
      rounded = rounded || precision.rounded(channel);
    }
    if (rounded && count++ == 0) first = i;
  }
  return {-1, "", first, count};
}

template <class T>
void add_functions(py::module_& module) {
  module.def("lost_digits", &lost_digits<T>, py::arg("table").noconvert());
  module.def("lost_sparse_digits", &lost_sparse_digits<T>, py::arg("values").noconvert(),
             py::arg("columns"), py::arg("rows"));
  module.def("lost_series", &lost_series<T>, py::arg("series").noconvert());
}

}  // namespace

void add_precision(py::module_& module) {
  add_functions<double>(module);
  add_functions<std::int64_t>(module);
  add_functions<std::uint64_t>(module);
}

}  // namespace semblance::python
