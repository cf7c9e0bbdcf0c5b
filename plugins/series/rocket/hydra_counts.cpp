// SPDX-License-Identifier: MIT
#include "rocket/hydra_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "rocket/minirocket_rows.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rocket/hydra_counts.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {
namespace hydra {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;
using CountTag = hn::ScalableTag<std::int32_t>;
using CountVec = hn::Vec<CountTag>;
using Floats = hwy::AlignedFreeUniquePtr<float[]>;

inline constexpr std::size_t lanes = HWY_LANES(float);
/// Steps whose responses are computed together, so that each weight is loaded once for them.
inline constexpr std::size_t steps_together = 3;
/// Losses of 8 kernels are counted in 4 bits each of one number, which holds this many steps.
inline constexpr std::size_t packed_steps = 15;
/// Responses stay in the first-level cache. Sums are those of tiles, so that the bits depend on no
/// other series' length.
inline constexpr std::size_t tile_steps = 2 * packed_steps;
static_assert(tile_steps % steps_together == 0);

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Kernels whose responses at steps_together steps fit into registers.
inline constexpr std::size_t kernels_together = 8;
#else
inline constexpr std::size_t kernels_together = 4;
#endif

inline Floats zeros(std::size_t vectors) {
  Floats values = hwy::AllocateAligned<float>(vectors * lanes);
  std::fill_n(values.get(), vectors * lanes, 0.0f);
  return values;
}

/// The sums of a group at three steps: taps are `apart` floats apart, and responses go to (step,
/// kernel, lane).
template <std::size_t... K>
HWY_INLINE void respond(const float* HWY_RESTRICT x, std::size_t apart,
                        const float* HWY_RESTRICT weights, float* HWY_RESTRICT to,
                        std::index_sequence<K...>) {
  const FloatTag f;
  FloatVec a[] = {(static_cast<void>(K), hn::Zero(f))...};
  FloatVec b[] = {(static_cast<void>(K), hn::Zero(f))...};
  FloatVec c[] = {(static_cast<void>(K), hn::Zero(f))...};
  for (std::size_t t = 0; t < hydra_taps; ++t, x += apart, weights += hydra_kernels) {
    const FloatVec x0 = hn::Load(f, x), x1 = hn::Load(f, x + lanes),
                   x2 = hn::Load(f, x + 2 * lanes);
    const auto add = [&](FloatVec w, std::size_t k) HWY_ATTR {
      a[k] = hn::MulAdd(w, x0, a[k]);
      b[k] = hn::MulAdd(w, x1, b[k]);
      c[k] = hn::MulAdd(w, x2, c[k]);
    };
    (add(hn::Set(f, weights[K]), K), ...);
  }
  constexpr std::size_t step = hydra_kernels * lanes;
  (hn::Store(a[K], f, to + K * lanes), ...);
  (hn::Store(b[K], f, to + step + K * lanes), ...);
  (hn::Store(c[K], f, to + 2 * step + K * lanes), ...);
}

/// The kernel that is first by `before` among the responses to a step; ties go to the first.
/// `tokens` are what to return for each kernel.
template <class Token, class Before, std::size_t... K>
HWY_INLINE std::pair<FloatVec, Token> first_of(const float* HWY_RESTRICT responses,
                                               const Token* tokens, const Before& before,
                                               std::index_sequence<K...>) {
  const FloatTag f;
  const hn::DFromV<Token> d;
  FloatVec best = hn::Load(f, responses);
  Token token = tokens[0];
  const auto compare = [&](std::size_t k) HWY_ATTR {
    const FloatVec response = hn::Load(f, responses + k * lanes);
    const auto better = before(response, best);
    best = hn::IfThenElse(better, response, best);
    token = hn::IfThenElse(hn::RebindMask(d, better), tokens[k], token);
  };
  (compare(K + 1), ...);
  return {best, token};
}

using Others = std::make_index_sequence<hydra_kernels - 1>;

/// Adds the winners' responses to `sums`, (kernel, lane). With kEnded, lanes count only steps
/// before their `ends`, as counted from `first`.
template <bool kEnded, std::size_t... K>
HWY_INLINE void add_winners(const float* HWY_RESTRICT responses, std::size_t first,
                            std::size_t steps, FloatVec ends, float* HWY_RESTRICT sums,
                            std::index_sequence<K...>) {
  const FloatTag f;
  const FloatVec names[] = {hn::Set(f, static_cast<float>(K))...};
  FloatVec tile[] = {(static_cast<void>(K), hn::Zero(f))...};
  for (std::size_t j = 0; j < steps; ++j) {
    auto [best, name] = first_of(
        responses + j * hydra_kernels * lanes, names,
        [](FloatVec a, FloatVec b) HWY_ATTR { return hn::Gt(a, b); }, Others());
    if constexpr (kEnded)
      best = hn::IfThenElseZero(hn::Lt(hn::Set(f, static_cast<float>(first + j)), ends), best);
    ((tile[K] = hn::IfThenElse(hn::Eq(name, names[K]), hn::Add(tile[K], best), tile[K])), ...);
  }
  (hn::Store(hn::Add(hn::Load(f, sums + K * lanes), tile[K]), f, sums + K * lanes), ...);
}

/// Adds the numbers of losses to `counts`, (kernel, lane).
template <bool kEnded, std::size_t... K>
HWY_INLINE void add_losers(const float* HWY_RESTRICT responses, std::size_t first,
                           std::size_t steps, FloatVec ends, float* HWY_RESTRICT counts,
                           std::index_sequence<K...>) {
  const FloatTag f;
  const CountTag n;
  const hn::RebindToUnsigned<CountTag> u;
  const CountVec ones[] = {hn::Set(n, static_cast<std::int32_t>(std::uint32_t{1} << (4 * K)))...};
  for (std::size_t from = 0; from < steps; from += packed_steps) {
    CountVec packed = hn::Zero(n);
    for (std::size_t j = from; j < std::min(steps, from + packed_steps); ++j) {
      CountVec one = first_of(
                         responses + j * hydra_kernels * lanes, ones,
                         [](FloatVec a, FloatVec b) HWY_ATTR { return hn::Lt(a, b); }, Others())
                         .second;
      if constexpr (kEnded)
        one = hn::IfThenElseZero(
            hn::RebindMask(n, hn::Lt(hn::Set(f, static_cast<float>(first + j)), ends)), one);
      packed = hn::Add(packed, one);
    }
    const auto all = hn::BitCast(u, packed);
    const auto add = [&](auto count, std::size_t k) HWY_ATTR {
      const auto four = hn::BitCast(n, hn::And(count, hn::Set(u, 15u)));
      hn::Store(hn::Add(hn::Load(f, counts + k * lanes), hn::ConvertTo(f, four)), f,
                counts + k * lanes);
    };
    (add(hn::ShiftRight<4 * int(K)>(all), K), ...);
  }
}

/// A group of series, one per lane, or of their differences.
class Group {
 public:
  Group(const HydraBank& bank, bool difference, std::span<const SeriesView> series)
      : bank_(bank), difference_(difference), border_(4 * bank.dilations.back()) {
    for (std::size_t l = 0; l < lanes; ++l) {
      steps_[l] = l < series.size() ? series[l].steps() - (difference ? 1 : 0) : 0;
      longest_ = std::max(longest_, steps_[l]);
      if (l < series.size()) shortest_ = std::min(shortest_, steps_[l]);
      ends_[l] = static_cast<float>(steps_[l]);
    }
    pack(series);
    added_ = bank.channels > 1 ? zeros(packed()) : nullptr;
    responses_ = zeros(tile_steps * hydra_kernels);
    figures_ = zeros(2 * hydra_kernels);
  }

