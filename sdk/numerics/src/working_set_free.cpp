// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "free_variables.hpp"
#include "semblance_numerics/row_sums.hpp"
#include "working_set.hpp"

namespace semblance::numerics {
namespace {

// Each costs two solutions with the factor; beyond this number a new factor of fewer variables is
// cheaper.
constexpr std::size_t most_stops = 24;

}  // namespace

void WorkingSet::solve_free() {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < capacity_; ++i)
    if (at(values, i) > at(lowers, i) && at(values, i) < at(uppers, i)) free.push_back(i);
  const std::size_t count = free.size();
  if (count < 2) return;
  std::vector<double> matrix(count * count), slopes(count), below(count), above(count);
  for (std::size_t r = 0; r < count; ++r) {
    const float* row = kernel(free[r]);
    for (std::size_t c = 0; c <= r; ++c) matrix[r * count + c] = double{row[free[c]]};
    slopes[r] = at(gradients, free[r]);
    below[r] = at(values, free[r]) - at(lowers, free[r]);
    above[r] = at(uppers, free[r]) - at(values, free[r]);
  }
  FreeVariables system(std::move(matrix), count);
  if (!system.usable()) return;
  const FreeVariables::Move move = system.minimise(slopes, below, above, most_stops);
  std::vector<const float*> rows;
  for (std::size_t r = 0; r < count; ++r) {
    rows.push_back(kernel(free[r]));
    at(values, free[r]) += move.changes[r];
  }
  for (const auto& [r, at_upper] : move.stops)
    at(values, free[r]) = at(at_upper ? uppers : lowers, free[r]);
  add_rows(rows.data(), move.changes.data(), count, array(gradients), stride_);
  for (const std::size_t i : free) limit(i);
}

}  // namespace semblance::numerics
