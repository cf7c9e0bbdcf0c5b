// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime/graph/node.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Whether the test pairs are of training samples: all of them, or none. Throws Error where some
/// are and some are not, or where only one sample of a pair is. `numbers` are for the message.
bool tests_training_rows(const PairSet& tests, std::size_t train_rows,
                         std::span<const std::int64_t> numbers = {});

/// Which task the pairs make (pairwise SVM, section 4). "pair": the test pairs are other pairs of
/// training samples. "interexample": they are pairs of other samples. "interclass": they are pairs
/// of samples whose classes occur in no training pair. Nothing without test pairs. Throws Error
/// where it is none of these, and where a pair is in both training and test pairs, in either order.
std::optional<std::string> checked_task(const PairSelection& pairs, std::size_t train_rows,
                                        std::span<const std::int32_t> labels,
                                        std::span<const std::int64_t> numbers);

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
