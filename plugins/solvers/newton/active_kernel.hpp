// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "newton/progress.hpp"
#include "newton/row_weights.hpp"
#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// The active rows of one problem multiplied with each other, K = A A^T, in double: the Newton
/// steps of a problem that has fewer active rows than columns need no more (Woodbury's formula).
/// Only the products of rows that become active are computed. Of several ranks one keeps K and
/// copies of the rows; all have an object, which knows their own rows.
class ActiveKernel {
 public:
  /// `bias` is appended to the rows unless it is 0. `keeper` is the rank that keeps K.
  ActiveKernel(const Rows& rows, double bias, RowWeights weights, std::size_t keeper = 0);

  /// K for these active rows, in ascending order, by a process that has all rows. False, with the
  /// object unusable, when a stop was requested.
  bool update(std::span<const std::size_t> active, Context& context);

  /// Gives K's memory back; the next update computes it anew.
  void forget();

  /// step = -H^-1 gradient, H = I + 2c sum u_i x_i x_i^T over the active rows, as
  /// H^-1 = I - A^T (K + D)^-1 A with D = 1 / (2c u_i) on the diagonal; on its keeper. False when a
  /// stop was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;

  /// How many of these own rows are new.
  std::size_t entering(std::span<const std::size_t> active) const;

  /// Tells of K and its rows under a name, and takes them over: another rank may be the keeper
  /// then. Collective; taking over is not.
  void note(const std::string& name, Notes& notes) const;
  void go_on(const std::string& name, const NotesReader& kept, const OwnParts& own, bool keeps);

 private:
  friend bool update_together(std::span<ActiveKernel* const> kernels,
                              std::vector<std::vector<std::size_t>> active, Context& context);

  /// Rows that other ranks have sent.
  struct Sent {
    std::vector<std::size_t> numbers;  // ascending
    FloatMatrix values;
  };

  std::size_t cols() const noexcept { return rows_.cols() + (bias_ != 0 ? 1 : 0); }
  std::size_t tiles() const noexcept;
  bool sparse() const { return rows_.rows() > 0 && rows_.view(0, 1).sparse(); }
  bool change(std::span<const std::size_t> active, const Sent* sent, Context& context);
  void copy_rows(std::span<const std::size_t> places, const Sent* sent);
  std::vector<float> laid_out(std::size_t row) const;
  void add_products(std::size_t tile, std::size_t other, std::size_t first_new);
  std::vector<const float*> rows_at(std::size_t first, std::size_t count) const;
  std::vector<double> products_with(const Vectors<double>& v, Context& context) const;
  void add_sum(const std::vector<double>& factors, Vectors<double>& to, Context& context) const;

  const Rows& rows_;
  double bias_;
  RowWeights weights_;
  std::size_t keeper_;
  std::vector<std::size_t> own_;    // own rows in K, in ascending order
  std::vector<std::size_t> order_;  // all rows in K, in the order in which they came
  Vectors<double> products_;        // K's lower triangle
  bool sent_ = false;               // of several ranks: whether the keeper has copies of the rows
  std::vector<std::vector<float>> copies_;  // there, or of sparse rows, in K's order
};

/// update() of several over the same rows, for ranks that have some of them each: `active` are own
/// rows. With the same bits. Collective.
bool update_together(std::span<ActiveKernel* const> kernels,
                     std::vector<std::vector<std::size_t>> active, Context& context);

}  // namespace semblance::solvers
