// SPDX-License-Identifier: MIT
// The common part of the elastic measures' recurrences, compiled once per SIMD target: include
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
#include "lanes/lanes-inl.hpp"
#include "measures/series_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t group_width = PackedLanes<float>::width;

using SumTag = hn::CappedTag<float, group_width>;
using SumVec = hn::Vec<SumTag>;

/// The code of processors without the vector instructions of this century is compiled in its
/// shortest form.
constexpr bool without_vectors = HWY_TARGET == HWY_SCALAR;

/// A cell's sum as one float32: for series of up to some thousand steps.
struct OneFloat {
  using State = SumVec;
  static constexpr std::size_t planes = 1;
  static HWY_INLINE State of(SumVec value) { return value; }
  static HWY_INLINE State plus(State sum, SumVec cost) { return hn::Add(sum, cost); }
  static HWY_INLINE State plus_product(State sum, SumVec a, SumVec b) {
    return hn::MulAdd(a, b, sum);
  }
  static HWY_INLINE State least(State a, State b) { return hn::Min(a, b); }
};

/// The same as a sum of two float32, the second of which is the rounding error of the first (Knuth,
/// The art of computer programming 2, 4.2.2, theorem B): sums of any number of steps retain
/// float32's digits. If the first is infinite, the second is ignored.
struct TwoFloats {
  static constexpr std::size_t planes = 2;
  struct State {
    SumVec plane[2];
  };
  static HWY_INLINE State of(SumVec value) { return {{value, hn::Zero(SumTag())}}; }
  static HWY_INLINE State plus(const State& sum, SumVec cost) {
    const SumVec high = hn::Add(sum.plane[0], cost), added = hn::Sub(high, sum.plane[0]);
    const SumVec error = hn::Add(hn::Sub(sum.plane[0], hn::Sub(high, added)), hn::Sub(cost, added));
    // The error of an infinite sum is NaN.
    const auto finite = hn::Lt(high, hn::Set(SumTag(), std::numeric_limits<float>::infinity()));
    const SumVec low = hn::IfThenElseZero(finite, hn::Add(sum.plane[1], error));
    const SumVec both = hn::Add(high, low);
    return {{both, hn::Sub(low, hn::Sub(both, high))}};
  }
  static HWY_INLINE State plus_product(const State& sum, SumVec a, SumVec b) {
    return plus(sum, hn::Mul(a, b));
  }
  static HWY_INLINE State least(const State& a, const State& b) {
    const auto less =
        hn::Or(hn::Lt(a.plane[0], b.plane[0]),
               hn::And(hn::Eq(a.plane[0], b.plane[0]), hn::Lt(a.plane[1], b.plane[1])));
    return {{hn::IfThenElse(less, a.plane[0], b.plane[0]),
             hn::IfThenElse(less, a.plane[1], b.plane[1])}};
  }
};

/// Rows that advance together; one at a time takes longer, but is compiled in a quarter of the
/// time: for what is rare, thousands of steps with several channels.
template <class S, bool kVectors>
inline constexpr std::size_t rows_at_once = without_vectors || (kVectors && S::planes == 2) ? 1 : 4;

/// A cell is one sum; cells outside of the window or before the series are infinite.
template <class S>
struct SmallestOf {
  using Sum = S;
  using Tag = SumTag;
  using Vec = SumVec;
  using State = typename S::State;
  static constexpr std::size_t rows = rows_at_once<S, false>;
  static constexpr std::size_t planes = S::planes;
  static constexpr bool in_pairs = false;  // whether Twice makes it faster

  SmallestOf(const LanesJob& job, std::size_t part)
      : samples(job.row), bases(job.group.values + part), base_planes(job.planes) {}

  static HWY_INLINE Vec set(float value) { return hn::Set(Tag(), value); }

  State corner() const { return S::of(set(0)); }
  State outside() const { return S::of(set(std::numeric_limits<float>::infinity())); }
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
using SmallestSum = SmallestOf<OneFloat>;

/// A sum and something else of the cell, which is the last plane.
template <class S>
struct SumAndMore {
  static constexpr std::size_t planes = S::planes + 1;
  SumVec plane[planes];

