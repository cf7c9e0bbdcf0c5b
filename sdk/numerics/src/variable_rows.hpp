// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "own_variables.hpp"

namespace semblance::numerics {

/// The kernel rows of a dual problem's variables, in one piece per range of columns, which are
/// those of the own variables in the order of their places.
class VariableRows {
 public:
  struct Row {
    RowCache::Row pieces[2];
  };

  VariableRows(const DualProblem& problem, const OwnVariables& own);

  /// rows[k] = the row of variables[k]. Collective if variables are spread.
  void fetch(std::span<const std::uint32_t> variables, std::span<Row> rows, Context& context) const;
  /// A copy of the row in `out`, which holds one value per own variable and must outlive the row.
  Row copy(const Row& row, float* out) const;
  /// out[to[k]] = row[places[k]]
  void pick(const Row& row, std::span<const std::size_t> places, std::span<const std::size_t> to,
            float* out) const;
  /// sums[j] += sum_r factors[r] rows[r][j] for all places j.
  void add(std::span<const Row* const> rows, std::span<const double> factors,
           std::span<double> sums, Context& context) const;
  /// The same for some places only, in ascending order.
  void add(std::span<const Row* const> rows, std::span<const double> factors,
           std::span<const std::uint32_t> places, std::span<double> sums) const;

 private:
  const DualProblem& p_;
  std::size_t split_;      // the first variable of the second part
  std::size_t own_split_;  // its first own one, by place
  std::size_t counts_[2];  // of own variables, by part
};

}  // namespace semblance::numerics
