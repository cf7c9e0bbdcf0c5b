// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance {

class Report;

/// Kind `normalizer`: shifts and scales samples, with statistics of the training samples only. A
/// node with several inputs has one normalizer for each and concatenates their rows.
class Normalizer : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Normalizer() override;

  /// Learns from the training samples. Called after bind(), unless load() is called instead.
  virtual void fit(const TrainingSet& training, Context& context) = 0;

  /// Reports what was learned, such as the relevance of columns. Called once after fit().
  virtual void report(Report& report) const;
};

}  // namespace semblance
