// SPDX-License-Identifier: MIT
#pragma once

#include "choosing.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// All positive pairs, and random negative pairs to fill the training set (pairwise SVM, section
/// 6.3).
class SampledPairs final : public Pairs {
 public:
  static Declaration<SampledPairs> declare();
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  PairSet sample(const PairSet& all, std::size_t count, Context& context) const;

  std::int64_t count_ = 2000000;
  std::int64_t test_count_ = 0;
  std::string reflexive_ = "training";
};

}  // namespace semblance
