// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/fusion`: judges the sum of several solvers' scores of the same pairs, as the columns
/// L+T and S+L+T of the pairwise SVM paper's table 3.
class Fusion final : public PairEvaluator {
 public:
  static Declaration<Fusion> declare();
  void evaluate(std::span<const ScoredPairs> tests, Report& report,
                Context& context) const override;

 private:
  std::vector<double> weights_;
};

}  // namespace semblance::evaluators
