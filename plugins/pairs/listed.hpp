// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "listed_file.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Test pairs from a protocol file, such as those of Labeled Faces in the Wild.
class ListedPairs final : public Pairs {
 public:
  static Declaration<ListedPairs> declare();
  std::vector<std::string> files() const override { return {path_.value}; }
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  Path path_;
  std::int64_t fold_ = 0;
  std::unique_ptr<Pairs> train_;
};

}  // namespace semblance
