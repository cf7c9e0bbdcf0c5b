// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dual_variables.hpp"

namespace semblance::numerics {

/// The kernel rows of a dual problem's variables, in one piece per range of columns.
class KernelRows {
 public:
  struct Row {
    RowCache::Row pieces[2];
  };

  explicit KernelRows(const DualProblem& problem);

  /// rows[k] = the row of variables[k].
  void fetch(std::span<const std::uint32_t> variables, std::span<Row> rows, Context& context) const;
  /// Whether values between few variables are computed without their rows: in a single part.
  bool computes_some() const noexcept {
    return p_.parts.size() == 1 && p_.rows[0][0]->source().computes_some();
  }
  /// out(r, j) = K(variables[r], others[j]), if computes_some().
  void compute_some(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> others,
                    MutableMatrixView out) const;
  /// Whether rows can be summed by add_computed(): those of a single part, of long rows.
  bool adds_computed() const noexcept;
  /// The row if it is cached; else without pieces. If adds_computed().
  Row cached(std::uint32_t variable) const;
  /// add(), of the rows of `variables`, which are computed where `rows` has none, part by part of
  /// their columns, and stored only if `store` and there is room. The bits are those of add(). If
  /// adds_computed().
  void add_computed(std::span<const std::uint32_t> variables, std::span<const Row> rows,
                    std::span<const double> factors, std::span<const char> store,
                    std::span<double> sums, Context& context) const;
  /// A copy of the row in `out`, which holds columns() values and must outlive the row.
  Row copy(const Row& row, float* out) const;
  std::size_t columns() const noexcept {
    return p_.mirrored ? counts_[0] : counts_[0] + counts_[1];
  }
  /// out[to[k]] = row[indices[k]]
  void pick(const Row& row, std::span<const std::size_t> indices, std::span<const std::size_t> to,
            float* out) const;
  /// sums[j] += sum_r factors[r] rows[r][j] for all indices j; if the ranges are mirrored, for
  /// those of the first only.
  void add(std::span<const Row* const> rows, std::span<const double> factors,
           std::span<double> sums, Context& context) const;

 private:
  const DualProblem& p_;
  std::size_t split_;      // the first variable of the second part
  std::size_t counts_[2];  // of variables, by part
};

}  // namespace semblance::numerics
