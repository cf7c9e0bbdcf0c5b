// SPDX-License-Identifier: MIT
#include "measures/path_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/path_sums.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// The exponent that represents zero. Adding exponents of cells does not change it.
constexpr float no_path = -1e30f;

using PathTag = hn::CappedTag<float, group_width>;
using PathVec = hn::Vec<PathTag>;

// mantissa * 2^exponent + sum, for integer exponents up to 0.
HWY_INLINE PathVec add_scaled(PathVec mantissa, PathVec exponent, PathVec sum) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return hn::Add(PathVec{_mm512_scalef_ps(mantissa.raw, exponent.raw)}, sum);
#else
  const PathTag d;
  const hn::RebindToSigned<PathTag> di;
  // Below 2^-126 it is negligible relative to a sum of at least 1/4.
  const auto shift = hn::ConvertTo(di, hn::Max(exponent, hn::Set(d, -126)));
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(shift, hn::Set(di, 127))));
  return hn::MulAdd(mantissa, power, sum);
#endif
}

struct Scaled {
  PathVec mantissa, exponent;
};

// A positive normal number, with a mantissa in [1, 2).
HWY_INLINE Scaled normalized(PathVec x) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return {PathVec{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src)},
          PathVec{_mm512_getexp_ps(x.raw)}};
#else
  const PathTag d;
  const hn::RebindToSigned<PathTag> di;
  const auto bits = hn::BitCast(di, x);
  const auto exponent = hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 127));
  const auto digits = hn::Or(hn::And(bits, hn::Set(di, 0x007fffff)), hn::Set(di, 0x3f800000));
  return {hn::BitCast(d, digits), hn::ConvertTo(d, exponent)};
#endif
}

// 2^x for x <= 0, with a relative error of 1e-7; exactly 1 for 0. The coefficients are those of the
// best polynomial of degree 6 on [-1/2, 1/2] with constant 1.
HWY_INLINE Scaled power_of_2(PathVec x) {
  const PathTag d;
  const PathVec whole = hn::Round(x);
  const PathVec rest = hn::Sub(x, whole);
  PathVec sum = hn::Set(d, 1.535920892e-4f);
  sum = hn::MulAdd(sum, rest, hn::Set(d, 1.339262701e-3f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 9.618384764e-3f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 5.550347269e-2f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 2.402264476e-1f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 6.931471825e-1f));
  return {hn::MulAdd(sum, rest, hn::Set(d, 1)), whole};
}

struct PathStep {
  const float* values;
  PathVec first;
};

// kPaired: each lane has its own row series, the basis itself.
template <bool kVectors, bool kPaired, bool kHalved, bool kWeighted>
struct PathCells {
  using Tag = PathTag;
  using Vec = PathVec;
  static constexpr std::size_t rows = without_vectors ? 1 : 4;
  static constexpr std::size_t planes = 2;
  struct State {
    Vec plane[2];  // mantissa and exponent
  };
  struct Row {
    PathStep step;
    const float* log_weights;  // of column 0
  };
  struct Column {
    PathStep step;
    std::size_t j;
  };

  PathCells(const LanesJob& job, std::size_t part, float scale, const float* middle)
      : samples(kPaired ? job.group.values + part : job.row),
        bases(job.group.values + part),
        channels(kVectors ? job.channels : 1),
        rate(hn::Set(Tag(), -scale)),
        log_weights(middle) {}

  static State power(float exponent) { return {{hn::Set(Tag(), 1), hn::Set(Tag(), exponent)}}; }
  State corner() const { return power(0); }
  State outside() const { return power(no_path); }
  State before(std::size_t) const { return outside(); }
  State above(std::size_t) const { return outside(); }

  PathStep base(const float* series, std::size_t t) const {
    const float* values = series + t * channels * group_width;
    return {values, hn::Load(Tag(), values)};
  }
  Row row(std::size_t i) const {
    const float* weights = kWeighted ? log_weights - i : nullptr;
    if constexpr (kPaired) return {base(samples, i), weights};
    const float* values = samples + i * channels;
    return {{values, hn::Set(Tag(), values[0])}, weights};
  }
  Column column(std::size_t j) const { return {base(bases, j), j}; }

