// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "newton/active_gram.hpp"
#include "newton/active_kernel.hpp"

namespace semblance::solvers {

/// The generalized Hessian H = I + 2c sum u_i x_i x_i^T over the active rows of one problem, in
/// double. Sums are double because in float32 the identity is lost where 2c |x|^2 reaches 1e7.
///
/// It is kept in one of two forms: the products of columns, summed over the active rows; or, where
/// these are fewer than the columns, the products of the rows. Which one depends on counted
/// operations.
class ExactHessian {
 public:
  /// `keeper`: of several ranks, the one that has H and solves.
  ExactHessian(const Rows& rows, double bias, RowWeights weights = {}, std::size_t keeper = 0);

  /// H for these active rows, in ascending order, by a process that has all rows. False, with the
  /// object unusable, when a stop was requested.
  bool update(std::vector<std::size_t> active, Context& context);

  /// step = -H^-1 gradient with c = `cost`, by a Cholesky factor; on its keeper. False when a stop
  /// was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;

  /// Whether it is the products of rows that are kept.
  bool of_rows() const noexcept { return of_rows_; }

  /// Tells of H under a name, and takes it over: another rank may be the keeper then. Collective;
  /// taking over is not.
  void note(const std::string& name, Notes& notes) const;
  void go_on(const std::string& name, const NotesReader& kept, const OwnParts& own, bool keeps);

  /// Bytes that an object holds for so many own rows at most, and that a call takes besides.
  static std::size_t bytes(std::size_t rows, std::size_t dimension) noexcept;
  static std::size_t scratch_bytes(std::size_t dimension) noexcept;

  /// Multiply-adds of update() from no rows and of solve().
  static double cost(double active, double dimension) noexcept;

 private:
  friend bool update_together(std::span<ExactHessian* const> hessians,
                              std::vector<std::vector<std::size_t>> active, Context& context);

  /// What decides on the form: numbers of rows.
  struct Change {
    std::size_t active = 0;
    std::size_t to_columns = 0;  ///< that are added to or taken from their sums
    std::size_t to_rows = 0;     ///< whose products are computed
  };
  Change change_to(const std::vector<std::size_t>& active) const;
  void choose_form(const Change& change);

  ActiveGram gram_;
  ActiveKernel kernel_;
  std::size_t dimension_;
  bool of_rows_ = false;
};

/// update() of several over the same rows, for ranks that have some of them each: `active` are own
/// rows. With the same bits. Collective.
bool update_together(std::span<ExactHessian* const> hessians,
                     std::vector<std::vector<std::size_t>> active, Context& context);

}  // namespace semblance::solvers
