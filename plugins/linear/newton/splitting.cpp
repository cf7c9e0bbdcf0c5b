// SPDX-License-Identifier: MIT
#include "newton/splitting.hpp"

#include <string>
#include <vector>

#include "newton/preconditioner.hpp"

namespace semblance::linear {

bool Splitting::solve(SquaredLosses::Live live, std::size_t iterations, std::size_t memory,
                      Vectors<double>& w) const {
  const auto& data = problem_.data();
  Context& context = problem_.context();
  const std::size_t d = problem_.dimension(), needed = cholesky_bytes(d, context.threads());
  context.log(LogLevel::debug, "splitting, " + std::to_string(iterations) +
                                   " iterations; its factor takes " + std::to_string(needed >> 20) +
                                   " MiB of " + std::to_string(memory >> 20) + " MiB");
  if (needed > memory)
    throw MemoryError("a Cholesky factor for " + std::to_string(d) + " columns takes " +
                      std::to_string((needed >> 20) + 1) + " MiB, of the memory budget " +
                      std::to_string(memory >> 20) +
                      " MiB are left; raise --memory or set preconditioner: diagonal, which takes "
                      "less memory and more time");
  std::vector<float> weights(problem_.own().rows);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(problem_.row_weights()(problem_.own().first_row + i));
  const auto factor =
      cholesky_preconditioner({data.rows, weights, penalty_ / 2, data.bias}, context);
  if (!factor) return false;
  Vectors<double> pull(problem_.problems(), d);
  if (!problem_.split(nullptr, penalty_, live, pull)) return false;
  for (std::size_t i = 0;; ++i) {
    factor->apply(pull, live, w, context);
    if (i == iterations) return context.stop_requested() == StopReason::none;
    if (!problem_.split(&w, penalty_, live, pull)) return false;
  }
}

}  // namespace semblance::linear
