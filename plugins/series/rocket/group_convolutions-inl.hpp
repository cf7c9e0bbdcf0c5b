// SPDX-License-Identifier: MIT
// The convolutions of a group of series with the kernels of a bank. Compiled once per SIMD target:
// include after hwy/foreach_target.h.

#if defined(SEMBLANCE_ROCKET_GROUP_CONVOLUTIONS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_ROCKET_GROUP_CONVOLUTIONS_INL_HPP
#undef SEMBLANCE_ROCKET_GROUP_CONVOLUTIONS_INL_HPP
#else
#define SEMBLANCE_ROCKET_GROUP_CONVOLUTIONS_INL_HPP
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"
#include "rocket/minirocket_kernels.hpp"
#include "rocket/minirocket_pooling.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {
namespace rocket {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;

inline constexpr std::size_t lanes = HWY_LANES(float);
/// Steps at a time: the data read by all kernels stay in the first-level cache.
inline constexpr std::size_t tile_steps = 64;

using Floats = hwy::AlignedFreeUniquePtr<float[]>;

inline Floats zeros(std::size_t vectors) {
  Floats values = hwy::AllocateAligned<float>(vectors * lanes);
  std::fill_n(values.get(), vectors * lanes, 0.0f);
  return values;
}

/// The values of a convolution, as the sum of two parts.
struct Sums {
  const float* a;
  const float* b;
};

/// A group of series, one a lane, and its convolutions, a tile of steps at a time.
class GroupConvolutions {
 public:
  GroupConvolutions(const RocketBank& bank, bool difference, std::span<const SeriesView> series)
      : channels_(bank.channels), border_(std::size_t{4} * bank.dilations.back()) {
    for (std::size_t l = 0; l < lanes; ++l) {
      steps_[l] = l < series.size() ? series[l].steps() - (difference ? 1 : 0) : 0;
      longest_ = std::max(longest_, steps_[l]);
      if (l < series.size()) shortest_ = std::min(shortest_, steps_[l]);
    }
    pack(series, difference);
    tile_ = longest_ <= 2 * tile_steps ? longest_ : tile_steps;
    alphas_ = zeros(tile_ * channels_);
    pair_ = zeros(tile_);
    sums_ = zeros(tile_);
    nothing_ = zeros(tile_);
  }

  std::size_t steps(std::size_t lane) const { return steps_[lane]; }
  std::size_t longest() const { return longest_; }
  /// Steps of a tile; the last one may have fewer.
  std::size_t tile() const { return tile_; }

  /// Starts the steps [first, first + count), convolved at this dilation.
  void begin(std::size_t dilation, std::size_t first, std::size_t count) {
    dilation_ = dilation, first_ = first, count_ = count;
    in_pair_ = rocket_kernel_count;
    add_all();
  }

  /// The sum over these channels of the convolutions with a kernel, in the order of convolve().
  Sums convolve(std::span<const std::uint32_t> channels, std::size_t kernel) {
    if (channels_ > 1) {
      add_channels(channels, kernel);
      return {sums_.get(), nothing_.get()};
    }
    const auto& places = rocket_kernels()[kernel];
    if (in_pair_ == rocket_kernel_count || rocket_kernels()[in_pair_][1] != places[1] ||
        rocket_kernels()[in_pair_][0] != places[0]) {
      add_pair(tap(thrice_, 0, places[0]), tap(thrice_, 0, places[1]));
      in_pair_ = kernel;
    }
    return {pair_.get(), tap(thrice_, 0, places[2])};
  }

  /// Whether a series ends before step `end`, without `border` steps at its end.
  bool ends_before(std::size_t end, std::size_t border) const { return shortest_ < end + border; }

  /// Makes the values of the steps [begin, end) after a series' end not positive.
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

 private:
  /// Packed steps per channel, including their surroundings.
  std::size_t packed() const { return longest_ + 2 * border_; }

  void pack(std::span<const SeriesView> series, bool difference) {
    once_ = zeros(packed() * channels_);
    thrice_ = zeros(packed() * channels_);
    for (std::size_t l = 0; l < series.size(); ++l)
      for (std::size_t c = 0; c < channels_; ++c) {
        const float* x = series[l].values.data() + c;
        for (std::size_t t = 0; t < steps_[l]; ++t) {
          const float value =
              difference ? x[(t + 1) * channels_] - x[t * channels_] : x[t * channels_];
          const std::size_t at = (c * packed() + border_ + t) * lanes + l;
          once_[at] = value;
          thrice_[at] = value + value + value;
        }
      }
  }

  /// The position that tap k of a kernel reads for the first step of the tile.
  const float* tap(const Floats& from, std::size_t channel, std::size_t k) const {
    return from.get() +
           (channel * packed() + border_ + first_ + k * dilation_ - 4 * dilation_) * lanes;
  }

  /// All nine values with the weight -1.
  void add_all() {
    for (std::size_t c = 0; c < channels_; ++c) {
      const float* x = tap(once_, c, 0);
      float* to = alphas_.get() + c * tile_ * lanes;
      const std::size_t step = dilation_ * lanes;
      for (std::size_t j = 0; j < count_; ++j, x += lanes) {
        FloatVec sum = hn::Load(FloatTag(), x);
        for (std::size_t k = 1; k < rocket_kernel_length; ++k)
          sum = hn::Add(sum, hn::Load(FloatTag(), x + k * step));
        hn::Store(hn::Neg(sum), FloatTag(), to + j * lanes);
      }
    }
  }

  /// The common part of all kernels that share two places.
  void add_pair(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b) {
    for (std::size_t j = 0; j < count_ * lanes; j += lanes) {
      const FloatVec own = hn::Load(FloatTag(), alphas_.get() + j);
      const FloatVec sum = hn::Add(own, hn::Load(FloatTag(), a + j));
      hn::Store(hn::Add(sum, hn::Load(FloatTag(), b + j)), FloatTag(), pair_.get() + j);
    }
  }

  void add_channels(std::span<const std::uint32_t> channels, std::size_t kernel) {
    const auto& places = rocket_kernels()[kernel];
    float* to = sums_.get();
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::size_t c = channels[i];
      const float* own = alphas_.get() + c * tile_ * lanes;
      const float* a = tap(thrice_, c, places[0]);
      const float* b = tap(thrice_, c, places[1]);
      const float* g = tap(thrice_, c, places[2]);
      for (std::size_t j = 0; j < count_ * lanes; j += lanes) {
        FloatVec sum = hn::Add(hn::Load(FloatTag(), own + j), hn::Load(FloatTag(), a + j));
        sum = hn::Add(sum, hn::Load(FloatTag(), b + j));
        sum = hn::Add(sum, hn::Load(FloatTag(), g + j));
        const FloatVec before = i == 0 ? hn::Zero(FloatTag()) : hn::Load(FloatTag(), to + j);
        hn::Store(hn::Add(before, sum), FloatTag(), to + j);
      }
    }
  }

  std::size_t channels_;
  std::size_t border_;  ///< zeros before and after the series
  std::size_t steps_[lanes] = {};
  std::size_t longest_ = 0;
  std::size_t shortest_ = rocket_most_steps;
  std::size_t tile_ = 0;
  std::size_t dilation_ = 1, first_ = 0, count_ = 0;
  std::size_t in_pair_ = rocket_kernel_count;  ///< the kernel whose first two places `pair_` has
  Floats once_, thrice_;  ///< (channel, step, lane): the series, and three times the series
  Floats alphas_, pair_, sums_, nothing_;
};

}  // namespace rocket
}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#endif
