// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance {

/// Kind `normalizer`: shifts and scales samples, with statistics of the training samples only. A
/// node with several inputs has one normalizer for each and concatenates their rows.
class Normalizer : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Normalizer() override;

  /// Learns from the training samples. Called after bind(), unless load() is called instead.
  virtual void fit(const TrainingSet& training, Context& context) = 0;
};

}  // namespace semblance
