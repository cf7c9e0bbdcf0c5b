// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Move-split-merge: the least cost of turning one series into the other by moving, splitting and
/// merging steps.
class Msm final : public ElasticDistance {
 public:
  static Declaration<Msm> declare();

 private:
  std::size_t planes(std::size_t channels) const override {
    return channels == 1 ? 3 : channels + 1;
  }
  void prepare_base(std::span<const float> series, std::size_t channels,
                    float* steps) const override;
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  std::size_t table_planes() const override { return 4; }
  void run(const LanesJob& job) const override;

  double c_ = 1;
};

}  // namespace semblance
