// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/assignments`: which of a solver's local models serves which sample.
class Assignments final : public Evaluator {
 public:
  static Declaration<Assignments> declare();
  bool wants_probes() const override { return true; }
  bool wants_shares() const override { return true; }

  /// A grid over the data if they are points of the plane, else no rows.
  FloatMatrix probes(const Dataset& data, Context& context) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  void draw(const Scored& test, Report& report, Context& context) const;

  std::int64_t points_ = 160;
  double margin_ = 0.08;
  std::int64_t most_samples_ = 2000;
};

}  // namespace semblance::evaluators
