// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// A float32 matrix and its products with a few vectors, by blocks of rows. The bits do not depend
/// on the threads.
class BlockedMatrix {
 public:
  enum class Shape { full, lower_triangular };
  BlockedMatrix() = default;
  BlockedMatrix(Vectors<float> values, Shape shape) : values_(std::move(values)), shape_(shape) {}

  std::size_t rows() const noexcept { return values_.count(); }
  std::size_t cols() const noexcept { return values_.cols(); }

  /// z[i * n + a] = row i . v_a for all n vectors. Unusable after a stop request, like the next
  /// function's result; the caller also notices the request.
  std::vector<float> times(const Vectors<float>& v, Context& context) const;

  /// out[j * n + a] = sum_i z[i * n + a] x_ij, in float32 within a block of rows and in double
  /// across blocks.
  std::vector<double> transposed_times(std::span<const float> z, std::size_t n,
                                       Context& context) const;

  /// Some rows of a block that fit into the cache.
  struct Group {
    std::vector<const float*> rows;
    std::size_t first;  ///< row
  };

  /// Calls f with the groups of a block of rows, in order, and with its columns.
  template <class F>
  void for_groups(std::size_t block, std::size_t n, const F& f) const {
    const std::size_t end = std::min((block + 1) * block_rows, rows());
    const std::size_t columns = shape_ == Shape::full ? cols() : end;
    const std::size_t step = common::rows_in_cache(columns, n);
    Group group;
    for (group.first = block * block_rows; group.first < end; group.first += step) {
      group.rows.clear();
      for (std::size_t i = group.first; i < std::min(end, group.first + step); ++i)
        group.rows.push_back(values_.row(i));
      f(group, columns);
    }
  }

 private:
  void slice(std::size_t columns, std::span<const float> z, std::size_t n, double* to) const;

  Vectors<float> values_;
  Shape shape_ = Shape::full;
};

}  // namespace semblance::linear
