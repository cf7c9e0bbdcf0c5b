// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// The span of n rows of many more columns, in n coordinates. Row i becomes row i of L, where L L^T
/// is the matrix of the rows' products with each other: so all products of rows stay what they are,
/// and with them every l2-regularized problem, whose optimum lies in the span (the representer
/// theorem; Chapelle 2007, section 3).
class RowSpan {
 public:
  /// Reads the rows n / 128 times; `bias` is appended to them unless it is 0. Nothing when a stop
  /// was requested. The bits depend on the rows alone.
  static std::optional<RowSpan> of(const Rows& rows, double bias, Context& context);

  /// The rows in their coordinates, rounded to float32; valid as long as the object.
  const Rows& coordinates() const noexcept { return coordinates_; }

  /// Vectors of the span, given by their coordinates, as they are: the weight of the appended
  /// constant comes last. Reads the rows once; does not poll the stop request, so that what is
  /// known when it comes can be told.
  Vectors<double> expand(const Vectors<double>& coordinates, Context& context) const;

  /// Bytes that an object takes while it is made, and then holds at most.
  static std::size_t bytes(std::size_t rows, std::size_t threads) noexcept;

 private:
  class Coordinates final : public Rows {
   public:
    explicit Coordinates(const Vectors<double>& factor);
    std::size_t rows() const noexcept override { return values_.count(); }
    std::size_t cols() const noexcept override { return values_.cols(); }
    MatrixView view(std::size_t first, std::size_t count) const override {
      return {values_.row(first), count, values_.cols(), values_.stride()};
    }
    void release(std::size_t, std::size_t) const override {}

   private:
    Vectors<float> values_;
  };

  RowSpan(const Rows& rows, double bias, Vectors<double> factor);

  const Rows* rows_;
  double bias_;
  Vectors<double> factor_;  // L, in the lower triangle
  Coordinates coordinates_;
};

}  // namespace semblance::solvers
