// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel_machine.hpp"
#include "layout_testing.hpp"
#include "machine_check.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/kept_bases.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"

/// Helpers for tests of the kernel machine.
namespace semblance::kernel::testing {

using namespace semblance::testing;

/// Makes a kernel machine with a kernel of type Kernel as the runtime does.
template <class Kernel>
std::unique_ptr<KernelSvm> kernel_svm(const Parameters& parameters, const Parameters& of_kernel) {
  auto kernel = std::make_unique<Kernel>();
  assign(*kernel, Kernel::declare().entry(), of_kernel);
  auto svm = std::make_unique<KernelSvm>();
  const ComponentEntry entry = declaration_of("solver/kernel_svm");
  setter(entry, "kernel").component(*svm, std::move(kernel));
  assign(*svm, entry, parameters);
  return svm;
}

/// Trains on data with `values`, `labels` and `classes`.
template <class Data>
MemoryReport train(KernelSvm& svm, const Data& data, Context& context) {
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  MemoryReport report;
  svm.bind(layout);
  TrainingSet set{rows, layout, data.labels, data.classes};
  if constexpr (requires { data.weights; }) set.weights = data.weights;
  svm.train(set, report, context);
  return report;
}

inline FloatMatrix scores(const KernelSvm& svm, const FloatMatrix& samples, std::size_t classes) {
  TestContext context;
  FloatMatrix out(samples.rows, classes);
  svm.apply(samples.view(), out.view(), context);
  return out;
}

}  // namespace semblance::kernel::testing
