// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/cache_control.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::ml3 {

struct Problem;

/// The rows of a problem without their background, the most frequent value of each column, which
/// may not be 0: rows x = p + v with the same v and few nonzero values of p. They are listed once,
/// since a descent uses each many times. This applies to sparse rows, and to such rows centred and
/// scaled by columns. Where the rows are taken about a centre, v is, and p remains as it is.
///
/// Models V are then stored as A + b v^T, with t = V v beside them, without the constant's column:
///
///     V x        =  A p + b (v . p) + t
///     V += f x^T :  A += f p^T,  b += f,  t += f (v . x)
///
/// So b and t are two more columns of A. In products they are multiplied by v . p and 1; in updates
/// they change by f and f (v . x).
class ListedRows {
 public:
  static constexpr std::size_t more_columns = 2;

  /// Null if the rows are dense or short. Throws MemoryError if they take more than `bytes`.
  static std::shared_ptr<const ListedRows> make(const Problem& problem, double bytes,
                                                Context& context);

  /// v.
  std::span<const float> background() const noexcept { return background_; }
  /// v . x of a row.
  float along(std::size_t i) const noexcept { return along_[i]; }
  /// p of a row, with its constant, v . p and 1, for products with stored models.
  numerics::SparseRow row(std::size_t i) const noexcept {
    return blocks_[i / block_rows].row(i % block_rows);
  }
  /// Prefetches a row, and before that the place where it is.
  void expect(std::size_t i) const noexcept;
  void expect_place(std::size_t i) const noexcept {
    blocks_[i / block_rows].expect(i % block_rows);
  }

 private:
  void list(const Problem& problem, std::span<const float> most,
            std::span<const std::size_t> values, Context& context);

  std::vector<float> background_;
  std::vector<float> along_;
  std::vector<numerics::SparseBlock> blocks_;  // each has block_rows rows
};

/// Prefetches values that are far away, because the order is random.
template <typename T>
void prefetch(std::span<const T> values) noexcept {
  constexpr std::size_t cache_line = 64 / sizeof(T);
  for (std::size_t j = 0; j < values.size(); j += cache_line) hwy::Prefetch(&values[j]);
}

}  // namespace semblance::ml3
