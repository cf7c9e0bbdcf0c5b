// SPDX-License-Identifier: MIT
#pragma once

#include "coding/coordinate_coding.hpp"
#include "problem.hpp"

namespace semblance::ml3 {

/// The `count` first principal directions of the `nearest` rows, minus their centre, nearest to
/// each anchor, by falling variance: (anchors x count) rows of unit length, the value of each that
/// is largest in size positive. A direction without variance is 0. Needs count < nearest <= rows.
FloatMatrix local_tangents(const TrainingRows& rows, const FloatMatrix& anchors, std::size_t count,
                           std::size_t nearest, const Surroundings& surroundings);

/// The features of improved local coordinate coding (Yu and Zhang 2010): for each anchor v that has
/// a coordinate, `scale` gamma_v and gamma_v u . (x - v) for each of its tangents u. Column
/// v (1 + count) is that of the anchor, its tangents follow. Without tangents, the coordinates.
class TangentFeatures {
 public:
  TangentFeatures() = default;
  TangentFeatures(const FloatMatrix& anchors, FloatMatrix tangents, double scale);

  std::size_t count() const noexcept { return count_; }  ///< of tangents of an anchor
  const FloatMatrix& tangents() const noexcept { return tangents_; }

  /// Appends the features of a row with these coordinates.
  void extend(std::span<const float> row, std::span<const Entry> codes,
              std::vector<Entry>& features) const;

 private:
  /// u . (x - v), of the tangent at that place.
  float along(std::span<const float> row, std::size_t t) const;

  FloatMatrix tangents_;
  std::vector<double> offsets_;  // u . v
  bool in_double_ = false;       // u . x - u . v is small relative to both terms if anchors are far
                                 // from 0
  std::size_t count_ = 0;
  double scale_ = 1;
};

}  // namespace semblance::ml3
