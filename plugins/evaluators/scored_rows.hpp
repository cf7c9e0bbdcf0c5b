// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/source.hpp"

namespace semblance::evaluators {

/// The number of the source's row that has the first score: of new data all are scored where the
/// source names no test samples.
inline std::size_t first_scored_row(const Dataset& data) {
  const Outline& outline = data.outline();
  return outline.test_rows > 0 ? outline.train_rows : 0;
}

}  // namespace semblance::evaluators
