// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace semblance::kernel {

using numerics::Vectors;

/// A fit is called optimal if its gradient_norm is at most this.
inline constexpr double ridge_tolerance = 1e-9;

/// The minimum of sum_i w_i (y_i - f(x_i) - b)^2 + penalty |f|^2 over the functions f of a kernel's
/// space and b, for all targets: f = sum_i a_i k(x_i, .).
struct KernelRidgeFit {
  double penalty = 0;
  Vectors<double> coefficients;    ///< a, targets x rows
  std::vector<double> intercepts;  ///< b
  double objective = 0;
  double squared_norm = 0;  ///< |f|^2
  /// The norm of sqrt(w) (y - f - b) - penalty a / sqrt(w), which is 0 at the minimum, as a share
  /// of that at a = 0.
  double gradient_norm = 0;
  /// samples x targets, of the samples whose weight is not 0: y_i minus the estimate of the fit to
  /// all other samples. Empty for a single sample.
  std::vector<double> left_out;
  /// -ln of the density of the targets, per sample, if they are a Gaussian process of covariance v
  /// (K
  /// + penalty W^-1) about unknown constants, for the v of largest likelihood: that of contrasts
  /// (restricted likelihood). The mean over the targets. Weights are numbers of copies.
  double surprise = 0;
  std::optional<double> figure = {};  ///< see common::PenaltyChoice
  std::size_t unknown = 0;            ///< samples whose error has fewer than seven digits
};

/// Kernel ridge regression on a kernel matrix K, in double. With s = sqrt(w) and S = diag(s) it
/// solves (P S K S P + penalty I) c = P S y, a = S c, where P removes the direction of s: the
/// condition that a sums to 0, which a free intercept gives. All targets share one factor for a
/// penalty.
class KernelRidgeProblem {
 public:
  /// K a for coefficients a, both targets x rows, in double.
  using Product = std::function<Vectors<double>(const Vectors<double>& coefficients)>;

  /// `kernel` is symmetric, without values that are not finite; `targets` is rows x `outputs`;
  /// `weights`: one per row; empty: 1 each. `product` is more exact than float32 kernel values, for
  /// the refinement; empty: there is none. All must outlive the object.
  KernelRidgeProblem(MatrixView kernel, std::span<const double> targets, std::size_t outputs,
                     std::span<const double> weights, bool intercept, Product product,
                     Context& context);

  /// Throws Error if the matrix with the penalty is not positive definite, Cancelled on a stop
  /// request. Needs memory for n^2 doubles.
  KernelRidgeFit fit(double penalty, Context& context) const;

  /// A fit of the targets' means alone, or of 0 without an intercept.
  KernelRidgeFit constant_fit(double penalty) const;

  std::size_t rows() const noexcept { return kernel_.rows; }
  /// The rows whose weight is not 0.
  const std::vector<std::size_t>& used() const noexcept { return used_; }

 private:
  numerics::DefiniteFactor factor(double penalty, Context& context) const;
  Vectors<double> values(const Vectors<double>& coefficients, Context& context) const;
  void balance(Vectors<double>& scaled) const;
  Vectors<double> evaluate(const Vectors<double>& scaled, KernelRidgeFit& fit,
                           Context& context) const;
  double surprise(const numerics::DefiniteFactor& factor, const KernelRidgeFit& fit) const;
  void leave_out(const numerics::DefiniteFactor& factor, const Vectors<double>& scaled,
                 KernelRidgeFit& fit, Context& context) const;

  MatrixView kernel_;
  std::size_t outputs_;
  bool intercept_;
  Product product_;
  std::vector<std::size_t> used_;
  std::vector<double> roots_;         // s
  double total_weight_ = 0;           // |s|^2
  std::vector<double> row_means_;     // of K by weight; 0 without an intercept
  double mean_ = 0;                   // of row_means_
  double extra_ = 0;                  // eigenvalue given to the direction of s
  std::vector<double> target_means_;  // by weight; 0 without an intercept
  Vectors<double> targets_;           // y - mean, targets x rows
  double target_norm_ = 0;            // |S (y - mean)|
};

}  // namespace semblance::kernel
