// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel_svm_testing.hpp"
#include "libsvm_oracle_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/random.hpp"

/// Helpers for tests of the machines that learn functions: regressors and novelty detectors.
namespace semblance::kernel::testing {

/// Samples with one target number or none.
struct Sampled {
  FloatMatrix values;
  std::vector<double> targets = {};
  std::vector<double> weights = {};
  std::vector<std::string> names = {"y"};

  std::size_t rows() const { return values.rows; }
};

/// Targets that are a bumpy function of normally distributed samples, with noise and some outliers.
inline Sampled bumpy(std::size_t rows, std::size_t cols, std::uint64_t seed = 1) {
  Random random(seed);
  Sampled data{FloatMatrix(rows, cols)};
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < cols; ++j) {
      const double x = random.normal();
      data.values.view().row(i)[j] = static_cast<float>(x);
      sum += std::sin(1.5 * x + static_cast<double>(j)) + 0.3 * x;
    }
    const double noise = 0.2 * random.normal();
    data.targets.push_back(sum + (i % 17 == 3 ? 10 * noise : noise));
  }
  return data;
}

/// Each row repeated by its integer weight.
inline Sampled repeated(const Sampled& data) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (double w = data.weights[i]; w > 0; --w) rows.push_back(i);
  Sampled all{FloatMatrix(rows.size(), data.values.cols), {}, {}, data.names};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    copy_rows(data.values.view().rows_range(rows[i], 1), all.values.view().rows_range(i, 1));
    if (!data.targets.empty()) all.targets.push_back(data.targets[rows[i]]);
  }
  return all;
}

inline MemoryReport train(Learner& machine, const Sampled& data, Context& context) {
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(data.rows(), -1);
  TrainingSet set{rows, layout, labels, {}};
  set.weights = data.weights;
  if (!data.targets.empty()) {
    set.targets = data.targets;
    set.target_names = data.names;
  }
  MemoryReport report;
  machine.bind(layout);
  machine.train(set, report, context);
  return report;
}

inline std::vector<float> outputs(const Learner& machine, const FloatMatrix& samples,
                                  std::size_t count = 1) {
  TestContext context;
  FloatMatrix out(samples.rows, count);
  machine.apply(samples.view(), out.view(), context);
  return {out.values.begin(), out.values.end()};
}

template <class Interface>
std::unique_ptr<Interface> machine_of(std::string_view id, const KernelMaker& kernel,
                                      const Parameters& parameters, const Parameters& of_kernel) {
  return make_component<Interface>(id, parameters,
                                   {{"kernel", [&] { return kernel.make(of_kernel); }}});
}

/// Kernels by their definition, in double.
using PlainKernel = std::function<double(std::span<const float>, std::span<const float>)>;

inline double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += double{a[k]} * double{b[k]};
  return sum;
}

inline double gaussian_similarity(std::span<const float> a, std::span<const float> b,
                                  double gamma) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += (double{a[k]} - double{b[k]}) * (double{a[k]} - double{b[k]});
  return std::exp(-gamma * sum);
}

inline double kernel_value(const PlainKernel& kernel, const FloatMatrix& a, std::size_t i,
                           const FloatMatrix& b, std::size_t j) {
  return kernel(a.view().row_span(i), b.view().row_span(j));
}

/// The kernels that the tests compare, with their component.
struct NamedKernel {
  const char* id;
  Parameters parameters;
  PlainKernel plain;
};

inline std::vector<NamedKernel> named_kernels() {
  return {{"similarity/rbf",
           {{"gamma", 0.3}},
           [](auto a, auto b) { return gaussian_similarity(a, b, 0.3); }},
          {"similarity/linear", {}, [](auto a, auto b) { return dot(a, b); }},
          {"similarity/polynomial",
           {{"degree", std::int64_t{2}}, {"scale", 0.2}, {"offset", 1.0}},
           [](auto a, auto b) { return std::pow(0.2 * dot(a, b) + 1, 2); }}};
}

}  // namespace semblance::kernel::testing
