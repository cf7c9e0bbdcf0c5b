// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/state.hpp"

namespace semblance::bench {

struct Problem {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
};

/// Gaussian similarities of clustered points to `cols` of them, centred and divided by the mean
/// norm: like the empirical kernel map of BE-SVM.
Problem similarity_map(std::size_t rows, std::size_t cols, std::size_t classes);

/// MNIST's training images, pixels 0..255, from $SEMBLANCE_DATA.
Problem mnist();

/// The current peak of one thread on this machine: multiply-adds from registers (GFLOP/s), and
/// reading an array much larger than the caches (GB/s).
double multiply_add_peak();
double read_bandwidth();

}  // namespace semblance::bench
