// SPDX-License-Identifier: MIT
#include "held_data.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rows.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "semblance/parameters.hpp"
#include "support/hash.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// Appends labels to `all`, each checked: from `least` up to the last class. Without labels, all
/// are unknown.
void take_labels(const py::object& given, const std::string& name, const ArrayRows& rows,
                 std::size_t classes, std::int32_t least, std::vector<std::int32_t>& all) {
  const std::size_t count = rows.view().rows;
  if (given.is_none()) {
    all.insert(all.end(), count, -1);
    return;
  }
  if (!PyObject_CheckBuffer(given.ptr()))
    throw py::type_error(name + " must be an array of int32, got " +
                         std::string(Py_TYPE(given.ptr())->tp_name));
  const Lent lent(given);
  const Py_buffer& buffer = lent.buffer();
  if (lent.format() != "i" || buffer.itemsize != sizeof(std::int32_t) || buffer.ndim != 1)
    throw py::type_error(name + " must be a one-dimensional array of int32");
  if (static_cast<std::size_t>(buffer.shape[0]) != count)
    throw py::value_error(name + " must have one entry per row: there are " +
                          std::to_string(count) + " rows and " + std::to_string(buffer.shape[0]) +
                          " labels");
  const auto* labels = static_cast<const std::int32_t*>(buffer.buf);
  for (std::size_t i = 0; i < count; ++i)
    if (labels[i] < least || labels[i] >= static_cast<std::int32_t>(classes))
      throw py::value_error(name + " must be from " + std::to_string(least) + " to " +
                            std::to_string(static_cast<std::int64_t>(classes) - 1) +
                            ", places in the list of classes; entry " + std::to_string(i) + " is " +
                            std::to_string(labels[i]));
  all.insert(all.end(), labels, labels + count);
}

/// One a row, where there are any; those of test rows, which nothing is learned from, are 1.
void take_weights(const py::object& given, std::size_t train, std::size_t test,
                  std::vector<double>& all) {
  if (given.is_none()) return;
  if (!PyObject_CheckBuffer(given.ptr()))
    throw py::type_error("weights must be an array of float64, got " +
                         std::string(Py_TYPE(given.ptr())->tp_name));
  const Lent lent(given);
  const Py_buffer& buffer = lent.buffer();
  if (lent.format() != "d" || buffer.itemsize != sizeof(double) || buffer.ndim != 1)
    throw py::type_error("weights must be a one-dimensional array of float64");
  if (static_cast<std::size_t>(buffer.shape[0]) != train)
    throw py::value_error("weights must have one entry per row: there are " +
                          std::to_string(train) + " rows and " + std::to_string(buffer.shape[0]) +
                          " weights");
  const auto* weights = static_cast<const double*>(buffer.buf);
  for (std::size_t i = 0; i < train; ++i)
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw py::value_error("weights must be finite, and 0 or more; entry " + std::to_string(i) +
                            " is " + to_text(Value(weights[i])));
  all.assign(weights, weights + train);
  all.resize(train + test, 1);
}

/// One a row, where there are any; those of test rows are not known.
void take_groups(const py::object& given, std::size_t train, std::size_t test,
                 std::vector<std::int32_t>& all) {
  if (given.is_none()) return;
  if (!PyObject_CheckBuffer(given.ptr()))
    throw py::type_error("groups must be an array of int32, got " +
                         std::string(Py_TYPE(given.ptr())->tp_name));
  const Lent lent(given);
  const Py_buffer& buffer = lent.buffer();
  if (lent.format() != "i" || buffer.itemsize != sizeof(std::int32_t) || buffer.ndim != 1)
    throw py::type_error("groups must be a one-dimensional array of int32");
  if (static_cast<std::size_t>(buffer.shape[0]) != train)
    throw py::value_error("groups must have one entry per row: there are " + std::to_string(train) +
                          " rows and " + std::to_string(buffer.shape[0]) + " groups");
  const auto* groups = static_cast<const std::int32_t*>(buffer.buf);
  for (std::size_t i = 0; i < train; ++i)
    if (groups[i] < 0)
      throw py::value_error("groups must be 0 or more; entry " + std::to_string(i) + " is " +
                            std::to_string(groups[i]));
  all.assign(groups, groups + train);
  all.resize(train + test, -1);
}

