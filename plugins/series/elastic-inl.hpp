// SPDX-License-Identifier: MIT
// What the recurrences of the elastic measures have in common, compiled once a SIMD target: include
// after hwy/foreach_target.h.

#if defined(SEMBLANCE_SERIES_ELASTIC_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_SERIES_ELASTIC_INL_HPP
#undef SEMBLANCE_SERIES_ELASTIC_INL_HPP
#else
#define SEMBLANCE_SERIES_ELASTIC_INL_HPP
#endif

#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "semblance_numerics/lanes-inl.hpp"
#include "series_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance {
namespace HWY_NAMESPACE {

namespace lanes = numerics::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t group_width = numerics::PackedLanes<float>::width;

/// A cell is one number, and what is outside of the window or before the series is infinitely far.
struct SmallestSum {
  using Tag = hn::CappedTag<float, group_width>;
  using Vec = hn::Vec<Tag>;
  using State = Vec;
  static constexpr std::size_t rows = 4;
  static constexpr std::size_t planes = 1;

  SmallestSum(const LanesJob& job, std::size_t part)
      : samples(job.row), bases(job.group.values + part), base_planes(job.planes) {}

  static HWY_INLINE Vec set(float value) { return hn::Set(Tag(), value); }

  State corner() const { return set(0); }
  State outside() const { return set(std::numeric_limits<float>::infinity()); }
  State before(std::size_t) const { return outside(); }
  State above(std::size_t) const { return outside(); }

  HWY_INLINE const float* base(std::size_t j) const {
    return bases + j * base_planes * group_width;
  }
  HWY_INLINE Vec base(std::size_t j, std::size_t plane) const {
    return hn::Load(Tag(), bases + (j * base_planes + plane) * group_width);
  }

  const float* samples;
  const float* bases;
  std::size_t base_planes;
};

/// Of two steps with several channels.
template <class Vec>
HWY_INLINE Vec squared_distance(const float* HWY_RESTRICT x, const float* HWY_RESTRICT b,
                                std::size_t channels) {
  const hn::DFromV<Vec> d;
  Vec sum = hn::Zero(d);
  for (std::size_t c = 0; c < channels; ++c) {
    const Vec difference = hn::Sub(hn::Set(d, x[c]), hn::Load(d, b + c * group_width));
    sum = hn::MulAdd(difference, difference, sum);
  }
  return sum;
}

/// The largest difference of two steps in a channel.
template <class Vec>
HWY_INLINE Vec largest_difference(const float* HWY_RESTRICT x, const float* HWY_RESTRICT b,
                                  std::size_t channels) {
  const hn::DFromV<Vec> d;
  Vec largest = hn::Zero(d);
  for (std::size_t c = 0; c < channels; ++c)
    largest =
        hn::Max(largest, hn::Abs(hn::Sub(hn::Set(d, x[c]), hn::Load(d, b + c * group_width))));
  return largest;
}

/// Runs the recurrence F, made of the job, the first lane of its vectors and `settings`.
template <class F, class... Settings>
HWY_INLINE void run_lanes(const LanesJob& job, const Settings&... settings) {
  for (std::size_t part = 0; part < job.group.count; part += lanes::lanes_at_once<F>) {
    F f(job, part, settings...);
    lanes::start(f, job.group.steps, job.band, part, job.table);
    lanes::advance(f, 0, job.steps, job.band, part, job.table);
    float values[group_width];
    lanes::last_column<F>(job.group, part, job.table, 0, values);
    for (std::size_t k = part; k < part + lanes::lanes_at_once<F> && k < job.group.count; ++k)
      job.results[k] = values[k];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance
HWY_AFTER_NAMESPACE();

#endif
