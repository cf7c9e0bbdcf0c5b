// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Dynamic time warping: the root of the smallest sum of squared differences along a path of
/// aligned steps.
class Dtw final : public ElasticDistance {
 public:
  static Declaration<Dtw> declare();

 private:
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
};

}  // namespace semblance
