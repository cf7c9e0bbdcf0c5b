// SPDX-License-Identifier: MIT
#include "descent_cost.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mini_batch.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {

double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_per_sample,
                    Context& context) {
  const double model = 4.0 * double(problem.model_rows()) * double(padded(problem.inputs()));
  const double weights = 4.0 * double(problem.rows.rows) * double(weights_per_sample);
  // They are taken ahead in two pieces, in at most three forms; one batch has a fourth.
  const double ahead = 2.0 * double(batch_size) *
                       double(MiniBatch::taken_ahead(problem, batch_size, weights_per_sample));
  const double taken = ahead * double(3 * padded(problem.stored_inputs()) + weights_per_sample) +
                       double(batch_size) * double(padded(problem.stored_inputs()));
  const double batch = 4.0 * (double(batch_size) * double(2 * problem.model_rows()) + taken);
  // W; W and the sums of the average in panels; the average twice more while it is taken.
  constexpr int copies = 5;
  const double needed = copies * model + weights + batch, budget = double(context.memory_budget());
  if (needed <= budget) return budget - needed;
  const auto mib = [](double bytes) {
    return std::to_string(static_cast<std::size_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
  };
  throw MemoryError("training needs " + mib(needed) + " (" + std::to_string(copies) + " x " +
                    mib(model) + " for " + std::to_string(problem.model_rows()) + " models, " +
                    mib(weights) + " for the samples' weights, " + mib(batch) +
                    " for batches), but may use only " +
                    std::to_string(context.memory_budget() >> 20) +
                    " MiB; use fewer models, a smaller batch or more --memory");
}

}  // namespace semblance::ml3
