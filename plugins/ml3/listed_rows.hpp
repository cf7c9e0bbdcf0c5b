// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "problem.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::ml3 {

/// Lists a row of the problem without its background, with its constant, for products with stored
/// models. `number` is its index among all rows.
void list_row(const Problem& problem, const float* row, std::size_t number,
              numerics::SparseBlock& block);

/// All rows of a problem with a background, listed once: a descent uses each many times.
class ListedRows {
 public:
  /// Null if there is no background, if they take more than `bytes`, or if other ranks have some of
  /// the rows.
  static std::optional<ListedRows> make(const Problem& problem, double bytes,
                                        const Surroundings& surroundings);

  /// The row with this index among all rows.
  numerics::SparseRow row(std::size_t i) const noexcept;
  /// Prefetches a row.
  void expect(std::size_t i) const noexcept;

 private:
  ListedRows(const Problem& problem, const Surroundings& surroundings);

  std::vector<numerics::SparseBlock> blocks_;  // of block_rows rows each
};

}  // namespace semblance::ml3
