// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/boundary`: the regions in which a classifier of points of the plane decides for each
/// class, as a picture.
class Boundary final : public Evaluator {
 public:
  static Declaration<Boundary> declare();
  bool wants_probes() const override { return true; }

  /// A square grid over the data and a margin around them, row by row from the lowest y.
  FloatMatrix probes(const Dataset& data, Context& context) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  std::int64_t points_ = 160;
  double margin_ = 0.08;
  std::string samples_ = "test";
  std::int64_t most_samples_ = 2000;
};

}  // namespace semblance::evaluators
