// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::gpu {

/// What is summed over the values of a pair of rows.
enum class PairSum { product, squared_difference };

/// What is made of a sum s.
enum class Finish : int {
  none,         ///< s
  exponential,  ///< exp(factor s)
  power         ///< (factor s + offset)^degree
};

/// The argument of the kernels in row_pairs.cu: out(i, j) = finish(sum over k of rows(i, k) and
/// bases(j, k)). Strides are in
/// values; those of rows and bases are multiples of row_pair_depth, with zeros after a row.
struct RowPairs {
  const float* bases = nullptr;
  const float* rows = nullptr;
  float* out = nullptr;
  unsigned long long bases_stride = 0, rows_stride = 0, out_stride = 0;
  unsigned count = 0;  ///< of the bases
  unsigned rows_count = 0;
  unsigned cols = 0;  ///< values of a row
  Finish finish = Finish::none;
  float factor = 1;
  float offset = 0;
  int degree = 1;
};

/// A block of `row_pair_threads` threads computes row_pair_tile x row_pair_tile pairs, and takes
/// `row_pair_depth` values of each row at a time.
constexpr unsigned row_pair_tile = 128, row_pair_threads = 256, row_pair_depth = 8;

}  // namespace semblance::gpu