  HWY_INLINE Vec squared(const PathStep& x, const PathStep& b) const {
    Vec difference = hn::Sub(x.first, b.first);
    Vec sum = hn::Mul(difference, difference);
    if constexpr (kVectors) {
      for (std::size_t c = 1; c < channels; ++c) {
        const Vec other =
            kPaired ? hn::Load(Tag(), x.values + c * group_width) : hn::Set(Tag(), x.values[c]);
        difference = hn::Sub(other, hn::Load(Tag(), b.values + c * group_width));
        sum = hn::MulAdd(difference, difference, sum);
      }
    }
    return sum;
  }

  HWY_INLINE Scaled local(const Row& row, const Column& column) const {
    Vec logarithm = hn::Mul(rate, squared(row.step, column.step));
    if constexpr (kWeighted)
      logarithm = hn::Add(logarithm, hn::Set(Tag(), row.log_weights[column.j]));
    Scaled kernel = power_of_2(logarithm);
    if constexpr (kHalved) {
      const Vec zero = hn::Zero(Tag());
      const Vec value = add_scaled(kernel.mantissa, kernel.exponent, zero);
      kernel.mantissa = hn::Div(kernel.mantissa, hn::Sub(hn::Set(Tag(), 2), value));
    }
    return kernel;
  }

  // above and left in one sum, so that it is the same with the two series exchanged.
  HWY_INLINE State cell(const Row& row, const Column& column, const State& above,
                        const State& diagonal, const State& left) const {
    const Scaled kernel = local(row, column);
    const Vec most = hn::Max(hn::Max(above.plane[1], left.plane[1]), diagonal.plane[1]);
    Vec sum = add_scaled(above.plane[0], hn::Sub(above.plane[1], most), hn::Zero(Tag()));
    sum = add_scaled(left.plane[0], hn::Sub(left.plane[1], most), sum);
    sum = add_scaled(diagonal.plane[0], hn::Sub(diagonal.plane[1], most), sum);
    const Scaled product = normalized(hn::Mul(sum, kernel.mantissa));
    return {{product.mantissa, hn::Add(hn::Add(most, kernel.exponent), product.exponent)}};
  }

  const float* samples;
  const float* bases;
  std::size_t channels;
  Vec rate;
  const float* log_weights;
};

template <class F>
HWY_INLINE void advance_to(F& f, const LanesJob& job, std::size_t part, std::size_t begin,
                           std::size_t end, float* mantissas, float* exponents) {
  advance(f, begin, end, EveryColumn{job.group.steps}, part, job.table);
  last_column<F>(job.group, part, job.table, 0, mantissas);
  last_column<F>(job.group, part, job.table, 1, exponents);
}

HWY_INLINE double logarithm(float mantissa, float exponent) {
  return exponent + std::log2(static_cast<double>(mantissa));
}

// Each lane has one row per step of its basis: finished lanes stop, the others continue.
template <class F>
HWY_INLINE void sum_pairs(F& f, const LanesJob& job, std::size_t part) {
  float mantissas[group_width], exponents[group_width];
  std::size_t row = 0;
  for (std::size_t k = part; k < part + lanes_at_once<F> && k < job.group.count; ++k) {
    const std::size_t end = job.group.lengths[k];
    if (end > row) advance_to(f, job, part, row, end, mantissas, exponents);
    row = end;
    job.results[k] = logarithm(mantissas[k], exponents[k]);
  }
}

template <bool kVectors, bool kPaired, bool kHalved, bool kWeighted>
void sum_group(const LanesJob& job, float rate, const float* log_weights) {
  using F = PathCells<kVectors, kPaired, kHalved, kWeighted>;
  float mantissas[group_width], exponents[group_width];
  for (std::size_t part = 0; part < job.group.count; part += lanes_at_once<F>) {
    F f(job, part, rate, log_weights);
    start(f, job.group.steps, EveryColumn{job.group.steps}, part, job.table);
    if constexpr (kPaired) {
      sum_pairs(f, job, part);
      continue;
    }
    advance_to(f, job, part, 0, job.steps, mantissas, exponents);
    for (std::size_t k = part; k < part + lanes_at_once<F> && k < job.group.count; ++k)
      job.results[k] = logarithm(mantissas[k], exponents[k]);
  }
}

