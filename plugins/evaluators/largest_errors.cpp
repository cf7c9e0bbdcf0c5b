// SPDX-License-Identifier: MIT
#include "largest_errors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace semblance::evaluators {

std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows) {
  std::vector<LargestError> all(rows);
  for (const JudgedTarget& target : targets) {
    const double rmse = target.figures[0];
    if (rmse == 0) continue;
    for (std::size_t k = 0; k < target.rows.size(); ++k) {
      const double error = target.numbers.errors()[k], size = std::abs(error) / rmse;
      if (size > all[target.rows[k]].size)
        all[target.rows[k]] = {target.rows[k], target.index, error, size};
    }
  }
  std::erase_if(all, [](const LargestError& each) { return each.size == 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &LargestError::size);
  return all;
}

}  // namespace semblance::evaluators