  void run(std::span<float* const> rows, const std::function<void()>& poll) {
    for (std::size_t d = 0; d < bank_.dilations.size(); ++d) {
      poll();
      for (std::size_t g = 0; g < bank_.groups; ++g) {
        const std::size_t number = bank_.group_number(d, difference_, g);
        compete(number, bank_.dilations[d]);
        const std::size_t figure = bank_.groups * hydra_kernels;
        const std::size_t column =
            2 * bank_.group_number(d, difference_, 0) * hydra_kernels + g * hydra_kernels;
        for (std::size_t l = 0; l < rows.size(); ++l)
          for (std::size_t k = 0; k < hydra_kernels; ++k) {
            rows[l][column + k] = figures_[k * lanes + l];
            rows[l][column + figure + k] = figures_[(hydra_kernels + k) * lanes + l];
          }
      }
    }
  }

 private:
  /// Packed steps per channel, including their surroundings and the rest of the last steps that are
  /// computed together.
  std::size_t packed() const { return longest_ + 2 * border_ + steps_together - 1; }

  void pack(std::span<const SeriesView> series) {
    const std::size_t channels = bank_.channels;
    packed_ = zeros(packed() * channels);
    for (std::size_t l = 0; l < series.size(); ++l)
      for (std::size_t c = 0; c < channels; ++c) {
        const float* x = series[l].values.data() + c;
        for (std::size_t t = 0; t < steps_[l]; ++t)
          packed_[(c * packed() + border_ + t) * lanes + l] =
              difference_ ? x[(t + 1) * channels] - x[t * channels] : x[t * channels];
      }
  }

