// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::ml3 {

struct Problem;
struct Surroundings;
struct TrainingRows;

/// The most frequent value of each column, if omitting it saves time: rows x = p + v with the same
/// v and few nonzero values of p. This applies to sparse rows, and to such rows centred and scaled
/// by columns. Where the rows are taken about a centre, v is, and p remains as it is.
///
/// Models V are then stored as A + b v^T, with t = V v beside them, without the constant's column:
///
///     V x        =  A p + b (v . p) + t
///     V += f x^T :  A += f p^T,  b += f,  t += f (v . x)
///
/// So b and t are two more columns of A. In products they are multiplied by v . p and 1; in updates
/// they change by f and f (v . x).
struct Background {
  std::vector<float> values;   ///< of the rows as they were given; empty: there is none
  std::vector<float> centred;  ///< v: these minus the centre
  std::vector<float> outside;  ///< v . p of all rows
  std::vector<float> along;    ///< v . x of all rows
  std::size_t others = 0;      ///< values of all rows that differ from it

  bool empty() const noexcept { return values.empty(); }
};
inline constexpr std::size_t background_columns = 2;

/// Finds the background of the rows, whose own background is not read; none if rows are dense.
Background find_background(const TrainingRows& rows, Context& context);

/// Lists a row of the problem without its background, with its constant, for products with stored
/// models. `number` is its index.
void list_row(const Problem& problem, const float* row, std::size_t number,
              numerics::SparseBlock& block);

/// All rows of a problem with a background, listed once: a descent uses each many times.
class ListedRows {
 public:
  /// Null if there is no background, or if they take more than `bytes`.
  static std::optional<ListedRows> make(const Problem& problem, double bytes,
                                        const Surroundings& surroundings);

  numerics::SparseRow row(std::size_t i) const noexcept;
  /// Prefetches a row, and before that the place where it is.
  void expect(std::size_t i) const noexcept;
  void expect_place(std::size_t i) const noexcept {
    blocks_[i / block_rows].expect(i % block_rows);
  }

 private:
  ListedRows(const Problem& problem, const Surroundings& surroundings);

  std::vector<numerics::SparseBlock> blocks_;  // each has block_rows rows
};

}  // namespace semblance::ml3
