// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Time warp edit distance: deletions and matches, with a stiffness that punishes distance in time.
class Twe final : public ElasticDistance {
 public:
  static Declaration<Twe> declare();

 private:
  std::size_t planes(std::size_t channels) const override { return channels + 1; }
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  std::size_t table_planes() const override { return 3; }
  void prepare_bases(MatrixView bases, Context& context) override;
  void run(const LanesJob& job) const override;

  double nu_ = 0.001;
  double lambda_ = 1;
  std::vector<float> stiffness_;  // 2 nu |k| of the difference k in time, from -longest to longest
};

}  // namespace semblance
