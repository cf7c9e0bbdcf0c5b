// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Shape-based distance: 1 minus the largest normalized cross-correlation over all shifts.
class Sbd final : public ElasticDistance {
 public:
  static Declaration<Sbd> declare();
  double operations() const noexcept override;

 private:
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
  double self_distance(std::span<const float> row) const override;
};

}  // namespace semblance
