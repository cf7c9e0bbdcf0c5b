// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// The Euclidean distance of series of equal length, step by step.
class Euclidean final : public ElasticDistance {
 public:
  static Declaration<Euclidean> declare();
  double operations() const noexcept override;

 private:
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
};

}  // namespace semblance
