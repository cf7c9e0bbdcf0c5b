// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/layout.hpp"
#include "semblance/state.hpp"

namespace semblance::common::testing {

/// The layout of vectors, dense or sparse.
inline Layout layout_of(const FloatMatrix& values) {
  return values.is_sparse ? Layout::sparse(values.cols) : Layout::vector(values.cols);
}

}  // namespace semblance::common::testing
