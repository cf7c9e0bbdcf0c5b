// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

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

/// The rows of `from` that are not in `without`; all ascending.
std::vector<std::size_t> difference(std::span<const std::size_t> from,
                                    std::span<const std::size_t> without);

/// The products K = A A^T of some rows, in double. They suffice for the Newton steps of a problem
/// with fewer active rows than columns (Woodbury's formula). Only the products of rows that enter
/// are computed. In distributed training one rank stores K and copies of the rows; all ranks have
/// an object, which knows their own rows.
class RowGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `owner` is the rank that stores K. `centre`:
  /// subtracted from sparse rows; empty: nothing.
  RowGram(const Rows& rows, double bias, RowWeights weights, std::size_t owner = 0,
          std::span<const double> centre = {});

  /// Computes K for these own rows, in ascending order. False, with the object unusable, if a stop
  /// was requested. Collective on several ranks.
  bool update(std::span<const std::size_t> rows, Context& context);

  /// The own rows in K, in ascending order.
  const std::vector<std::size_t>& rows() const noexcept { return own_; }

  /// K's lower triangle, on its owner, with the rows in the order of their arrival.
  const Vectors<double>& products() const noexcept { return products_; }

  /// Releases K's memory; the next update computes it anew.
  void reset();

  /// step = -H^-1 gradient, H = I + 2c sum u_i x_i x_i^T over the rows in K, as H^-1 = I - A^T (K +
  /// D)^-1 A with D = 1 / (2c u_i) on the diagonal; on its owner. False if a stop was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;
  /// The same over some of the rows, in a process that has all; in ascending order.
  bool solve(std::span<const std::size_t> rows, double cost, const double* gradient, double* step,
             Context& context) const;

  /// Bytes of an object on its owner with at most this number of rows, and bytes that a call needs
  /// in addition.
  static std::size_t bytes(std::size_t rows, std::size_t dimension) noexcept;
  static std::size_t scratch_bytes(std::size_t rows, std::size_t dimension) noexcept;

  /// The number of new rows among these own rows.
  std::size_t entering(std::span<const std::size_t> rows) const;

 private:
  using Indices = std::vector<std::size_t>;

  /// Rows sent by other ranks.
  struct Sent {
    Indices numbers;  // ascending
    FloatMatrix values;
  };

  std::size_t cols() const noexcept { return rows_.cols() + (bias_ != 0 ? 1 : 0); }
  std::size_t tiles() const noexcept;
  bool sparse() const { return rows_.rows() > 0 && rows_.view(0, 1).sparse(); }
  bool change(std::span<const std::size_t> rows, const Sent* sent, Context& context);
  void copy_rows(std::span<const std::size_t> places, const Sent* sent);
  std::vector<float> laid_out(std::size_t row) const;
  void add_products(std::size_t tile, std::size_t other, std::size_t first_new);
  std::vector<const float*> rows_at(std::span<const std::size_t> places) const;
  bool solve_at(const Indices& places, double cost, const double* gradient, double* step,
                Context& context) const;
  std::vector<double> products_with(const std::vector<const float*>& rows, const Vectors<double>& v,
                                    Context& context) const;
  void add_sum(const std::vector<const float*>& rows, const std::vector<double>& factors,
               Vectors<double>& to, Context& context) const;

  const Rows& rows_;
  double bias_;
  std::span<const double> centre_;
  RowWeights weights_;
  std::size_t owner_;
  Indices own_;                             // own rows in K, in ascending order
  Indices order_;                           // all rows in K, in the order of their arrival
  Vectors<double> products_;                // K's lower triangle
  std::vector<std::vector<float>> copies_;  // on several ranks, or of sparse rows; in K's order
};

}  // namespace semblance::linear
