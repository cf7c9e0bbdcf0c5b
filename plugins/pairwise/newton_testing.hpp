// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "pairwise_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/ranks_testing.hpp"

/// Helpers for tests of trainings on ranks and with interruptions.
namespace semblance::pairwise::testing {

using MakeKernel = std::function<std::unique_ptr<PairKernel>()>;

struct Problem {
  MakeKernel kernel;
  Parameters parameters;
};

inline MakeKernel linear(const std::string& id, const Parameters& parameters = {}) {
  return [=] { return pair_kernel(id, parameters); };
}

inline MakeKernel gaussian(const std::string& id, double gamma) {
  return [=] { return pair_kernel_on(id, "similarity/rbf", {{"gamma", gamma}}); };
}

/// Everything that is learned and said of it, but the time.
inline std::string outcome(const PairSolver& newton, const MemoryReport& report) {
  return common::testing::saved_bits(newton) + semblance::testing::bits_of(report);
}

inline std::string train_on(const Rows& rows, const PairSet& pairs, const Problem& problem,
                            Context& context, MemoryReport* said = nullptr) {
  const auto newton = solver("solver/pairwise_newton", problem.kernel(), problem.parameters);
  const Layout layout = Layout::vector(rows.cols());
  newton->bind(layout);
  MemoryReport report;
  newton->train({rows, layout, pairs}, report, context);
  if (said) *said = report;
  return outcome(*newton, report);
}

}  // namespace semblance::pairwise::testing
