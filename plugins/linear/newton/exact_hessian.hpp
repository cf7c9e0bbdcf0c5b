// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "problem/sweep.hpp"
#include "semblance/context.hpp"
#include "semblance/samples.hpp"

/// The generalized Hessian H = I + 2c sum u_i x_i x_i^T over the active rows of a problem, in
/// double: in float32 the identity is lost if 2c |x|^2 reaches 1e7. Its steps follow from the
/// products of columns, or, with fewer rows than columns, from those of rows. On several ranks all
/// make the same steps.
namespace semblance::linear {

/// u of each row: the factor of its losses.
struct RowWeights {
  std::span<const double> of_row = {};  ///< empty: 1 each

  double operator()(std::size_t row) const noexcept { return of_row.empty() ? 1.0 : of_row[row]; }
};

/// The Cholesky factor of a matrix plus these shifts on its diagonal; `fill(i, to)` writes the
/// entries of row i up to the diagonal. If rounding makes it indefinite, as with equal columns of a
/// large scale, the diagonal is raised a little: a Newton step is then inexact but still a descent
/// step. False if a stop was requested; throws Error if raising does not help.
bool raised_factor(std::span<const double> shifts,
                   const std::function<void(std::size_t i, double* to)>& fill,
                   Vectors<double>& factor, Context& context);

/// Calls body(i) for i below `count`, `at_once` of them at a time. False if one of them was.
bool for_each_at_once(std::size_t count, std::size_t at_once, Context& context,
                      const std::function<bool(std::size_t i)>& body);

/// sum u_i x_i x_i^T over the active rows of one problem, for all columns or some. Near the optimum
/// few rows become active or inactive: then only their products are added or subtracted.
class ColumnGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `columns`: ascending; empty: all. `centre`:
  /// subtracted from sparse rows; empty: nothing.
  ColumnGram(const Rows& rows, double bias, RowWeights weights,
             std::vector<std::size_t> columns = {}, std::span<const double> centre = {});

  /// Computes the sum for these own active rows, in ascending order. False, with the object
  /// unusable, if a stop was requested. Collective on several ranks.
  bool update(std::vector<std::size_t> active, Context& context);

  /// The lower triangle.
  const Vectors<double>& sum() const noexcept { return sum_; }
  const std::vector<std::size_t>& columns() const noexcept { return columns_; }

  /// step = -H^-1 gradient with c = `cost`, of all columns. False if a stop was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;

  /// Bytes of an object with `rows` own rows, and bytes that update() and solve() need in addition.
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
  std::vector<std::size_t> active_;
  Vectors<double> sum_;  // allocated when it is needed
};

/// The lower triangle of the products K = A A^T of all rows, which have `bias` appended unless it
/// is 0 and, if they are sparse, `centre` subtracted unless it is empty. No rows if a stop was
/// requested. Collective on several ranks.
Vectors<double> row_products(const Rows& rows, double bias, std::span<const double> centre,
                             Context& context);

}  // namespace semblance::linear