  static HWY_INLINE SumAndMore of(const typename S::State& sum, SumVec more) {
    if constexpr (S::planes == 1)
      return {{sum, more}};
    else
      return {{sum.plane[0], sum.plane[1], more}};
  }
  HWY_INLINE typename S::State sum() const {
    if constexpr (S::planes == 1)
      return plane[0];
    else
      return {{plane[0], plane[1]}};
  }
  HWY_INLINE SumVec more() const { return plane[S::planes]; }
};

/// The distance of two steps with several channels.
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

/// The distance of two steps, of one channel unless they are vectors.
template <bool kVectors, class Row, class Column>
HWY_INLINE SumVec step_distance(const Row& row, const Column& column, std::size_t channels) {
  if constexpr (kVectors)
    return hn::Sqrt(squared_distance<SumVec>(row.x, column.b, channels));
  else
    return hn::Abs(hn::Sub(row.value, column.value));
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

/// Counts matching steps: two steps match if no channel differs by more than the tolerance, in
/// float32.
template <bool kVectors>
struct MatchingSteps : SmallestSum {
  static constexpr bool in_pairs = !kVectors;
  struct Row {
    const float* x;
    Vec value;
  };
  struct Column {
    const float* b;
    Vec value;
  };
  MatchingSteps(const LanesJob& job, std::size_t part, float tolerance)
      : SmallestSum(job, part), epsilon(set(tolerance)), channels(kVectors ? job.channels : 1) {}

  Row row(std::size_t i) const {
    const float* x = samples + i * channels;
    return {x, set(x[0])};
  }
  Column column(std::size_t j) const { return {base(j), base(j, 0)}; }
  HWY_INLINE auto match(const Row& row, const Column& column) const {
    Vec difference = hn::Abs(hn::Sub(row.value, column.value));
    if constexpr (kVectors) difference = largest_difference<Vec>(row.x, column.b, channels);
    return hn::Le(difference, epsilon);
  }

  Vec epsilon;
  std::size_t channels;
};

/// The result of F in the last column of each lane from `part` on.
template <class F>
HWY_INLINE void take_results(const LanesJob::Group& group, std::size_t part, const float* table,
                             std::size_t plane, double* results) {
  float values[group_width];
  last_column<F>(group, part, table, plane, values);
  for (std::size_t k = part; k < part + lanes_at_once<F> && k < group.count; ++k)
    results[k] = values[k];
}

/// All columns of the band: for two groups compared together, those of the longer one.
HWY_INLINE std::size_t columns_of(const LanesJob& job) {
  return job.band.full() ? job.band.last(0) + 1 : job.group.steps;
}

template <class F, class... Settings>
HWY_INLINE void run_part(const LanesJob& job, std::size_t part, const Settings&... settings) {
  F f(job, part, settings...);
  start(f, columns_of(job), job.band, part, job.table);
  advance(f, 0, job.steps, job.band, part, job.table);
  take_results<F>(job.group, part, job.table, 0, job.results);
  if constexpr (F::Sum::planes == 2) {
    double low[group_width];
    take_results<F>(job.group, part, job.table, 1, low);
    for (std::size_t k = part; k < part + lanes_at_once<F> && k < job.group.count; ++k)
      job.results[k] += low[k];
  }
}

/// Two parts of a group, or the only ones of two groups, together; `second` is not the shorter one.
template <class F, class... Settings>
HWY_INLINE void run_two_parts(const LanesJob& job, std::size_t part, const LanesJob& second,
                              std::size_t second_part, const Settings&... settings) {
  using Two = Twice<F>;
  Two f{F(job, part, settings...), F(second, second_part, settings...)};
  start(f, columns_of(second), second.band, part, job.table);
  advance(f, 0, job.steps, second.band, part, job.table);
  take_results<Two>(job.group, part, job.table, 0, job.results);
  take_results<Two>(second.group, second_part, job.table, F::planes, second.results);
}

template <class F>
inline constexpr bool runs_in_pairs = F::in_pairs && !without_vectors;

/// Runs F on the first group only; two vectors at a time, unless the band differs between lanes.
template <class F, class... Settings>
HWY_NOINLINE void run_group(const LanesJob& job, const Settings&... settings) {
  constexpr std::size_t at_once = lanes_at_once<F>;
  std::size_t part = 0;
  if constexpr (at_once < group_width && runs_in_pairs<F>)
    for (; part + at_once < job.group.count && !job.band.mixed(); part += 2 * at_once)
      run_two_parts<F>(job, part, job, part + at_once, settings...);
  for (; part < job.group.count; part += at_once) run_part<F>(job, part, settings...);
}

/// Runs the recurrence F, constructed from the job, the first lane of its vectors and `settings`.
template <class F, class... Settings>
HWY_INLINE void run_lanes(const LanesJob& job, const Settings&... settings) {
  if (!job.next) return run_group<F>(job, settings...);
  const LanesJob second = job.second();
  if constexpr (lanes_at_once<F> == group_width && runs_in_pairs<F>) {
    run_two_parts<F>(job, 0, second, 0, settings...);
  } else {
    run_group<F>(job, settings...);
    run_group<F>(second, settings...);
  }
}

/// The same for a recurrence over sums, which are two numbers if series may be long.
template <template <class> class F, class... Settings>
HWY_INLINE void run_sums(const LanesJob& job, const Settings&... settings) {
  if (job.long_sums) return run_lanes<F<TwoFloats>>(job, settings...);
  run_lanes<F<OneFloat>>(job, settings...);
}

/// The same for a recurrence with a parameter for steps with several channels.
template <template <bool> class F, class... Settings>
HWY_INLINE void run_steps(const LanesJob& job, const Settings&... settings) {
  if (job.channels == 1) return run_lanes<F<false>>(job, settings...);
  run_lanes<F<true>>(job, settings...);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#endif
