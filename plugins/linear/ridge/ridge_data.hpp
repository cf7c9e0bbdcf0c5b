// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The training samples of a ridge regression about their weighted means, in double. Row i of the
/// matrix Z is sqrt(w_i) (x_i - mean), and row i of T is sqrt(w_i) (y_i - mean), for the samples
/// whose weight w_i is not 0. With both centred, the intercept that is not penalized is the mean of
/// the targets. Without an intercept both means are 0.
class RidgeData {
 public:
  /// `targets`: rows x outputs. `weights`: one per row; empty: 1 each. Throws Error if all are 0.
  RidgeData(const Rows& rows, std::span<const double> targets, std::size_t outputs,
            std::span<const double> weights, bool intercept, Context& context);

  std::size_t rows() const noexcept { return used_.size(); }
  std::size_t cols() const noexcept { return rows_.cols(); }
  std::size_t outputs() const noexcept { return target_means_.size(); }

  const Rows& all_rows() const noexcept { return rows_; }  ///< those of weight 0 as well
  std::span<const double> given_targets() const noexcept { return given_targets_; }
  std::span<const WeightedRow> used() const noexcept { return used_; }
  double total_weight() const noexcept { return total_weight_; }
  bool has_intercept() const noexcept { return intercept_; }
  std::span<const double> centre() const noexcept { return centre_; }
  std::span<const double> target_means() const noexcept { return target_means_; }
  const Vectors<double>& targets() const noexcept { return targets_; }    ///< T^T, outputs x rows
  const Vectors<double>& products() const noexcept { return products_; }  ///< T^T Z
  /// Of the columns of Z and of T.
  std::span<const double> squared_norms() const noexcept { return squared_norms_; }
  std::span<const double> target_squared_norms() const noexcept { return target_squared_norms_; }

  /// Writes rows [first, first + count) of Z, only the columns [column, column + cols).
  void fill(std::size_t first, std::size_t count, std::size_t column, std::size_t cols, double* to,
            std::size_t stride) const;
  void fill(std::size_t first, std::size_t count, Vectors<double>& to) const {
    fill(first, count, 0, cols(), to.row(0), to.stride());
  }

  /// F Z (outputs x columns) for factors F (outputs x rows).
  Vectors<double> combine_rows(const Vectors<double>& factors, Context& context) const;

  /// The residuals T^T - W Z^T (outputs x rows) for the weights W (outputs x columns).
  Vectors<double> residuals(const Vectors<double>& weights, Context& context) const;

  /// Bytes of scratch that the members need.
  std::size_t scratch_bytes(std::size_t threads) const noexcept;

 private:
  using AddBlock =
      std::function<void(std::size_t first, std::size_t count, std::span<double> sums)>;
  std::size_t rows_at_once() const noexcept;
  void add_blocks(std::vector<double>& total, Context& context, const AddBlock& body) const;
  void release(std::size_t first, std::size_t count) const;
  void find_means(Context& context);
  void find_norms(Context& context);
  void centre_targets();

  const Rows& rows_;
  std::span<const double> given_targets_;
  std::vector<WeightedRow> used_;
  double total_weight_ = 0;
  bool intercept_ = true;
  std::vector<double> centre_, target_means_, squared_norms_, target_squared_norms_;
  Vectors<double> targets_, products_;
};

}  // namespace semblance::linear
