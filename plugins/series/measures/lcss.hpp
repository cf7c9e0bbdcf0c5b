// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Longest common subsequence: the share of steps that cannot be matched in order, within a
/// tolerance.
class Lcss final : public ElasticDistance {
 public:
  static Declaration<Lcss> declare();

 private:
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;

  double epsilon_ = 0.25;
};

}  // namespace semblance
