// SPDX-License-Identifier: MIT
#pragma once

#include "choosing.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// All pairs: the training set of the pairwise SVM paper, and with `held_out` its pair task.
class AllPairs final : public Pairs {
 public:
  static Declaration<AllPairs> declare();
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  PairSelection hold_out(const PairSet& all, Context& context) const;

  std::string reflexive_ = "training";
  double held_out_ = 0;
};

}  // namespace semblance
