// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "newton/squared_losses.hpp"
#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// Rows of a tile of products: enough for BLAS to reach full speed, and few enough for a few
/// hundred rows to keep several threads busy.
inline constexpr std::size_t tile_rows = 128;

/// Columns converted to double at once, 1 MiB per side of a tile.
inline constexpr std::size_t strip_columns = 1024;

/// to[i * stride + j] += left_i . right_j in double, in the order of the columns, for rows with
/// `cols` values followed by `bias` unless it is 0.
void add_tile_products(std::span<const float* const> left, std::span<const float* const> right,
                       std::size_t cols, double bias, double* to, std::size_t stride);

/// scale times the lower triangle of a matrix, with shifts added to its diagonal.
struct ShiftedMatrix {
  const Vectors<double>& triangle;
  double scale = 1;
  std::span<const double> shifts;
};

/// Its Cholesky factor. If rounding makes it indefinite, as with equal columns of a large scale,
/// the diagonal is raised a little: a Newton step is then inexact but still a descent step. False
/// if a stop was requested; throws Error if raising does not help.
bool raised_factor(const ShiftedMatrix& matrix, Vectors<double>& factor, Context& context);

/// The rows of `from` that are not in `without`; all ascending.
std::vector<std::size_t> difference(std::span<const std::size_t> from,
                                    std::span<const std::size_t> without);

/// The products K = A A^T of one problem's active rows, in double. They suffice for the Newton
/// steps of a problem with fewer active rows than columns (Woodbury's formula). Only the products
/// of rows that become active are computed. In distributed training one rank stores K and copies of
/// the rows; all ranks have an object, which knows their own rows.
class RowGram {
 public:
  /// `bias` is appended to the rows unless it is 0. `owner` is the rank that stores K. `centre`:
  /// subtracted from sparse rows; empty: nothing.
  RowGram(const Rows& rows, double bias, RowWeights weights, std::size_t owner = 0,
          std::span<const double> centre = {});

  /// Computes K for these active rows, in ascending order, in a process that has all rows. False,
  /// with the object unusable, if a stop was requested.
  bool update(std::span<const std::size_t> active, Context& context);

  /// Releases K's memory; the next update computes it anew.
  void reset();

  /// step = -H^-1 gradient, H = I + 2c sum u_i x_i x_i^T over the active rows, as H^-1 = I - A^T (K
  /// + D)^-1 A with D = 1 / (2c u_i) on the diagonal; on its owner. False if a stop was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;

  /// Bytes of an object on its owner with at most this number of active rows, and bytes that a call
  /// needs in addition.
  static std::size_t bytes(std::size_t active, std::size_t dimension) noexcept;
  static std::size_t scratch_bytes(std::size_t active, std::size_t dimension) noexcept;

  /// The number of new rows among these own rows.
  std::size_t entering(std::span<const std::size_t> active) const;

 private:
  friend bool update_together(std::span<RowGram* const> grams,
                              std::vector<std::vector<std::size_t>> active, Context& context);

  /// Rows sent by other ranks.
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
  bool compute_products(std::size_t first_new, Context& context);
  void add_products(std::size_t tile, std::size_t other, std::size_t first_new);
  std::vector<const float*> rows_at(std::size_t first, std::size_t count) const;
  std::vector<double> products_with(const Vectors<double>& v, Context& context) const;
  void add_sum(const std::vector<double>& factors, Vectors<double>& to, Context& context) const;

  const Rows& rows_;
  double bias_;
  std::span<const double> centre_;
  RowWeights weights_;
  std::size_t owner_;
  std::vector<std::size_t> own_;    // own rows in K, in ascending order
  std::vector<std::size_t> order_;  // all rows in K, in the order of their arrival
  Vectors<double> products_;        // K's lower triangle
  bool sent_ = false;               // on several ranks: whether the owner has copies of the rows
  std::vector<std::vector<float>> copies_;  // on the owner, or for sparse rows; in K's order
};

/// update() of several matrices over the same distributed rows: `active` are own rows. With the
/// same bits. Collective.
bool update_together(std::span<RowGram* const> grams, std::vector<std::vector<std::size_t>> active,
                     Context& context);

}  // namespace semblance::linear
