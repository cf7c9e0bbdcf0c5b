// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/node.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Chooses the pairs of samples for training and testing.
class PairsNode final : public Node {
 public:
  void bind(const Compilation&, const KnownShapes*) override {
    facts().demands = {.learned = Learned::report};
    facts().phase = "choosing pairs";
    // From labels alone, which all ranks have.
    facts().learns_where = LearnsWhere::everywhere;
  }
  void learn(RunProgress& progress, RunData& data) override;
  void drop_rows() override { chosen_ = {}; }

  /// The pairs chosen in this run.
  const PairSelection& chosen() const noexcept { return chosen_; }

  /// Chooses without recording the choice, with another number of training samples: 0 for new data.
  /// Checks that the samples of all pairs exist, and that training pairs are of training samples.
  PairSelection choose(RunProgress& progress, RunData& data, std::size_t train_rows) const;

 private:
  PairSelection chosen_;
};

}  // namespace semblance
