// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "reliability.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/calibration`: whether probabilities match frequencies.
class Calibration final : public Evaluator {
 public:
  static Declaration<Calibration> declare();
  bool wants_probabilities() const override { return true; }
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  Binning binning() const;

  std::string positive_;
  std::int64_t bins_ = 10;
  std::string equal_ = "width";
};

}  // namespace semblance::evaluators
