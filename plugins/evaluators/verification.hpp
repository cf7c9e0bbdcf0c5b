// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/verification`: how well pairs of the same class are distinguished from other pairs,
/// as in the pairwise SVM paper (sections 4 and 6.3): DET curve and equal error rate.
class Verification final : public PairEvaluator {
 public:
  static Declaration<Verification> declare();
  void evaluate(std::span<const ScoredPairs> tests, Report& report,
                Context& context) const override;
};

}  // namespace semblance::evaluators
