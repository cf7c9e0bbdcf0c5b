// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "measures/elastic.hpp"
#include "measures/path_sums.hpp"

namespace semblance {

/// Soft dynamic time warping: the smooth minimum of the sums of squared differences over all paths.
class SoftDtw final : public ElasticDistance {
 public:
  static Declaration<SoftDtw> declare();
  void check_parameters() const override;

 private:
  void run(const LanesJob& job) const override { sums_.run(job); }
  std::size_t table_planes() const override { return sums_.table_planes(); }
  bool takes_two_groups() const override { return sums_.takes_two_groups(); }
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;
  double self_distance(std::span<const float> row) const override;
  std::vector<double> with_itself(MatrixView rows, Context& context) const;

  double gamma_ = 1;
  bool divergence_ = true;
  PathSums sums_;
  std::vector<double> own_;  // of each base
};

}  // namespace semblance
