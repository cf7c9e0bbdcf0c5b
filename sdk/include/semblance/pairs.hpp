// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

/// Two samples, by row, and whether they belong to the same class (+1) or not (-1).
struct Pair {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int32_t label = 0;
};

/// Kind `pairs`: which pairs of examples to train and test on (pairwise SVM, section 2).
class Pairs : public Component {
 public:
  ~Pairs() override;
  virtual std::vector<Pair> select(const TrainingSet& training, Context& context) = 0;
};

}  // namespace semblance
