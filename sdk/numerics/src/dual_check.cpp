// SPDX-License-Identifier: MIT
#include "semblance_numerics/dual_check.hpp"

#include <cmath>
#include <string>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::numerics {
namespace {

[[noreturn]] void refuse_objective(const std::string& what) {
  throw Error(
      "the solution's " + what +
      ", which no machine can have: rounding has lost the kernel's values; center and scale "
      "the samples (normalizer/zscore) or lower C");
}

}  // namespace

void check_objective(const DualSolution& s, double costs) {
  if (!std::isfinite(s.dual) || !std::isfinite(s.primal) || !std::isfinite(s.bias))
    refuse_objective("objective is not finite");
  if (s.certificate != Certificate::converged) return;
  double sum = 0;
  for (const double b : s.coefficients) sum += std::abs(b);
  const double rounding = 1e-3 * sum;
  if (s.squared_norm < -rounding)
    refuse_objective("squared norm is " + to_text(Value(s.squared_norm)));
  if (s.dual < -costs - rounding)
    refuse_objective("dual objective is " + to_text(Value(s.dual)) +
                     ", below minus the sum of all C, " + to_text(Value(-costs)));
}

void throw_false_certificate(double violation, double seen) {
  throw Error(
      "the machine is not what its certificate says: by the kernel's definition, decision values "
      "of a sample of training data violate the optimality conditions by " +
      to_text(Value(violation)) + ", where training saw " + to_text(Value(seen)) +
      ": C times the kernel's values is more than float32 resolves; scale the samples "
      "(normalizer/zscore) or lower C");
}

}  // namespace semblance::numerics
