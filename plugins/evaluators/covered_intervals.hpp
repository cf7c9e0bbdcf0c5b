// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// The interval of one number of a test sample.
struct JudgedInterval {
  std::size_t row = 0;
  double estimate = 0;
  double width = 0;  ///< may be infinite
  bool covers = false;
};

/// Reports how often intervals contain the true numbers, and how wide they are. Returns the
/// intervals of each target of which a test sample has a number, at least one. Throws Error.
std::vector<std::vector<JudgedInterval>> report_covered_intervals(const Intervals& test,
                                                                  Report& report, Context& context);

}  // namespace semblance::evaluators
