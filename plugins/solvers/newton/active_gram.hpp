// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "newton/progress.hpp"
#include "newton/row_weights.hpp"
#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// sum u_i x_i x_i^T over the active rows of one problem, of all columns or of some, in double.
/// Near the optimum few rows become active or stop being so: their products alone are then added or
/// taken away. Of several ranks one keeps the sum; all have an object, which knows their own rows.
class ActiveGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `columns` ascend; empty: all. `keeper` is the
  /// rank that keeps the sum.
  ActiveGram(const Rows& rows, double bias, RowWeights weights,
             std::vector<std::size_t> columns = {}, std::size_t keeper = 0);

  /// The sum for these active rows, in ascending order, by a process that has all rows. False, with
  /// the object unusable, when a stop was requested.
  bool update(std::vector<std::size_t> active, Context& context);

  /// How many of these own rows, and of those that are in the sum, are not in both.
  std::size_t changes(std::span<const std::size_t> active) const;

  /// Gives the sum's memory back; the next update computes it anew.
  void forget();

  /// Lower triangle; on its keeper.
  const Vectors<double>& sum() const noexcept { return sum_; }
  const std::vector<std::size_t>& columns() const noexcept { return columns_; }

  /// Tells of the sum and its rows under a name, and takes them over: another rank may be the
  /// keeper then. Collective; taking over is not.
  void note(const std::string& name, Notes& notes) const;
  void go_on(const std::string& name, const NotesReader& kept, const OwnParts& own, bool keeps);

  /// Bytes that an object holds for so many own rows, and that update() takes besides.
  static std::size_t bytes(std::size_t rows, std::size_t columns) noexcept;
  static std::size_t scratch_bytes(std::size_t columns) noexcept;

 private:
  friend bool update_together(std::span<ActiveGram* const> grams,
                              std::vector<std::vector<std::size_t>> active, Context& context);

  std::size_t dimension() const noexcept;
  std::vector<WeightedRow> weighted(std::span<const std::size_t> chosen, double sign) const;
  bool add(std::span<const std::size_t> chosen, double sign, Context& context);

  const Rows& rows_;
  double bias_;
  RowWeights weights_;
  std::vector<std::size_t> columns_;
  std::size_t keeper_;
  std::vector<std::size_t> active_;
  Vectors<double> sum_;  // made where and when it is needed
};

/// update() of several sums over the same rows, for ranks that have some of them each: `active` are
/// own rows. With the same bits. Collective.
bool update_together(std::span<ActiveGram* const> grams,
                     std::vector<std::vector<std::size_t>> active, Context& context);

}  // namespace semblance::solvers
