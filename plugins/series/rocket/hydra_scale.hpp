// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::series {

/// Hydra's scaling of counts, most of which may be zero: square roots of what is positive,
/// (x - mean) / (deviation + z^4 + 1e-8), where z is the share of zeros in a column; a zero stays
/// zero. A column that is constant in training is not divided.
struct HydraScale {
  std::vector<double> means;
  std::vector<double> divisors;

  void operator()(std::span<float> counts) const;
};

/// Learns from the counts of `rows` samples, which counts(first, count) makes.
HydraScale learn_hydra_scale(
    std::size_t rows, std::size_t columns, Context& context,
    const std::function<FloatMatrix(std::size_t first, std::size_t count)>& counts);

}  // namespace semblance::series
