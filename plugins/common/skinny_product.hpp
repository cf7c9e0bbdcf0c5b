// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance_numerics/padded_vectors.hpp"

/// Products of a tall float32 matrix with a few (1 to some hundred) vectors. BLAS reaches a sixth
/// of its speed on this shape; these kernels hold a tile of sums in registers and are bound by the
/// multiply-adds, or by the memory for fewer than about four vectors. Vectors are stored one per
/// row, `stride` values apart, a multiple of `vector_padding` that is at least `cols`; the padding
/// after the `cols` values must be finite and has no effect. T is float or double: the precision of
/// the vectors and of all sums; X is widened as it is read.
namespace semblance::common {

using numerics::padded;
using numerics::vector_padding;

/// Some rows of the tall matrix, not necessarily consecutive.
struct TallBlock {
  const float* const* data;  ///< one pointer per row
  std::size_t rows;
  std::size_t cols;
};

/// Values of T that multiply() needs as scratch for `rows` rows and `count` vectors.
std::size_t multiply_scratch(std::size_t rows, std::size_t count) noexcept;

/// z[r * count + c] = x_r . v_c. The result for a row does not depend on the other rows.
template <class T>
void multiply(const TallBlock& x, const T* v, std::size_t stride, std::size_t count, T* scratch,
              T* z);

/// g_c += sum_r z[r * count + c] x_r, over the rows in order.
template <class T>
void multiply_transposed(const TallBlock& x, const T* z, std::size_t count, T* g,
                         std::size_t stride);

/// The number of rows to process at once, so that they stay in the second-level cache between
/// multiply() and multiply_transposed().
std::size_t rows_in_cache(std::size_t cols, std::size_t count) noexcept;

}  // namespace semblance::common
