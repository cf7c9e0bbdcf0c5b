// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::ml3 {

/// out += sum factors[i] * rows[i], in the order of i, with fused multiply-adds. `size` is a
/// multiple of 16; all rows start on cache lines.
void add_rows(const float* const* rows, const float* factors, std::size_t count, std::size_t size,
              float* out);

}  // namespace semblance::ml3
