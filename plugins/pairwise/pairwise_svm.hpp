// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "pair_machine.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairwise {

/// `solver/pairwise_svm`: the dual pairwise SVM with hinge loss, solved exactly.
class PairwiseSvm final : public PairMachine {
 public:
  static Declaration<PairwiseSvm> declare();
  void check_parameters() const override;
  void train(const PairTrainingSet& training, Report& report, Context& context) override;

 private:
  double cost_ = 1;
  NamedValues class_weights_;
  double tolerance_ = 1e-3;
  std::int64_t working_set_ = 2048;
  std::int64_t max_iterations_ = 10'000'000;
};

}  // namespace semblance::pairwise
