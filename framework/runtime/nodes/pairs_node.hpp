// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/node.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Chooses the pairs of rows to train and to test on.
class PairsNode final : public Node {
 public:
  void bind(const Compilation&, const KnownShapes*) override {}
  Demands what_it_demands() const override { return {.learned = Learned::report}; }
  const char* phase() const override { return "choosing pairs"; }
  /// From labels alone, which all ranks know.
  LearnsWhere learns_where() const override { return LearnsWhere::everywhere; }
  void learn(Session& session) override;
  void drop_rows() override { chosen_ = {}; }

  /// Those chosen in this run.
  const PairSelection& chosen() const noexcept { return chosen_; }

  /// Chooses without taking note of it, with another number of training rows: 0 for new data. All
  /// are checked to be of rows that exist, training pairs of training rows.
  PairSelection choose(Session& session, std::size_t train_rows) const;

 private:
  PairSelection chosen_;
};

}  // namespace semblance
