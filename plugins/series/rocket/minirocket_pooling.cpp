// SPDX-License-Identifier: MIT
#include "rocket/minirocket_pooling.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rocket/minirocket_pooling.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance {
namespace HWY_NAMESPACE {
namespace rocket {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using CountTag = hn::ScalableTag<std::int32_t>;
using FloatVec = hn::Vec<FloatTag>;
using CountVec = hn::Vec<CountTag>;

inline constexpr std::size_t lanes = HWY_LANES(float);
/// Steps at a time: what all kernels read of them stays in the first-level cache.
inline constexpr std::size_t tile_steps = 64;
/// Biases at a time, as the registers allow.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr std::size_t most_biases = 8, most_biases_four = 4;
#else
inline constexpr std::size_t most_biases = 6, most_biases_four = 2;
#endif

using Floats = hwy::AlignedFreeUniquePtr<float[]>;

inline Floats zeros(std::size_t vectors) {
  Floats values = hwy::AllocateAligned<float>(vectors * lanes);
  std::fill_n(values.get(), vectors * lanes, 0.0f);
  return values;
}

/// What has been counted of one bias, in memory between tiles: vectors of counts, bit by bit.
struct Partial {
  CountVec count;
  FloatVec sum;
  CountVec ahead;  ///< the counts after each step, added up: tells the sum of positions
  CountVec run;
  CountVec longest;
};

inline constexpr std::size_t partial_vectors(RocketPooling pooling) {
  return pooling == RocketPooling::four ? 5 : 1;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Masks have registers of their own: each of these is one masked addition.
template <class Mask>
HWY_INLINE CountVec count_one(Mask positive, CountVec count) {
  const auto mask = hn::RebindMask(CountTag(), positive);
  return hn::IfThenElse(mask, hn::Add(count, hn::Set(CountTag(), 1)), count);
}
template <class Mask>
HWY_INLINE FloatVec add_where(Mask positive, FloatVec sum, FloatVec value) {
  return hn::IfThenElse(positive, hn::Add(sum, value), sum);
}
template <class Mask>
HWY_INLINE CountVec extend(Mask positive, CountVec run) {
  const auto mask = hn::RebindMask(CountTag(), positive);
  return hn::IfThenElseZero(mask, hn::Add(run, hn::Set(CountTag(), 1)));
}
#else
// A mask is a vector of -1 and 0.
template <class Mask>
HWY_INLINE CountVec count_one(Mask positive, CountVec count) {
  return hn::Sub(count, hn::BitCast(CountTag(), hn::VecFromMask(FloatTag(), positive)));
}
template <class Mask>
HWY_INLINE FloatVec add_where(Mask positive, FloatVec sum, FloatVec value) {
  return hn::Add(sum, hn::IfThenElseZero(positive, value));
}
template <class Mask>
HWY_INLINE CountVec extend(Mask positive, CountVec run) {
  const auto ones = hn::BitCast(CountTag(), hn::VecFromMask(FloatTag(), positive));
  return hn::And(ones, hn::Sub(run, ones));
}
#endif

template <RocketPooling kPooling>
HWY_INLINE void load_partial(const float* HWY_RESTRICT from, Partial& p) {
  const auto counts = [&](std::size_t i) HWY_ATTR {
    return hn::BitCast(CountTag(), hn::Load(FloatTag(), from + i * lanes));
  };
  p.count = counts(0);
  if constexpr (kPooling == RocketPooling::four) {
    p.sum = hn::Load(FloatTag(), from + lanes);
    p.ahead = counts(2), p.run = counts(3), p.longest = counts(4);
  }
}

template <RocketPooling kPooling>
HWY_INLINE void store_partial(const Partial& p, float* HWY_RESTRICT to) {
  const auto store = [&](CountVec v, std::size_t i) HWY_ATTR {
    hn::Store(hn::BitCast(FloatTag(), v), FloatTag(), to + i * lanes);
  };
  store(p.count, 0);
  if constexpr (kPooling == RocketPooling::four) {
    hn::Store(p.sum, FloatTag(), to + lanes);
    store(p.ahead, 2), store(p.run, 3), store(p.longest, 4);
  }
}

template <RocketPooling kPooling>
HWY_INLINE void count_step(FloatVec value, FloatVec bias, Partial& p) {
  const auto positive = hn::Gt(value, bias);
  p.count = count_one(positive, p.count);
  if constexpr (kPooling == RocketPooling::four) {
    p.sum = add_where(positive, p.sum, value);
    p.ahead = hn::Add(p.ahead, p.count);
    p.run = extend(positive, p.run);
    p.longest = hn::Max(p.longest, p.run);
  }
}

/// The values of a convolution, as the sum of two parts.
struct Sums {
  const float* a;
  const float* b;
};

/// Counts `steps` values of the convolution for the biases I, all kept in registers.
template <RocketPooling kPooling, std::size_t... I>
HWY_INLINE void count_tile(Sums sums, std::size_t steps, const float* HWY_RESTRICT biases,
                           float* HWY_RESTRICT partials, std::index_sequence<I...>) {
  constexpr std::size_t size = partial_vectors(kPooling) * lanes;
  const float* HWY_RESTRICT a = sums.a;
  const float* HWY_RESTRICT b = sums.b;
  Partial p[sizeof...(I)];
  const FloatVec bias[] = {hn::Set(FloatTag(), biases[I])...};
  (load_partial<kPooling>(partials + I * size, p[I]), ...);
  for (std::size_t j = 0; j < steps * lanes; j += lanes) {
    const FloatVec value = hn::Add(hn::Load(FloatTag(), a + j), hn::Load(FloatTag(), b + j));
    (count_step<kPooling>(value, bias[I], p[I]), ...);
  }
  (store_partial<kPooling>(p[I], partials + I * size), ...);
}

template <RocketPooling kPooling, std::size_t kCount>
void count_biases(std::size_t count, Sums sums, std::size_t steps, const float* biases,
                  float* partials) {
  if constexpr (kCount > 1)
    if (count < kCount)
      return count_biases<kPooling, kCount - 1>(count, sums, steps, biases, partials);
  count_tile<kPooling>(sums, steps, biases, partials, std::make_index_sequence<kCount>());
}

/// A group of series, one a lane, on its way through a bank.
template <RocketPooling kPooling>
class Group {
 public:
  Group(const RocketBank& bank, bool difference, std::span<const SeriesView> series)
      : bank_(bank), difference_(difference), series_(series) {
    for (std::size_t l = 0; l < lanes; ++l) {
      steps_[l] = l < series.size() ? series[l].steps() - (difference ? 1 : 0) : 0;
      longest_ = std::max(longest_, steps_[l]);
      if (l < series.size()) shortest_ = std::min(shortest_, steps_[l]);
    }
    border_ = std::size_t{4} * bank.dilations.back();
    pack();
    const std::size_t most = *std::max_element(bank.biases_each.begin(), bank.biases_each.end());
    tile_ = longest_ <= 2 * tile_steps ? longest_ : tile_steps;
    const bool tiled = tile_ < longest_;
    stride_ = tiled ? most * partial_vectors(kPooling) * lanes : 0;
    partials_ = zeros(most * partial_vectors(kPooling) * (tiled ? rocket_kernel_count : 1));
    alphas_ = zeros(tile_ * bank.channels);
    pair_ = zeros(tile_);
    sums_ = zeros(tile_);
    nothing_ = zeros(tile_);
    features_.resize(most * 4 * lanes);
  }

  void run(std::span<float* const> rows, const std::function<void()>& poll) {
    std::size_t bias = 0;
    for (std::size_t d = 0; d < bank_.dilations.size(); ++d) {
      poll();
      std::fill_n(partials_.get(), stride_ * rocket_kernel_count, 0.0f);
      for (std::size_t first = 0; first < longest_; first += tile_)
        run_tile(d, first, std::min(tile_, longest_ - first), bias, rows);
      bias += bank_.biases_each[d] * rocket_kernel_count;
    }
  }

 private:
  /// Steps that are packed of each channel, with what is around them.
  std::size_t packed() const { return longest_ + 2 * border_; }

  void pack() {
    once_ = zeros(packed() * bank_.channels);
    thrice_ = zeros(packed() * bank_.channels);
    for (std::size_t l = 0; l < series_.size(); ++l)
      for (std::size_t c = 0; c < bank_.channels; ++c) {
        const float* x = series_[l].values.data() + c;
        for (std::size_t t = 0; t < steps_[l]; ++t) {
          const float value = difference_ ? x[(t + 1) * bank_.channels] - x[t * bank_.channels]
                                          : x[t * bank_.channels];
          const std::size_t at = (c * packed() + border_ + t) * lanes + l;
          once_[at] = value;
          thrice_[at] = value + value + value;
        }
      }
  }

  /// Where tap k of a kernel reads for step `first`.
  const float* tap(const Floats& from, std::size_t channel, std::size_t dilation, std::size_t k,
                   std::size_t first) const {
    return from.get() +
           (channel * packed() + border_ + first + k * dilation - 4 * dilation) * lanes;
  }

  /// All nine values with the weight -1.
  void add_all(std::size_t dilation, std::size_t first, std::size_t count) {
    for (std::size_t c = 0; c < bank_.channels; ++c) {
      const float* x = tap(once_, c, dilation, 0, first);
      float* to = alphas_.get() + c * tile_ * lanes;
      const std::size_t step = dilation * lanes;
      for (std::size_t j = 0; j < count; ++j, x += lanes) {
        FloatVec sum = hn::Load(FloatTag(), x);
        for (std::size_t k = 1; k < rocket_kernel_length; ++k)
          sum = hn::Add(sum, hn::Load(FloatTag(), x + k * step));
        hn::Store(hn::Neg(sum), FloatTag(), to + j * lanes);
      }
    }
  }

  /// What all kernels with two places in common have in common.
  void add_pair(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t count) {
    for (std::size_t j = 0; j < count * lanes; j += lanes) {
      const FloatVec own = hn::Load(FloatTag(), alphas_.get() + j);
      const FloatVec sum = hn::Add(own, hn::Load(FloatTag(), a + j));
      hn::Store(hn::Add(sum, hn::Load(FloatTag(), b + j)), FloatTag(), pair_.get() + j);
    }
  }

  /// The sum over channels of what convolve() adds up, in its order.
  void convolve_channels(std::span<const std::uint32_t> channels, std::size_t kernel,
                         std::size_t dilation, std::size_t first, std::size_t count) {
    const auto& places = rocket_kernels()[kernel];
    float* to = sums_.get();
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::size_t c = channels[i];
      const float* own = alphas_.get() + c * tile_ * lanes;
      const float* a = tap(thrice_, c, dilation, places[0], first);
      const float* b = tap(thrice_, c, dilation, places[1], first);
      const float* g = tap(thrice_, c, dilation, places[2], first);
      for (std::size_t j = 0; j < count * lanes; j += lanes) {
        FloatVec sum = hn::Add(hn::Load(FloatTag(), own + j), hn::Load(FloatTag(), a + j));
        sum = hn::Add(sum, hn::Load(FloatTag(), b + j));
        sum = hn::Add(sum, hn::Load(FloatTag(), g + j));
        const FloatVec before = i == 0 ? hn::Zero(FloatTag()) : hn::Load(FloatTag(), to + j);
        hn::Store(hn::Add(before, sum), FloatTag(), to + j);
      }
    }
  }

  void run_tile(std::size_t d, std::size_t first, std::size_t count, std::size_t bias,
                std::span<float* const> rows) {
    const std::size_t dilation = bank_.dilations[d], each = bank_.biases_each[d];
    const bool last = first + count == longest_;
    add_all(dilation, first, count);
    std::size_t in_pair = rocket_kernel_count;  // the kernel whose first two places `pair_` has
    for (std::size_t k = 0; k < rocket_kernel_count; ++k, bias += each) {
      const auto& places = rocket_kernels()[k];
      Sums sums{sums_.get(), nothing_.get()};
      if (bank_.channels > 1) {
        convolve_channels(bank_.subset(d * rocket_kernel_count + k), k, dilation, first, count);
      } else {
        if (in_pair == rocket_kernel_count || rocket_kernels()[in_pair][1] != places[1] ||
            rocket_kernels()[in_pair][0] != places[0]) {
          add_pair(tap(thrice_, 0, dilation, places[0], first),
                   tap(thrice_, 0, dilation, places[1], first), count);
          in_pair = k;
        }
        sums = {pair_.get(), tap(thrice_, 0, dilation, places[2], first)};
      }
      const std::size_t border = RocketBank::inside_only(d, k) ? 4 * dilation : 0;
      float* partials = partials_.get() + k * stride_;
      if (stride_ == 0) std::fill_n(partials, each * partial_vectors(kPooling) * lanes, 0.0f);
      count_positions(sums, first, count, border, &bank_.biases[bias], each, partials);
      if (last) finish(border, &bank_.biases[bias], each, partials, bias, rows);
    }
  }

  /// Counts the part of a tile that lies in the positions that are taken.
  void count_positions(Sums sums, std::size_t first, std::size_t count, std::size_t border,
                       const float* biases, std::size_t each, float* partials) {
    if (longest_ <= 2 * border) return;
    const std::size_t begin = std::max(first, border);
    const std::size_t end = std::min(first + count, longest_ - border);
    if (begin >= end) return;
    const std::size_t skipped = (begin - first) * lanes;
    sums = {sums.a + skipped, sums.b + skipped};
    if (shortest_ < end + border) sums = hide_ended(sums, begin, end, border);
    constexpr std::size_t most = kPooling == RocketPooling::four ? most_biases_four : most_biases;
    std::size_t parts = (each + most - 1) / most;
    for (std::size_t b = 0; b < each; --parts) {
      const std::size_t now = (each - b + parts - 1) / parts;
      count_biases<kPooling, most>(now, sums, end - begin, biases + b,
                                   partials + b * partial_vectors(kPooling) * lanes);
      b += now;
    }
  }

  /// The same values, but where a shorter series has ended nothing is positive.
  Sums hide_ended(Sums sums, std::size_t begin, std::size_t end, std::size_t border) {
    float* to = sums_.get();
    for (std::size_t j = 0; j < (end - begin) * lanes; j += lanes)
      hn::Store(hn::Add(hn::Load(FloatTag(), sums.a + j), hn::Load(FloatTag(), sums.b + j)),
                FloatTag(), to + j);
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::size_t own = steps_[l] > border ? steps_[l] - border : 0;
      for (std::size_t j = std::max(begin, own); j < end; ++j)
        to[(j - begin) * lanes + l] = -std::numeric_limits<float>::infinity();
    }
    return {to, nothing_.get()};
  }