template <bool kVectors, bool kPaired>
HWY_INLINE void sum_of_kind(const LanesJob& job, float rate, bool halved,
                            const float* log_weights) {
  if (!halved) return sum_group<kVectors, kPaired, false, false>(job, rate, nullptr);
  if (!log_weights) return sum_group<kVectors, kPaired, true, false>(job, rate, nullptr);
  sum_group<kVectors, kPaired, true, true>(job, rate, log_weights);
}

// Without a row, the lanes' own series are used: so few that one channel needs no code of its own.
void path_sum_lanes(const LanesJob& job, float rate, bool halved, const float* log_weights) {
  if (!job.row) return sum_of_kind<true, true>(job, rate, halved, log_weights);
  if (job.channels > 1) return sum_of_kind<true, false>(job, rate, halved, log_weights);
  sum_of_kind<false, false>(job, rate, halved, log_weights);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "measures/series_checks.hpp"
#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

HWY_EXPORT(path_sum_lanes);

PathSums::PathSums(const Settings& settings)
    : rate_(settings.rate * std::numbers::log2e),
      halved_(settings.halved),
      longest_(settings.longest),
      triangle_(settings.triangle) {
  if (triangle_ > 0) log_weights_ = log_weights(longest_);
}

std::vector<float> PathSums::log_weights(std::size_t longest) const {
  std::vector<float> weights(2 * longest + 1);
  for (std::size_t k = 0; k <= longest; ++k) {
    const double weight =
        k < triangle_ ? 1 - static_cast<double>(k) / static_cast<double>(triangle_) : 0;
    weights[longest + k] = weights[longest - k] =
        static_cast<float>(weight > 0 ? std::log2(weight) : -1e30);
  }
  return weights;
}

void PathSums::check(MatrixView rows, const Layout& layout, RowError::Of of) const {
  check_finite(rows, layout, of);
  // A product along a path then stays far above the representation of 0.
  const double largest = std::sqrt(1e24 / (rate_ * static_cast<double>(layout.depth))) / 2;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (const float x : rows.row_span(i))
      if (std::abs(x) > largest)
        throw RowError(of, i, "",
                       " (counted from 0) has the value " + to_text(Value(double(x))) +
                           ", which is too large for this kernel; normalize the series "
                           "(feature/znorm) or choose a wider kernel");
}

void PathSums::run(const LanesJob& job) const {
  const auto run_with = [&](const float* middle) {
    HWY_DYNAMIC_DISPATCH(path_sum_lanes)(job, static_cast<float>(rate_), halved_, middle);
  };
  if (triangle_ == 0) return run_with(nullptr);
  if (const std::size_t steps = job.longest(); steps > longest_)
    return run_with(log_weights(steps).data() + steps);
  run_with(log_weights_.data() + longest_);
}

void PathSums::with_itself(MatrixView rows, const Layout& layout, bool dependent, double* sums,
                           Context& context) const {
  using Lanes = PackedLanes<float>;
  const std::size_t parts = dependent ? 1 : layout.depth;
  std::vector<std::uint32_t> lengths(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    lengths[i] = static_cast<std::uint32_t>(rows.size(i) / layout.depth);
  const std::size_t longest = rows.rows == 0 ? 0 : *std::ranges::max_element(lengths);
  numerics::AlignedBuffer table(longest * table_planes() * Lanes::width);
  std::vector<float> series;
  std::fill_n(sums, rows.rows, 0.0);
  for (std::size_t part = 0; part < parts; ++part) {
    Lanes packed(lengths, layout.depth / parts);
    for (std::size_t i = 0; i < rows.rows; ++i)
      packed.set(i, channel_of(rows.row_span(i), parts, part, series).data());
    numerics::LaneBand all;
    for (const Lanes::Group& group : packed.groups()) {
      context.check_stop();
      all.update(group.steps, group.lengths, 100);
      double results[Lanes::width];
      run({group, packed.planes(), nullptr, group.steps, layout.depth / parts, all, table.data(),
           results});
      for (std::size_t lane = 0; lane < group.count; ++lane)
        sums[group.sequences[lane]] += results[lane];
    }
  }
}

}  // namespace semblance::series
#endif
