// SPDX-License-Identifier: MIT
#include "newton/blocked_matrix.hpp"

namespace semblance::linear {

std::vector<float> BlockedMatrix::times(const Vectors<float>& v, Context& context) const {
  const std::size_t n = v.count();
  std::vector<float> z(rows() * n);
  context.parallel_for(block_count(rows()), [&](std::size_t block) {
    if (context.stop_requested() != StopReason::none) return;
    float* to = &z[block * block_rows * n];
    std::vector<float> partial;
    for_groups(block, n, [&](const Group& group, std::size_t columns) {
      partial.resize(common::multiply_scratch(group.rows.size(), n));
      common::multiply({group.rows.data(), group.rows.size(), columns}, v.row(0), v.stride(), n,
                       partial.data(), to);
      to += group.rows.size() * n;
    });
  });
  return z;
}

std::vector<double> BlockedMatrix::transposed_times(std::span<const float> z, std::size_t n,
                                                    Context& context) const {
  std::vector<double> out(cols() * n);
  context.parallel_for(block_count(cols()), [&](std::size_t columns) {
    if (context.stop_requested() == StopReason::none)
      slice(columns, z, n, &out[columns * block_rows * n]);
  });
  return out;
}

/// A block of columns of the product.
void BlockedMatrix::slice(std::size_t columns, std::span<const float> z, std::size_t n,
                          double* to) const {
  const std::size_t first = columns * block_rows;
  const std::size_t width = std::min(block_rows, cols() - first);
  Vectors<float> sum(n, width);
  const std::size_t begin = shape_ == Shape::full ? 0 : columns;
  for (std::size_t block = begin; block < block_count(rows()); ++block) {
    sum.fill(0);
    for_groups(block, n, [&](Group& group, std::size_t) {
      for (const float*& row : group.rows) row += first;
      common::multiply_transposed({group.rows.data(), group.rows.size(), width},
                                  &z[group.first * n], n, sum.row(0), sum.stride());
    });
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t j = 0; j < width; ++j) to[j * n + a] += double{sum.row(a)[j]};
  }
}

}  // namespace semblance::linear
