// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// sum u_i x_i x_i^T over the active rows of one problem, of all columns or of some, in double.
/// Near the optimum few rows become active or stop being so: their products alone are then added or
/// taken away.
class ActiveGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `weights`: u of each row, valid as long as the
  /// object; empty: 1 each. `columns` ascend; empty: all.
  ActiveGram(const Rows& rows, double bias, std::span<const double> weights,
             std::vector<std::size_t> columns = {});

  /// The sum for these active rows, in ascending order. False, with the object unusable, when a
  /// stop was requested.
  bool update(std::vector<std::size_t> active, Context& context);

  const Vectors<double>& sum() const noexcept { return sum_; }  ///< lower triangle
  const std::vector<std::size_t>& columns() const noexcept { return columns_; }

  /// Bytes that an object holds, and that update() takes besides.
  static std::size_t bytes(std::size_t rows, std::size_t columns) noexcept;
  static std::size_t scratch_bytes(std::size_t columns) noexcept;

 private:
  bool add(std::span<const std::size_t> chosen, double sign, Context& context);

  const Rows& rows_;
  double bias_;
  std::span<const double> weights_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> active_;
  Vectors<double> sum_;
};

}  // namespace semblance::solvers