/// Appends numbers to predict, `count` per row; without any, all are unknown.
void take_targets(const py::object& given, const std::string& name, const ArrayRows& rows,
                  std::size_t count, bool complete, std::vector<double>& all) {
  const std::size_t row_count = rows.view().rows;
  if (given.is_none()) {
    all.insert(all.end(), row_count * count, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (!PyObject_CheckBuffer(given.ptr()))
    throw py::type_error(name + " must be an array of float64, got " +
                         std::string(Py_TYPE(given.ptr())->tp_name));
  const Lent lent(given);
  const Py_buffer& buffer = lent.buffer();
  if (lent.format() != "d" || buffer.itemsize != sizeof(double) || buffer.ndim != 2 ||
      !PyBuffer_IsContiguous(&buffer, 'C'))
    throw py::type_error(name + " must be a two-dimensional array of float64 in C order");
  if (static_cast<std::size_t>(buffer.shape[0]) != row_count ||
      static_cast<std::size_t>(buffer.shape[1]) != count)
    throw py::value_error(name + " must have the shape (" + std::to_string(row_count) + ", " +
                          std::to_string(count) + "), got (" + std::to_string(buffer.shape[0]) +
                          ", " + std::to_string(buffer.shape[1]) + ")");
  const auto* targets = static_cast<const double*>(buffer.buf);
  for (std::size_t i = 0; i < row_count * count; ++i)
    if (std::isinf(targets[i]) || (complete && std::isnan(targets[i])))
      throw py::value_error(name + " must be finite; entry " + std::to_string(i / count) + " is " +
                            to_text(Value(targets[i])));
  all.insert(all.end(), targets, targets + row_count * count);
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

void add(PiecewiseHash& hash, const std::string& text) {
  const std::uint64_t size = text.size();
  hash.add(bytes_of(&size, 1));
  hash.add(text);
}

void add(PiecewiseHash& hash, const std::vector<std::string>& texts) {
  const std::uint64_t size = texts.size();
  hash.add(bytes_of(&size, 1));
  for (const std::string& text : texts) add(hash, text);
}

void add(PiecewiseHash& hash, const ArrayRows& rows) {
  const MatrixView view = rows.view();
  const std::uint64_t size = view.rows;
  hash.add(bytes_of(&size, 1));
  if (view.ragged()) hash.add(bytes_of(view.offsets, view.rows + 1));
  if (view.sparse()) hash.add(bytes_of(view.columns, view.values()));
  hash.add(bytes_of(view.data, view.values()));
}

void add(PiecewiseHash& hash, const Layout& layout) {
  add(hash, std::string(name(layout.kind)) + " " + std::to_string(layout.height) + " " +
                std::to_string(layout.width) + " " + std::to_string(layout.depth));
  add(hash, layout.alphabet);
  if (layout.kind == LayoutKind::graph) {
    add(hash, describe(layout));
    add(hash, layout.shape.node_labels);
    add(hash, layout.shape.edge_labels);
  }
  for (const Layout& part : layout.parts) add(hash, part);
}

std::string hash_of(const ArrayRows& train, const std::optional<ArrayRows>& test,
                    const BorrowedData& data) {
  PiecewiseHash hash;
  add(hash, train.layout());
  add(hash, data.classes);
  add(hash, data.columns);
  hash.add(bytes_of(data.labels.data(), data.labels.size()));
  add(hash, train);
  if (test) add(hash, *test);
  if (!data.weights.empty()) {
    add(hash, std::string("weights"));
    hash.add(bytes_of(data.weights.data(), data.weights.size()));
  }
  if (!data.target_names.empty()) {
    add(hash, std::string("targets"));
    add(hash, data.target_names);
    hash.add(bytes_of(data.targets.data(), data.targets.size()));
  }
  if (!data.groups.empty()) {
    add(hash, std::string("groups"));
    hash.add(bytes_of(data.groups.data(), data.groups.size()));
  }
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
  if (!test_labels.is_none() && labels.is_none())
    throw py::value_error("there are labels of test rows, and none of training rows");
  if (!targets.is_none() && (!labels.is_none() || target_names.empty()))
    throw py::value_error("targets are numbers with names, in place of labels");
  check_columns(columns, train.layout());
  BorrowedData borrowed{train.layout(), train.view()};
  borrowed.classes = std::move(classes);
  borrowed.columns = std::move(columns);
  take_weights(weights, train.view().rows, test ? test->view().rows : 0, borrowed.weights);
  take_groups(groups, train.view().rows, test ? test->view().rows : 0, borrowed.groups);
  if (test) borrowed.test = test->view();
  if (!labels.is_none()) {
    take_labels(labels, "y", train, borrowed.classes.size(), 0, borrowed.labels);
    if (test)
      take_labels(test_labels, "y_test", *test, borrowed.classes.size(), -1, borrowed.labels);
  }
  if (!targets.is_none()) {
    const std::size_t numbers = target_names.size();
    take_targets(targets, "y", train, numbers, true, borrowed.targets);
    if (test) take_targets(test_targets, "y_test", *test, numbers, false, borrowed.targets);
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
      .def_readonly("id", &HeldData::id, "The hash of the content.")
      .def_property_readonly("classes",
                             [](const HeldData& data) { return data.dataset->outline().classes; })
      .def_property_readonly("has_test_rows", [](const HeldData& data) {
        return data.dataset->outline().test_rows > 0;
      });
}

}  // namespace semblance::python
