// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/margin`: the margin of every binary problem that a solver solved.
class Margin final : public Evaluator {
 public:
  static Declaration<Margin> declare();
  void evaluate(const Scored& test, Report& report, Context& context) const override;
};

}  // namespace semblance::evaluators
