// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "solver_testing.hpp"

/// Parameters and data so extreme that rounding dominates: a result that is wrong must not be
/// called converged.
namespace semblance::common::testing {

/// Clouds that overlap, with a constant column and every row given twice.
inline Data hard_data(double scale, std::size_t classes) {
  Data once = clouds(60, 4, classes);
  Data data{FloatMatrix(120, 5), {}, once.classes};
  for (std::size_t i = 0; i < 120; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      data.values.values[i * 5 + j] =
          static_cast<float>(scale * double{once.values.values[i / 2 * 4 + j]});
    data.values.values[i * 5 + 4] = static_cast<float>(3 * scale);
    data.labels.push_back(once.labels[i / 2]);
  }
  return data;
}

inline void check_claim(const MemoryReport& report, double tolerance) {
  const double objective = report.numbers.at("objective"), gap = report.numbers.at("duality_gap");
  CAPTURE(objective);
  CAPTURE(gap);
  if (report.texts.at("certificate") != "converged") return;
  CHECK(std::isfinite(objective));
  CHECK(std::abs(gap) <= tolerance);
}

/// Trains and checks the reported claims; an Error must say what to do.
template <class Train>
void check_extremes(const Train& train_one) {
  for (const double cost : {1e-300, 1e-30, 1e10, 1e30, 1e300})
    for (const double scale : {1e-30, 1.0, 1e15, 1e30})
      for (const std::size_t classes : {2, 3}) {
        CAPTURE(cost);
        CAPTURE(scale);
        CAPTURE(classes);
        try {
          train_one(cost, hard_data(scale, classes));
        } catch (const Error& error) {
          const std::string message = error.what();
          CAPTURE(message);
          const bool says_what_to_do = message.find("lower C") != std::string::npos ||
                                       message.find("scale") != std::string::npos ||
                                       message.find("smaller") != std::string::npos;
          CHECK(says_what_to_do);
        }
      }
}

}  // namespace semblance::common::testing
