// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernel_svm.hpp"
#include "semblance/testing.hpp"

/// What the tests of the kernel machine share.
namespace semblance::solvers::testing {

using namespace semblance::testing;
using Parameters = std::vector<std::pair<std::string, Value>>;

inline void assign(const ComponentEntry& entry, Component& component,
                   const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    const auto found = std::find_if(entry.info.parameters.begin(), entry.info.parameters.end(),
                                    [&](const ParameterInfo& p) { return p.name == name; });
    if (found == entry.info.parameters.end()) throw Error("no parameter '" + name + "'");
    entry.setters[static_cast<std::size_t>(found - entry.info.parameters.begin())].value(component,
                                                                                         value);
  }
}

/// A kernel machine with a kernel of type Kernel, as the runtime makes them.
template <class Kernel>
std::unique_ptr<KernelSvm> kernel_svm(const Parameters& parameters, const Parameters& of_kernel) {
  const ComponentEntry entry = KernelSvm::declare().entry();
  auto svm = std::make_unique<KernelSvm>();
  const ComponentEntry kernel_entry = Kernel::declare().entry();
  std::unique_ptr<Component> kernel = kernel_entry.create();
  assign(kernel_entry, *kernel, of_kernel);
  kernel->check_parameters();
  for (std::size_t i = 0; i < entry.setters.size(); ++i)
    if (entry.info.parameters[i].name == "kernel")
      entry.setters[i].component(*svm, std::move(kernel));
  assign(entry, *svm, parameters);
  svm->check_parameters();
  return svm;
}

/// Trains on data with `values`, `labels` and `classes`.
template <class Data>
MemoryReport train(KernelSvm& svm, const Data& data, Context& context) {
  const MemoryRows rows(data.values);
  const Layout layout = Layout::vector(data.values.cols);
  MemoryReport report;
  svm.bind(layout);
  svm.train({rows, layout, data.labels, data.classes}, report, context);
  return report;
}

inline FloatMatrix scores(const KernelSvm& svm, const FloatMatrix& samples, std::size_t classes) {
  TestContext context;
  FloatMatrix out(samples.rows, classes);
  svm.apply(samples.view(), out.view(), context);
  return out;
}

}  // namespace semblance::solvers::testing
