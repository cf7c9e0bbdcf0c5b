// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Training pairs that the pipeline itself names by their rows, as a program does that has them in
/// memory.
class GivenPairs final : public Pairs {
 public:
  static Declaration<GivenPairs> declare();
  void check_parameters() const override;
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> second_;
  std::vector<std::int64_t> same_;
};

}  // namespace semblance
