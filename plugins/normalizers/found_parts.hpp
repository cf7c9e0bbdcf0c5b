// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "point_templates.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// `normalizer/found_parts`: squares of each image around points found in it.
class FoundParts final : public Normalizer {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  static Declaration<FoundParts> declare();

 private:
  PointTemplate point_template() const;
  std::vector<double> sum_of_squares_found(const Rows& rows, Context& context) const;
  void set_templates(std::span<const double> sums);

  // From left to right, symmetric: outer corner and inner corner of the left eye, nostril, corner
  // of the mouth, tip of the nose, and the same of the other side.
  std::vector<double> x_ = {0.178, 0.418, 0.392, 0.305, 0.5, 0.695, 0.608, 0.582, 0.822};
  std::vector<double> y_ = {0.428, 0.422, 0.633, 0.749, 0.606, 0.749, 0.633, 0.422, 0.428};
  std::int64_t template_ = 28;
  std::int64_t search_ = 6;
  std::int64_t rounds_ = 3;
  std::int64_t part_ = 40;
  Layout input_;
  std::vector<Corner> template_corners_;  ///< the average positions of the points
  std::vector<Corner> part_corners_;
  FloatMatrix templates_;  ///< one per row, with mean 0 and length 1; or 0
};

}  // namespace semblance
