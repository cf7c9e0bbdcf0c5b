// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/context.hpp"

namespace semblance::linear {

/// The products K = A A^T of rows with each other in float32, which take a quarter of the time of
/// products in double. A Cholesky factor of K + D is the preconditioner for equations in double.
class RoundedProducts {
 public:
  /// Retains the products of the rows at these places with each other, in this order, and computes
  /// those of the rows that follow. `rows`: all, with `cols` values each, followed by `bias` unless
  /// it is 0. False, with the object unusable, if a stop was requested.
  bool change(std::span<const std::size_t> places, std::span<const float* const> rows,
              std::size_t cols, double bias, Context& context);

  /// A A^T v in double.
  using Product = std::function<std::vector<double>(const std::vector<double>& v)>;

  /// Replaces z by (K + D)^-1 z with D = `shifts`, by conjugate gradients in double. False if they
  /// do not converge or a stop was requested.
  bool solve(std::span<const double> shifts, const Product& product, std::vector<double>& z,
             Context& context) const;

  /// The lower triangle of K.
  Vectors<float>& products() noexcept { return products_; }
  const Vectors<float>& products() const noexcept { return products_; }

 private:
  bool factorise(std::span<const double> shifts, Vectors<float>& factor, Context& context) const;

  Vectors<float> products_;
};

}  // namespace semblance::linear
