// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/solver.hpp"

namespace semblance {

/// Also of kind `solver`: learns what samples are usually like, and recognizes those that are not.
/// As a Transform it maps a sample to one score: at least 0 for a usual sample, below 0 for a novel
/// one, the smaller the more unusual.
///
/// It takes any target. If the samples have classes, a component decides by a parameter whether it
/// learns from one class or from all rows.
class NoveltyDetector : public Learner {
 public:
  static const KindInfo& kind_info();
  ~NoveltyDetector() override;

  /// The class whose rows it learns from; empty: all rows.
  virtual std::string learned_class() const { return {}; }
};

}  // namespace semblance
