// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance_numerics/dual_problem.hpp"

namespace semblance::numerics {

/// The kernel rows of a dual problem's variables, in one piece for each range of columns.
class VariableRows {
 public:
  struct Row {
    RowCache::Row pieces[2];
  };

  explicit VariableRows(const DualProblem& problem);

  /// rows[k] = the row of variables[k].
  void fetch(std::span<const std::uint32_t> variables, std::span<Row> rows, Context& context) const;
  /// The same row, copied to `out`, which holds as many values as there are variables and has to
  /// outlive it.
  Row copy(const Row& row, float* out) const;
  /// out[places[k]] = row[variables[k]]
  void pick(const Row& row, std::span<const std::size_t> variables,
            std::span<const std::size_t> places, float* out) const;
  /// sums[j] += sum_r factors[r] rows[r][j], of all variables j.
  void add(std::span<const Row* const> rows, std::span<const double> factors,
           std::span<double> sums, Context& context) const;
  /// The same for those of `variables` only, which ascend.
  void add(std::span<const Row* const> rows, std::span<const double> factors,
           std::span<const std::uint32_t> variables, std::span<double> sums) const;

 private:
  const DualProblem& p_;
  std::size_t split_;  // the first variable of the second part
};

}  // namespace semblance::numerics
