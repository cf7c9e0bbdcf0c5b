// SPDX-License-Identifier: MIT
#include "held_data.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "rows.hpp"
#include "runtime/rows/layout_json.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "semblance/parameters.hpp"
#include "support/files/hash.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// Appends an array of `rows` entries, or `rows` x `columns`, each of which must be `good`; without
/// an array, `unknown` as often.
template <class T, class Good>
void take(const py::object& given, const std::string& name, std::size_t rows, std::size_t columns,
          T unknown, const std::string& wanted, const Good& good, std::vector<T>& all) {
  if (given.is_none()) {
    all.insert(all.end(), rows * std::max<std::size_t>(columns, 1), unknown);
    return;
  }
  const auto array = array_of<T>(given, columns > 0 ? 2 : 1, name);
  if (static_cast<std::size_t>(array.shape(0)) != rows ||
      (columns > 0 && static_cast<std::size_t>(array.shape(1)) != columns))
    throw py::value_error(name + " must have one entry per row: there are " + std::to_string(rows) +
                          " rows, and its shape is " +
                          py::str(given.attr("shape")).cast<std::string>());
  const std::span<const T> values(array.data(), static_cast<std::size_t>(array.size()));
  const auto wrong = std::ranges::find_if_not(values, good);
  if (wrong != values.end())
    throw py::value_error(name + " must be " + wanted + "; entry " +
                          std::to_string(wrong - values.begin()) + " is " +
                          to_text(Value(static_cast<double>(*wrong))));
  all.insert(all.end(), values.begin(), values.end());
}

/// Labels from `least` up to the last class; -1 is unknown.
void take_labels(const py::object& given, const std::string& name, std::size_t rows,
                 std::size_t classes, std::int32_t least, std::vector<std::int32_t>& all) {
  const auto last = static_cast<std::int32_t>(classes) - 1;
  take(
      given, name, rows, 0, std::int32_t{-1},
      "from " + std::to_string(least) + " to " + std::to_string(last) +
          ", places in the list of classes",
      [&](std::int32_t label) { return label >= least && label <= last; }, all);
}

void check_columns(const std::vector<std::string>& columns, const Layout& layout) {
  const bool table = layout.kind == LayoutKind::vector || layout.kind == LayoutKind::sparse;
  if (!columns.empty() && (!table || columns.size() != layout.size()))
    throw py::value_error("columns must name each of the " + std::to_string(layout.size()) +
                          " values of a vector; got " + std::to_string(columns.size()) +
                          " names for a " + describe(layout));
}

template <class T>
std::string_view bytes_of(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

void add(PiecewiseHash& hash, const ArrayRows& rows) {
  const MatrixView view = rows.view();
  if (view.ragged()) hash.add(bytes_of(view.offsets, view.rows + 1));
  if (view.sparse()) hash.add(bytes_of(view.columns, view.values()));
  hash.add(bytes_of(view.data, view.values()));
}

std::string hash_of(const ArrayRows& train, const std::optional<ArrayRows>& test,
                    const BorrowedData& data) {
  const nlohmann::ordered_json about = {
      {"layout", layout_json(train.layout())},
      {"classes", data.classes},
      {"columns", data.columns},
      {"targets", data.target_names},
      {"rows", {train.view().rows, test ? test->view().rows : 0}},
      {"known", {data.labels.size(), data.weights.size(), data.groups.size()}}};
  PiecewiseHash hash;
  hash.add(about.dump());
  hash.add(bytes_of(data.labels.data(), data.labels.size()));
  hash.add(bytes_of(data.weights.data(), data.weights.size()));
  hash.add(bytes_of(data.groups.data(), data.groups.size()));
  hash.add(bytes_of(data.targets.data(), data.targets.size()));
  add(hash, train);
  if (test) add(hash, *test);
  return hash.text();
}

HeldData make_data(const ArrayRows& train, const py::object& labels,
                   const std::optional<ArrayRows>& test, const py::object& test_labels,
                   std::vector<std::string> classes, std::vector<std::string> columns,
                   const py::object& weights, const py::object& groups, const py::object& targets,
                   const py::object& test_targets, std::vector<std::string> target_names) {
  if (test && test->layout() != train.layout())
    throw py::value_error("training rows are a " + describe(train.layout()) + ", test rows a " +
                          describe(test->layout()) + ": both must be the same");
  if (!test_labels.is_none() && !test)
    throw py::value_error("there are labels of test rows, and no test rows");
  check_columns(columns, train.layout());
  BorrowedData borrowed{train.layout(), train.view()};
  borrowed.classes = std::move(classes);
  borrowed.columns = std::move(columns);
  const std::size_t rows = train.view().rows, test_rows = test ? test->view().rows : 0;
  if (test) borrowed.test = test->view();
  if (!weights.is_none()) {  // nothing is learned from test rows: theirs are 1
    take(
        weights, "weights", rows, 0, 1.0, "finite, and 0 or more",
        [](double weight) { return weight >= 0 && std::isfinite(weight); }, borrowed.weights);
    borrowed.weights.resize(rows + test_rows, 1);
  }
  if (!groups.is_none()) {
    take(
        groups, "groups", py::len(groups) > rows ? rows + test_rows : rows, 0, std::int32_t{-1},
        "0 or more", [](std::int32_t group) { return group >= 0; }, borrowed.groups);
    borrowed.groups.resize(rows + test_rows, -1);
  }
  if (!labels.is_none()) {
    take_labels(labels, "y", rows, borrowed.classes.size(), 0, borrowed.labels);
    take_labels(test_labels, "y_test", test_rows, borrowed.classes.size(), -1, borrowed.labels);
  }
  if (!targets.is_none()) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const std::size_t numbers = target_names.size();
    take(
        targets, "y", rows, numbers, unknown, "finite", [](double y) { return std::isfinite(y); },
        borrowed.targets);
    take(
        test_targets, "y_test", test_rows, numbers, unknown, "finite",
        [](double y) { return !std::isinf(y); }, borrowed.targets);
    borrowed.target_names = std::move(target_names);
  }
  using Kept = std::pair<ArrayRows, std::optional<ArrayRows>>;
  borrowed.owner = std::make_shared<const Kept>(train, test);
  const py::gil_scoped_release released;
  HeldData data;
  data.id = hash_of(train, test, borrowed);
  data.dataset = std::make_shared<const BorrowedRows>(std::move(borrowed));
  return data;
}

}  // namespace

void add_data(py::module_& module) {
  py::class_<HeldData>(
      module, "Data",
      "Rows with labels or targets, in place, that a pipeline's source gives: training rows "
      "and, perhaps, test rows.")
      .def(py::init(&make_data), py::arg("train"), py::arg("labels") = py::none(),
           py::arg("test") = py::none(), py::arg("test_labels") = py::none(),
           py::arg("classes") = std::vector<std::string>(),
           py::arg("columns") = std::vector<std::string>(), py::arg("weights") = py::none(),
           py::arg("groups") = py::none(), py::arg("targets") = py::none(),
           py::arg("test_targets") = py::none(),
           py::arg("target_names") = std::vector<std::string>())
      .def_readonly("id", &HeldData::id, "The hash of the content.");
}

}  // namespace semblance::python