  void finish(std::size_t border, const float* biases, std::size_t each, const float* partials,
              std::size_t column, std::span<float* const> rows) {
    const FloatTag f;
    const CountTag n;
    HWY_ALIGN float counts[lanes];
    for (std::size_t l = 0; l < lanes; ++l)
      counts[l] = steps_[l] > 2 * border ? static_cast<float>(steps_[l] - 2 * border) : 1.0f;
    const FloatVec positions = hn::Load(f, counts);
    const auto taken = static_cast<std::int32_t>(longest_ > 2 * border ? longest_ - 2 * border : 0);
    constexpr std::size_t poolings = kPooling == RocketPooling::four ? 4 : 1;
    float* to = features_.data();
    const auto put = [&](FloatVec v, std::size_t pooling, std::size_t b)
                         HWY_ATTR { hn::StoreU(v, f, to + (pooling * each + b) * lanes); };
    for (std::size_t b = 0; b < each; ++b) {
      Partial p;
      load_partial<kPooling>(partials + b * partial_vectors(kPooling) * lanes, p);
      const FloatVec count = hn::ConvertTo(f, p.count);
      put(hn::Div(count, positions), 0, b);
      if constexpr (kPooling == RocketPooling::four) {
        const auto some = hn::Gt(count, hn::Zero(f));
        const FloatVec divisor = hn::Max(count, hn::Set(f, 1.0f));
        put(hn::IfThenElseZero(some, hn::Sub(hn::Div(p.sum, divisor), hn::Set(f, biases[b]))), 1,
            b);
        const CountVec places = hn::Sub(hn::Mul(p.count, hn::Set(n, taken)), p.ahead);
        put(hn::IfThenElse(some, hn::Div(hn::ConvertTo(f, places), divisor), hn::Set(f, -1.0f)), 2,
            b);
        put(hn::ConvertTo(f, p.longest), 3, b);
      }
    }
    for (std::size_t l = 0; l < rows.size(); ++l)
      for (std::size_t p = 0; p < poolings; ++p)
        for (std::size_t b = 0; b < each; ++b)
          rows[l][p * bank_.biases.size() + column + b] = to[(p * each + b) * lanes + l];
  }

