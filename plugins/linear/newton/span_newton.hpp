// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "newton/newton.hpp"
#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The span of n rows of many more columns, in n coordinates. Row i becomes row i of L, where L L^T
/// is the Gram matrix of the rows. So all products of rows are preserved, and with them every
/// l2-regularized problem, whose optimum is in the span (the representer theorem; Chapelle 2007,
/// section 3).
class RowSpan {
 public:
  /// Reads the rows n / 128 times, all of them on every rank; `bias` is appended to them unless it
  /// is 0. Nothing if a stop was requested. The bits depend only on the rows. Collective.
  static std::optional<RowSpan> of(const Rows& rows, double bias, Context& context);

  /// The rows in their coordinates, rounded to float32; valid as long as the object.
  const Rows& coordinates() const noexcept { return coordinates_; }

  /// The same, with the rounding errors appended to the coordinates of each row.
  const Rows& split_coordinates() const noexcept { return split_; }

  /// Converts coordinates to vectors of the original space; the weight of the appended constant
  /// comes last. Reads the rows once. Does not poll the stop request, so that results can be
  /// returned after it.
  Vectors<double> expand(const Vectors<double>& coordinates, Context& context) const;

  /// Bytes of an object, and bytes needed in addition to make it.
  static std::size_t bytes(std::size_t rows) noexcept;
  static std::size_t scratch_bytes(std::size_t rows, std::size_t cols,
                                   std::size_t threads) noexcept;

 private:
  /// The first columns of a matrix.
  class Columns final : public Rows {
   public:
    Columns(std::shared_ptr<const Vectors<float>> values, std::size_t cols)
        : values_(std::move(values)), cols_(cols) {}
    Columns(const Columns& wider, std::size_t cols) : values_(wider.values_), cols_(cols) {}
    std::size_t rows() const noexcept override { return values_->count(); }
    std::size_t cols() const noexcept override { return cols_; }
    MatrixView view(std::size_t first, std::size_t count) const override {
      return {values_->row(first), count, cols_, values_->stride()};
    }
    void release(std::size_t, std::size_t) const override {}

   private:
    std::shared_ptr<const Vectors<float>> values_;
    std::size_t cols_;
  };

  RowSpan(const Rows& rows, double bias, Vectors<double> factor);

  const Rows* rows_;
  double bias_;
  Vectors<double> factor_;  // L, in the lower triangle
  Columns split_;
  Columns coordinates_;
};

/// Whether the problems are solved in the span of the rows first. Depends only on sizes, so that
/// the bits depend on nothing else.
bool worth_span(std::size_t rows, std::size_t dimension, std::size_t problems) noexcept;

/// minimise(), starting at the optimum in the span of the rows of `problem`, which has one
/// coordinate per row. The result is evaluated on the rows themselves, and Newton steps with all
/// columns follow if rounding errors exceed the tolerance. So objective, bound and certificate are
/// those of the problem itself.
std::vector<Solution> minimise_in_span(const RowSpan& span, SquaredLosses& problem,
                                       std::span<const double> costs, const NewtonOptions& options,
                                       Context& context);

/// Bytes that minimise_in_span() needs in addition to minimise(), including the span.
std::size_t span_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept;

}  // namespace semblance::linear
