// SPDX-License-Identifier: MIT
#pragma once

#include "weighting.hpp"

namespace semblance::ml3 {

/// The weights of class `label` among a sample's weights: `models` weights, common to all classes
/// or one set per class.
inline std::span<const float> class_weights(std::span<const float> weights, std::size_t models,
                                            std::size_t label) {
  return weights.size() == models ? weights : weights.subspan(label * models, models);
}

/// Fixed weights for every sample: common to all classes, or separate for each class.
class FixedWeighting final : public Weighting {
 public:
  /// `weights`: one row per sample, with problem.models columns, or that many for each class in
  /// turn. `order`: see Weighting.
  FixedWeighting(const Problem& problem, const FloatMatrix& weights,
                 std::span<const std::uint32_t> order)
      : problem_(problem), weights_(weights), order_(order) {}
  std::span<const std::uint32_t> order() const noexcept override { return order_; }
  std::size_t values_per_sample() const noexcept override { return weights_.cols; }
  std::span<const float> values(std::size_t sample) const noexcept override {
    return weights_.view().row_span(sample);
  }
  Judgement judge(const Sample& sample, std::span<const float> z) override;
  void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
             std::span<float> own_weights, std::span<float> rival_weights) const override;

 private:
  void score(const Sample& sample, std::span<const float> z);

  const Problem& problem_;
  const FloatMatrix& weights_;
  const std::span<const std::uint32_t> order_;
  std::vector<float> scores_;  // of all classes
};

/// weights . z, over the weights that are not 0.
float weighted_sum(std::span<const float> weights, std::span<const float> z);

}  // namespace semblance::ml3
