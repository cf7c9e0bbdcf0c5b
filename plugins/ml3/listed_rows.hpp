// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "problem.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::ml3 {

/// Lists a row of the problem without its background, with its constant, as products with stored
/// models need it. `number` is its own among all.
void list_row(const Problem& problem, const float* row, std::size_t number,
              numerics::SparseBlock& block);

/// All rows of a problem that has a background, listed once: a descent meets each many times.
class ListedRows {
 public:
  /// None where there is no background, where they take more than `bytes`, or where other ranks
  /// have some of the rows.
  static std::optional<ListedRows> make(const Problem& problem, double bytes,
                                        const Surroundings& surroundings);

  /// By its number among all.
  numerics::SparseRow row(std::size_t i) const noexcept;
  /// It will be looked at soon.
  void expect(std::size_t i) const noexcept;

 private:
  ListedRows(const Problem& problem, const Surroundings& surroundings);

  std::vector<numerics::SparseBlock> blocks_;  // of block_rows rows each
};

}  // namespace semblance::ml3
