// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "call_context.hpp"
#include "catalogue.hpp"
#include "interruptible.hpp"
#include "semblance/evaluator.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
using Matrix = py::array_t<float, py::array::c_style>;

/// The matrix in place. Python has made sure that it is square, symmetric where it must be, and
/// finite.
MatrixView view(const Matrix& matrix) {
  const auto n = static_cast<std::size_t>(matrix.shape(0));
  return {matrix.data(), n, n, n};
}

/// A rough time for the spectrum of a matrix.
double expected_seconds(MatrixView matrix) {
  constexpr double operations_per_second = 1e9;
  const auto n = static_cast<double>(matrix.rows);
  return 10 * n * n * n / operations_per_second;
}

/// Keeps the figures and curves that an evaluator reports.
class Figures final : public Report {
 public:
  void number(std::string_view name, double value) override { numbers[std::string(name)] = value; }
  void integer(std::string_view name, std::int64_t value) override {
    integers[std::string(name)] = value;
  }
  void text(std::string_view, std::string_view) override {}
  void curve(const Curve& curve) override { curves[curve.name] = curve.y; }
  void table(const Table&) override {}
  void plane_map(const PlaneMap&) override {}
  void sample_list(const SampleList&) override {}
  void draw(const Drawing&) override {}
  void explained_samples(const ExplainedSamples&) override {}

  std::map<std::string, double> numbers;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::vector<double>> curves;
};

/// Every row of the matrix is a training row, and a basis.
Figures evaluated(const SampleEvaluator& evaluator, MatrixView matrix, Context& context) {
  const MatrixRows rows(matrix);
  const Layout layout = Layout::vector(matrix.cols);
  const std::vector<std::int32_t> labels(matrix.rows);
  const std::vector<std::string> classes = {"0"};
  std::vector<std::int64_t> bases(matrix.rows);
  std::iota(bases.begin(), bases.end(), 0);
  Figures figures;
  evaluator.evaluate({rows, layout, labels, classes, bases, {}}, figures, context);
  return figures;
}

/// Without a threshold, the component's own.
py::dict spectrum_figures(const Matrix& matrix, std::optional<double> threshold) {
  const auto components = catalogue();
  ComponentConfig config{"evaluator/spectrum", {}, {}};
  if (threshold) config.values.emplace_back("threshold", *threshold);
  const auto component = components->create(config);
  Figures figures;
  const MatrixView values = view(matrix);
  run_call(expected_seconds(values), [&](const std::atomic<bool>& cancel) {
    CallContext context(config.id, 0, 1, &cancel);
    context.run([&] {
      figures = evaluated(dynamic_cast<const SampleEvaluator&>(*component), values, *context);
    });
  });
  py::dict said;
  for (const auto& [name, value] : figures.numbers) said[py::str(name)] = value;
  for (const auto& [name, value] : figures.integers) said[py::str(name)] = value;
  for (const auto& [name, values] : figures.curves)
    said[py::str(name)] =
        py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
  return said;
}

bool positive_semidefinite(const Matrix& matrix) {
  const MatrixView values = view(matrix);
  bool result = false;
  run_call(expected_seconds(values), [&](const std::atomic<bool>& cancel) {
    CallContext context("positive_semidefinite", 0, 1, &cancel);
    context.run([&] {
      result =
          numerics::positive_semidefinite(values, numerics::spectrum_tolerance(values), *context);
    });
  });
  return result;
}

/// Changes the matrix in place.
void repair(Matrix& matrix, const std::string& how, double negative_weight) {
  const MatrixView values = view(matrix);
  const MutableMatrixView out{matrix.mutable_data(), values.rows, values.cols, values.stride};
  run_call(expected_seconds(values), [&](const std::atomic<bool>& cancel) {
    CallContext context("repair", 0, 1, &cancel);
    context.run([&] {
      numerics::repair(numerics::spectrum_repair(how), numerics::spectrum(values), out,
                       negative_weight);
    });
  });
}

}  // namespace

void add_diagnostics(py::module_& module) {
  module.def("spectrum_figures", &spectrum_figures, py::arg("matrix").noconvert(),
             py::arg("threshold"));
  module.def("positive_semidefinite", &positive_semidefinite, py::arg("matrix").noconvert());
  module.def("repair", &repair, py::arg("matrix").noconvert(), py::arg("how"),
             py::arg("negative_weight"));
}

}  // namespace semblance::python