  const RocketBank& bank_;
  bool difference_;
  std::span<const SeriesView> series_;
  std::size_t steps_[lanes] = {};
  std::size_t longest_ = 0;
  std::size_t shortest_ = rocket_most_steps;
  std::size_t border_ = 0;  ///< zeros before and after the series
  std::size_t tile_ = 0;
  std::size_t stride_ = 0;  ///< between the partial counts of two kernels; 0: one tile, one kernel
  Floats once_, thrice_;    ///< (channel, step, lane): the series, and three times the series
  Floats alphas_, pair_, sums_, nothing_, partials_;
  std::vector<float> features_;
};

template <RocketPooling kPooling>
void pool_all(const RocketBank& bank, bool difference, std::span<const SeriesView> series,
              std::span<float* const> rows, const std::function<void()>& poll) {
  for (std::size_t first = 0; first < series.size(); first += lanes) {
    const std::size_t count = std::min(lanes, series.size() - first);
    Group<kPooling>(bank, difference, series.subspan(first, count))
        .run(rows.subspan(first, count), poll);
  }
}

}  // namespace rocket

void pool_sorted_series(const RocketBank& bank, RocketPooling pooling, bool difference,
                        std::span<const SeriesView> series, std::span<float* const> rows,
                        const std::function<void()>& poll) {
  if (pooling == RocketPooling::four)
    rocket::pool_all<RocketPooling::four>(bank, difference, series, rows, poll);
  else
    rocket::pool_all<RocketPooling::proportion>(bank, difference, series, rows, poll);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance {

HWY_EXPORT(pool_sorted_series);

void pool_series(const RocketBank& bank, RocketPooling pooling, bool difference,
                 std::span<const SeriesView> series, MutableMatrixView out,
                 const std::function<void()>& poll) {
  // Lanes end together where lengths are alike.
  std::vector<std::size_t> order(series.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return series[a].steps() > series[b].steps();
  });
  std::vector<SeriesView> sorted;
  std::vector<float*> rows;
  for (const std::size_t i : order) {
    sorted.push_back(series[i]);
    rows.push_back(out.row(i));
  }
  HWY_DYNAMIC_DISPATCH(pool_sorted_series)(bank, pooling, difference, sorted, rows, poll);
}

}  // namespace semblance
#endif