  /// The series, or the sum of the channels of a group.
  const float* values_of(std::size_t number) {
    if (bank_.channels == 1) return packed_.get();
    const FloatTag f;
    const auto channels = bank_.channels_of(number);
    for (std::size_t j = 0; j < packed() * lanes; j += lanes) {
      FloatVec sum = hn::Zero(f);
      for (const std::uint32_t c : channels)
        sum = hn::Add(sum, hn::Load(f, packed_.get() + c * packed() * lanes + j));
      hn::Store(sum, f, added_.get() + j);
    }
    return added_.get();
  }

  void compete(std::size_t number, std::size_t dilation) {
    const float* x = values_of(number) + (border_ - 4 * dilation) * lanes;
    const float* weights = bank_.weights_of(number).data();
    std::fill_n(figures_.get(), 2 * hydra_kernels * lanes, 0.0f);
    for (std::size_t first = 0; first < longest_; first += tile_steps) {
      const std::size_t count = std::min(tile_steps, longest_ - first);
      for (std::size_t j = 0; j < count; j += steps_together)
        for (std::size_t k = 0; k < hydra_kernels; k += kernels_together)
          respond(x + (first + j) * lanes, dilation * lanes, weights + k,
                  responses_.get() + (j * hydra_kernels + k) * lanes,
                  std::make_index_sequence<kernels_together>());
      if (first + count > shortest_)
        add_figures<true>(first, count);
      else
        add_figures<false>(first, count);
    }
  }

  template <bool kEnded>
  void add_figures(std::size_t first, std::size_t count) {
    constexpr std::make_index_sequence<hydra_kernels> all;
    const FloatVec ends = hn::Load(FloatTag(), ends_);
    add_winners<kEnded>(responses_.get(), first, count, ends, figures_.get(), all);
    add_losers<kEnded>(responses_.get(), first, count, ends, figures_.get() + hydra_kernels * lanes,
                       all);
  }

  const HydraBank& bank_;
  bool difference_;
  std::size_t border_;  ///< zeros before and after the series
  std::size_t steps_[lanes] = {};
  HWY_ALIGN float ends_[lanes] = {};
  std::size_t longest_ = 0;
  std::size_t shortest_ = static_cast<std::size_t>(-1);
  Floats packed_;     ///< (channel, step, lane)
  Floats added_;      ///< (step, lane): the sum of a group's channels
  Floats responses_;  ///< of a tile: (step, kernel, lane)
  Floats figures_;    ///< of a group: (figure, kernel, lane)
};

}  // namespace hydra

void count_sorted_winners(const HydraBank& bank, std::span<const SeriesView> series,
                          std::span<float* const> rows, const std::function<void()>& poll) {
  for (std::size_t first = 0; first < series.size(); first += hydra::lanes) {
    const std::size_t count = std::min(hydra::lanes, series.size() - first);
    for (const bool difference : {false, true})
      hydra::Group(bank, difference, series.subspan(first, count))
          .run(rows.subspan(first, count), poll);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(count_sorted_winners);

void count_winners(const HydraBank& bank, std::span<const SeriesView> series, MutableMatrixView out,
                   const std::function<void()>& poll) {
  const SeriesByLength sorted(series, out);
  HWY_DYNAMIC_DISPATCH(count_sorted_winners)(bank, sorted.series, sorted.rows, poll);
}

}  // namespace semblance::series
#endif
