// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::pairwise {

/// Converts sizes to BLAS's type.
inline int narrow(std::size_t n) noexcept { return static_cast<int>(n); }

}  // namespace semblance::pairwise
