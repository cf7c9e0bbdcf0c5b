// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Weighted dynamic time warping: steps that are far apart in time cost more.
class Wdtw final : public ElasticDistance {
 public:
  static Declaration<Wdtw> declare();

 private:
  void prepare_bases(MatrixView bases, Context& context) override;
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;

  double g_ = 0.05;
  std::vector<float> weights_;  // of the difference k in time, from -longest to longest
};

}  // namespace semblance
