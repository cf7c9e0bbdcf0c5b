// SPDX-License-Identifier: MIT
#include "newton/newton_memory.hpp"

#include <algorithm>

#include "problem/sweep.hpp"
#include "semblance_numerics/newton.hpp"

namespace semblance::linear {

std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t threads) {
  const std::size_t partial_sums = sums_at_once(rows, threads);  // of a sweep
  return numerics::newton_bytes(rows, dimension, problems) +
         partial_sums * problems * padded(dimension) * sizeof(double);
}

std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems) {
  constexpr std::size_t usual_threads = 16;
  const std::size_t most = hessian_allowance(rows, dimension);
  std::size_t batch = problems;
  while (batch > 1 && newton_bytes(rows, dimension, batch, usual_threads) > most)
    batch = (batch + 1) / 2;
  return batch;
}

std::size_t hessian_allowance(std::size_t rows, std::size_t dimension) noexcept {
  constexpr std::size_t least = std::size_t{256} << 20;
  return std::max(least, rows * dimension * sizeof(float));
}

}  // namespace semblance::linear
