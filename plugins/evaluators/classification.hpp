// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/classification`: how often the class with the largest score is the right one.
class Classification final : public Evaluator {
 public:
  static Declaration<Classification> declare();
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  std::vector<std::int64_t> top_k_ = {5};
};

}  // namespace semblance::evaluators
