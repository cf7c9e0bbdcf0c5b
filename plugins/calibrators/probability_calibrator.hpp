// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/calibrator.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// A calibrator that makes probabilities, row by row, and reports how good they are on the rows
/// that it learned from.
class ProbabilityCalibrator : public Calibrator, public Exportable {
 public:
  Layout bind(const Layout& input) final;
  void fit(const HeldOutScores& held_out, Report& report, Context& context) final;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;

 protected:
  virtual void learn(const HeldOutScores& held_out, Report& report, Context& context) = 0;
  /// Thread-safe.
  virtual void map(std::span<const float> scores, std::span<float> probabilities) const = 0;

  std::size_t classes() const noexcept { return classes_; }

 private:
  std::size_t classes_ = 0;
};

/// Probabilities from numbers that are proportional to them; where all are 0, they are equal.
void normalize(std::span<const double> shares, std::span<float> probabilities);

/// The same as a formula, for shares in float64.
Formula::Value normalized(Formula& formula, Formula::Value shares);

/// As a formula: values proportional to the probabilities with these logarithms, 1 for the largest.
Formula::Value shares_of_logarithms(Formula& formula, Formula::Value logarithms);

}  // namespace semblance::calibrators
