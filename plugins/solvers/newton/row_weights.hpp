// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace semblance::solvers {

/// u of each row: the weight of its class.
struct RowWeights {
  std::span<const std::int32_t> labels = {};
  std::span<const double> of_class = {};  ///< empty: 1 each

  double operator()(std::size_t row) const noexcept {
    return of_class.empty() ? 1.0 : of_class[static_cast<std::size_t>(labels[row])];
  }
};

}  // namespace semblance::solvers
