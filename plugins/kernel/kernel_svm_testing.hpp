// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layout_testing.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

/// Helpers for tests of the kernel machine.
namespace semblance::kernel::testing {

using namespace common::testing;
using namespace semblance::testing;

/// Asks to stop after a number of questions.
class StopsLater final : public TestContext {
 public:
  explicit StopsLater(int after) : left_(after) {}
  StopReason stop_requested() const noexcept override {
    return left_-- > 0 ? StopReason::none : StopReason::cancelled;
  }

 private:
  mutable std::atomic<int> left_;
};

/// Makes the similarity of a machine: a plugin's, by its id, or the test's own.
struct KernelMaker {
  KernelMaker(const char* id)
      : make([id](const Parameters& values) { return make_component<Component>(id, values); }) {}
  explicit KernelMaker(std::function<std::unique_ptr<Component>(const Parameters&)> function)
      : make(std::move(function)) {}

  std::function<std::unique_ptr<Component>(const Parameters&)> make;
};

template <class T>
KernelMaker own_kernel() {
  return KernelMaker([](const Parameters& values) {
    auto kernel = std::make_unique<T>();
    assign(*kernel, T::declare().entry(), values);
    return kernel;
  });
}

/// A kernel machine as the runtime makes it.
inline std::unique_ptr<Solver> kernel_svm(const KernelMaker& kernel, const Parameters& parameters,
                                          const Parameters& of_kernel) {
  return make_component<Solver>("solver/kernel_svm", parameters,
                                {{"kernel", [&] { return kernel.make(of_kernel); }}});
}

struct LabelledRows {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::vector<double> weights;
};

/// Normally distributed classes, each moved by `distance` along a column of its own.
inline LabelledRows overlapping_clouds(std::size_t rows, std::size_t cols, std::size_t classes,
                                       float distance, std::uint64_t seed) {
  Random random(seed);
  LabelledRows samples{FloatMatrix(rows, cols), {}, {}, {}};
  for (float& x : samples.values.values) x = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < rows; ++i) {
    samples.labels.push_back(static_cast<std::int32_t>(i % classes));
    samples.values.values[i * cols + i % classes] += distance;
  }
  for (std::size_t c = 0; c < classes; ++c) samples.classes.push_back("c" + std::to_string(c));
  return samples;
}

/// Trains on data with `values`, `labels` and `classes`.
template <class Data>
MemoryReport train(Solver& svm, const Data& data, Context& context) {
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  MemoryReport report;
  svm.bind(layout);
  TrainingSet set{rows, layout, data.labels, data.classes};
  if constexpr (requires { data.weights; }) set.weights = data.weights;
  if constexpr (requires { data.groups; }) set.groups = data.groups;
  svm.train(set, report, context);
  return report;
}

inline FloatMatrix scores(const Solver& svm, const FloatMatrix& samples, std::size_t classes) {
  TestContext context;
  FloatMatrix out(samples.rows, classes);
  svm.apply(samples.view(), out.view(), context);
  return out;
}

}  // namespace semblance::kernel::testing
