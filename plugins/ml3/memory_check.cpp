// SPDX-License-Identifier: MIT
#include "memory_check.hpp"

#include <cmath>
#include <string>

#include "semblance/error.hpp"

namespace semblance::ml3 {

void check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_a_sample,
                  Context& context) {
  const double model = 4.0 * double(problem.model_rows()) * double(padded(problem.inputs()));
  const double weights = 4.0 * double(problem.rows.own.rows) * double(weights_a_sample);
  const double batch = 4.0 * double(batch_size) * double(2 * problem.model_rows());
  // W and its average, and the same in panels.
  const double needed = 4 * model + weights + batch, budget = double(context.memory_budget());
  if (needed <= budget) return;
  const auto mib = [](double bytes) {
    return std::to_string(static_cast<std::size_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
  };
  throw Error("training needs " + mib(needed) + " (4 x " + mib(model) + " for " +
              std::to_string(problem.model_rows()) + " models, " + mib(weights) +
              " for the samples' weights, " + mib(batch) + " for a batch), but may use only " +
              std::to_string(context.memory_budget() >> 20) +
              " MiB; use fewer models, a smaller batch or more --memory");
}

}  // namespace semblance::ml3
