// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance::pairwise {

/// `solver/pair_cosine`: the cosine of two centred examples, minus a threshold. A baseline for
/// machines that learn from pairs.
class PairCosine final : public PairSolver {
 public:
  static Declaration<PairCosine> declare();
  void bind(const Layout& input) override;
  void train(const PairTrainingSet& training, Report& report, Context& context) override;
  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  Layout layout_;
  std::vector<double> mean_;  // of the examples that training pairs name; empty: not trained
  double threshold_ = 0;
};

}  // namespace semblance::pairwise
