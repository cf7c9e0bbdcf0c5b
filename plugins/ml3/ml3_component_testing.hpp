// SPDX-License-Identifier: MIT
#pragma once

#include "ml3_testing.hpp"
#include "semblance/predicted_class.hpp"
#include "solver_testing.hpp"

/// What the tests of the components share.
namespace semblance::ml3::testing {

using namespace semblance::solvers::testing;

inline double error_rate(const Solver& solver, const Data& data) {
  const FloatMatrix f = scores(solver, data);
  std::size_t errors = 0;
  for (std::size_t i = 0; i < f.rows; ++i)
    errors += predicted_class(f.view().row_span(i)) != data.labels[i];
  return double(errors) / double(f.rows);
}

inline Data xor_data(std::size_t rows, std::uint64_t seed) {
  Points points = xor_points(rows, seed);
  return {std::move(points.values), std::move(points.labels), {"even", "odd"}};
}

}  // namespace semblance::ml3::testing
