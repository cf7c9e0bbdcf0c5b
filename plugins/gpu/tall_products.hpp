// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::gpu {

/// The argument of the kernels in tall_matrix.cu. T, of the vectors and factors, is float or
/// double.
struct TallProducts {
  const float* x = nullptr;  ///< rows x cols; x_stride is a multiple of 4
  const void* in = nullptr;  ///< T: vectors, one per row; or factors, `all` for each row of x
  void* out = nullptr;       ///< T: products, `all` for each row of x; or sums
  unsigned long long x_stride = 0;
  unsigned long long stride = 0;  ///< of the vectors, or of the sums
  unsigned rows = 0, cols = 0;
  unsigned first = 0;  ///< the vectors [first, first + count) of `all`
  unsigned count = 0;
  unsigned all = 0;
};

/// The argument of `tall_totals`: out[i] = the sum over the parts of parts[part * values + i].
struct TallTotals {
  const void* parts = nullptr;  ///< T
  double* out = nullptr;
  unsigned long long values = 0;
  unsigned count = 0;  ///< parts
};

constexpr unsigned tall_threads = 128;
constexpr unsigned tall_rows = 16;           ///< rows for which a block computes products
constexpr unsigned tall_part = 256;          ///< rows that a block sums
constexpr unsigned tall_cols = 512;          ///< columns that a block sums
constexpr unsigned tall_vectors_float = 16;  ///< vectors of a launch
constexpr unsigned tall_vectors_double = 8;

}  // namespace semblance::gpu
