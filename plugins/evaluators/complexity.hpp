// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/complexity`: the size and cost of a classifier, counted as in BE-SVM.
class Complexity final : public Evaluator {
 public:
  static Declaration<Complexity> declare();
  void evaluate(const Scored& test, Report& report, Context& context) const override;
};

}  // namespace semblance::evaluators
