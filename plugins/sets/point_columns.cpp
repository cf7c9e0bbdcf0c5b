// SPDX-License-Identifier: MIT
#include "point_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "semblance/error.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "point_columns.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::sets {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using FloatVec = hn::Vec<Floats>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());

HWY_INLINE FloatVec squared_distance(const float* point, const PointColumns& points,
                                     std::size_t first) {
  constexpr Floats d;
  FloatVec sum = hn::Zero(d);
  for (std::size_t k = 0; k < points.dimension(); ++k) {
    const FloatVec difference =
        hn::Sub(hn::Set(d, point[k]), hn::Load(d, points.data() + k * points.padded() + first));
    sum = hn::Add(sum, hn::Mul(difference, difference));
  }
  return sum;
}

}  // namespace

void point_distances(const float* point, const PointColumns& points, float* distances) {
  constexpr Floats d;
  for (std::size_t first = 0; first < points.padded(); first += lanes)
    hn::StoreU(squared_distance(point, points, first), d, distances + first);
}

void nearest_points(std::span<const float> set, const PointColumns& points, float* of_set,
                    float* of_points) {
  constexpr Floats d;
  std::fill_n(of_points, points.padded(), std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i * points.dimension() < set.size(); ++i) {
    FloatVec nearest = hn::Set(d, std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < points.padded(); first += lanes) {
      const FloatVec distance =
          squared_distance(set.data() + i * points.dimension(), points, first);
      nearest = hn::Min(nearest, distance);
      hn::StoreU(hn::Min(hn::LoadU(d, of_points + first), distance), d, of_points + first);
    }
    of_set[i] = hn::GetLane(hn::MinOfLanes(d, nearest));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::sets
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::sets {

HWY_EXPORT(point_distances);
HWY_EXPORT(nearest_points);

PointColumns::PointColumns(std::span<const float> set, std::size_t dimension)
    : points_(set.size() / dimension),
      dimension_(dimension),
      padded_((points_ + padding - 1) / padding * padding),
      values_(padded_ * dimension) {
  std::fill_n(values_.data(), values_.size(), std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < points_; ++i)
    for (std::size_t k = 0; k < dimension; ++k)
      values_.data()[k * padded_ + i] = set[i * dimension + k];
}

void check_points(std::span<const float> set, const char* whose) {
  for (std::size_t k = 0; k < set.size(); ++k)
    if (!std::isfinite(set[k]))
      throw Error("value " + std::to_string(k) + " of " + whose + " is " +
                  (std::isnan(set[k]) ? "not a number" : "infinite") +
                  "; remove or replace such values");
}

void squared_distances(const float* point, const PointColumns& points, float* distances) {
  HWY_DYNAMIC_DISPATCH(point_distances)(point, points, distances);
}

void nearest_squared(std::span<const float> set, const PointColumns& points, float* of_set,
                     float* of_points) {
  HWY_DYNAMIC_DISPATCH(nearest_points)(set, points, of_set, of_points);
}

}  // namespace semblance::sets
#endif
