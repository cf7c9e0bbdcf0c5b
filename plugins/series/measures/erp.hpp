// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Edit distance with real penalty: skipped steps are compared with a gap value.
class Erp final : public ElasticDistance {
 public:
  static Declaration<Erp> declare();

 private:
  std::size_t planes(std::size_t channels) const override { return channels + 2; }
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  void run(const LanesJob& job) const override;

  double g_ = 0;
};

}  // namespace semblance
