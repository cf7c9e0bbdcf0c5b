// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ridge/ridge_data.hpp"
#include "semblance/context.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace semblance::linear {

/// A Cholesky factor with a smaller pivot (DefiniteFactor::least_pivot()) may have fewer than eight
/// digits.
inline constexpr double least_sound_pivot = 1e-8;

/// A sample's error without it is divided by the share of its target that the fit leaves
/// unexplained. A smaller share, which is a difference from 1, has fewer than seven digits.
inline constexpr double least_known_share = 1e-9;

/// A fit is called optimal if no entry of its gradient is larger, in the units of
/// RidgeFit::violation.
inline constexpr double ridge_tolerance = 1e-9;

/// Refinements of a fit. Two usually suffice.
inline constexpr std::size_t most_refinements = 5;

/// Throws MemoryError with the arithmetic unless `bytes` and the scratch of `data` fit into the
/// budget. `what` are the n things whose products are needed.
void check_ridge_memory(std::size_t n, std::size_t bytes, std::string_view what,
                        const RidgeData& data, const Context& context);

/// Throws Error: the penalty is too small to be seen beside products of dependent columns.
[[noreturn]] void throw_dependent(double penalty);

/// The minimum of sum_i w_i (y_i - W (x_i - mean) - c)^2 + penalty |W|^2 over W and c, for all
/// outputs.
struct RidgeFit {
  double penalty = 0;
  Vectors<double> weights;       ///< W, outputs x columns; of a trial perhaps none
  Vectors<double> coefficients;  ///< of such a trial: C, outputs x used samples, with W = C Z
  double objective = 0;
  double squared_norm = 0;   ///< |W|^2
  double gradient_norm = 0;  ///< as a share of that at W = 0
  /// The largest entry of the gradient as a share of |column| |target|, which do not depend on the
  /// units of columns and targets; |column|^2 includes the penalty. 0 without weights.
  double violation = 0;
  /// rows x outputs, of the used samples: y_i minus the estimate of the fit to all other samples.
  /// Empty for a single sample.
  std::vector<double> left_out;
  /// Samples that alone determine a weight, so that the errors left without them are not known.
  std::size_t unknown = 0;
};

/// Fits for several penalties that share the products of the samples.
class RidgeFits {
 public:
  virtual ~RidgeFits() = default;
  virtual RidgeFit fit(double penalty, Context& context) = 0;

  /// The same without refinement and, where weights take longer than all else, without weights: its
  /// errors and figures may have a few digits less.
  virtual RidgeFit trial(double penalty, Context& context) { return fit(penalty, context); }

  /// Gives a trial its weights, in one pass over the samples, and evaluates it.
  virtual void add_weights(RidgeFit&, Context&) const {}

  /// "columns" or "rows": whichever has the smaller matrix of products.
  virtual const char* products_of() const noexcept = 0;
};

/// In the primal (products of columns) or, for few samples, in the dual (products of rows). Throws
/// MemoryError with the arithmetic if the budget is too small.
std::unique_ptr<RidgeFits> make_ridge_fits(const RidgeData& data, Context& context);

/// A fit of the targets' means alone.
RidgeFit constant_fit(const RidgeData& data, double penalty);

/// What RidgeFit::gradient_norm is relative to; `initial` is the squared norm of the products of
/// targets and columns. Products of targets and columns that are orthogonal are rounding: no
/// gradient is small beside them.
double gradient_scale(const RidgeData& data, double initial);

/// Sets all members of `fit` that follow from its penalty and weights, and from the residuals (as
/// RidgeData::residuals()); leaves `left_out` alone. Returns the gradient, divided by -2: E^T Z -
/// penalty W.
Vectors<double> evaluate(const RidgeData& data, const Vectors<double>& residuals, RidgeFit& fit,
                         Context& context);

/// The Cholesky factor of the matrix with this lower triangle plus a penalty on its diagonal;
/// nothing if rounding has taken its digits.
std::optional<numerics::DefiniteFactor> sound_factor(const Vectors<double>& triangle,
                                                     double penalty, Context& context);

}  // namespace semblance::linear
