// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "ridge/ridge_problem.hpp"
#include "semblance/formula.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::kernel {

/// One sum of kernel values per target, and a constant.
class RidgeMachine {
 public:
  RidgeMachine() = default;
  /// `coefficients`: targets x bases.
  RidgeMachine(Vectors<double> coefficients, std::vector<double> intercepts);
  /// Throws Error if the arrays do not fit together.
  explicit RidgeMachine(const StateReader& state);
  void save(StateWriter& state) const;

  std::size_t targets() const noexcept { return intercepts_.size(); }
  std::size_t bases() const noexcept { return coefficients_.cols(); }

  /// Estimates of rows with one kernel value per basis. A row's do not depend on other rows.
  void estimate(MatrixView kernel, MutableMatrixView out) const;

  /// The estimates as a formula of the kernel values.
  Formula::Value write(Formula& formula, Formula::Value kernel) const;

 private:
  std::vector<double> plain_coefficients() const;

  Vectors<double> coefficients_;
  std::vector<double> intercepts_;
};

/// The largest |y - f(x) - b - penalty a / w| of the samples at `places` whose weight is not 0, as
/// a share of the target's standard deviation (or of the largest magnitude, if the targets are
/// equal). `compare(i, values)` writes the kernel values of the i-th of them with all training
/// samples.
double ridge_violation(const KernelRidgeFit& fit, const TrainingSet& training,
                       std::span<const std::size_t> places,
                       const std::function<void(std::size_t i, std::span<double> values)>& compare);

}  // namespace semblance::kernel
