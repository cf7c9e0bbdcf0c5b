// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "newton/row_gram.hpp"
#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// sum u_i x_i x_i^T over the active rows of one problem, for all columns or some, in double. Near
/// the optimum few rows become active or inactive: then only their products are added or
/// subtracted. In distributed training one rank stores the sum; all ranks have an object, which
/// knows their own rows.
class ColumnGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `columns`: ascending; empty: all. `owner` is
  /// the rank that stores the sum. `centre`: subtracted from sparse rows; empty: nothing.
  ColumnGram(const Rows& rows, double bias, RowWeights weights,
             std::vector<std::size_t> columns = {}, std::size_t owner = 0,
             std::span<const double> centre = {});

  /// Computes the sum for these own active rows, in ascending order. False, with the object
  /// unusable, if a stop was requested. Collective on several ranks.
  bool update(std::vector<std::size_t> active, Context& context);

  /// The number of own rows that are either in `active` or in the sum, but not in both.
  std::size_t changes(std::span<const std::size_t> active) const;

  /// Releases the sum's memory; the next update computes it anew.
  void reset();

  /// The lower triangle, on its owner.
  const Vectors<double>& sum() const noexcept { return sum_; }
  const std::vector<std::size_t>& columns() const noexcept { return columns_; }

  /// Bytes of an object with `rows` own rows, and bytes that update() needs in addition.
  static std::size_t bytes(std::size_t rows, std::size_t columns) noexcept;
  static std::size_t scratch_bytes(std::size_t columns) noexcept;

 private:
  std::size_t dimension() const noexcept;
  bool add(std::span<const std::size_t> chosen, double sign, Context& context);

  const Rows& rows_;
  double bias_;
  std::span<const double> centre_;
  RowWeights weights_;
  std::vector<std::size_t> columns_;
  std::size_t owner_;
  std::vector<std::size_t> active_;
  Vectors<double> sum_;  // allocated when and where it is needed
};

/// The generalized Hessian H = I + 2c sum u_i x_i x_i^T over the active rows of one problem, in
/// double. Sums are double because in float32 the identity is lost if 2c |x|^2 reaches 1e7.
///
/// It has one of two forms: the products of columns, summed over the active rows, or, if there are
/// fewer active rows than columns, the products of the rows. The choice depends on operation
/// counts.
class ExactHessian {
 public:
  /// `owner`: the rank that stores H and solves. `centre`: subtracted from sparse rows; empty:
  /// nothing.
  ExactHessian(const Rows& rows, double bias, RowWeights weights = {}, std::size_t owner = 0,
               std::span<const double> centre = {});

  /// Computes H for these own active rows, in ascending order. False, with the object unusable, if
  /// a stop was requested. Collective on several ranks.
  bool update(std::vector<std::size_t> active, Context& context);

  /// step = -H^-1 gradient with c = `cost`, by a Cholesky factor; on its owner. False if a stop
  /// was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context);

  /// Whether the products of rows are stored.
  bool of_rows() const noexcept { return of_rows_; }

  /// Bytes of an object on its owner, of a problem with this number of rows on all ranks, and bytes
  /// that a call needs in addition.
  static std::size_t bytes(std::size_t rows, std::size_t dimension) noexcept;
  static std::size_t scratch_bytes(std::size_t rows, std::size_t dimension) noexcept;

  /// Whether K and copies of its rows need no more memory than the products of columns.
  static bool fits_rows(double active, double dimension) noexcept;

  /// Multiply-adds of update() from no rows and of solve().
  static double cost(double active, double dimension) noexcept;

 private:
  /// The numbers of rows that determine the form.
  struct Change {
    std::size_t active = 0;
    std::size_t to_columns = 0;  ///< added to or subtracted from their sums
    std::size_t to_rows = 0;     ///< whose products are computed
  };
  void choose_form(const Change& change);

  ColumnGram column_gram_;
  RowGram row_gram_;
  std::size_t dimension_;
  bool of_rows_ = false;
};

}  // namespace semblance::linear
