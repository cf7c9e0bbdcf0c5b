// SPDX-License-Identifier: MIT
// Counts the values of a convolution that are greater than biases. Compiled once per SIMD target:
// include after hwy/foreach_target.h.

#if defined(SEMBLANCE_ROCKET_BIAS_COUNTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_ROCKET_BIAS_COUNTS_INL_HPP
#undef SEMBLANCE_ROCKET_BIAS_COUNTS_INL_HPP
#else
#define SEMBLANCE_ROCKET_BIAS_COUNTS_INL_HPP
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "rocket/group_convolutions-inl.hpp"
#include "rocket/minirocket_pooling.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {
namespace rocket {

using CountTag = hn::ScalableTag<std::int32_t>;
using CountVec = hn::Vec<CountTag>;

/// Biases at a time, as the registers allow.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr std::size_t most_biases = 8, most_biases_four = 4;
#else
inline constexpr std::size_t most_biases = 6, most_biases_four = 2;
#endif

/// The partial counts of one bias, stored between tiles: vectors of counts, bit by bit.
struct Partial {
  CountVec count;
  FloatVec sum;
  CountVec ahead;  ///< the sum of the counts after each step, which gives the sum of positions
  CountVec run;
  CountVec longest;
};

inline constexpr std::size_t partial_vectors(RocketPooling pooling) {
  return pooling == RocketPooling::four ? 5 : 1;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Masks have separate registers: each of these is one masked addition.
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

/// Counts `steps` values of the convolution for the biases I, all in registers.
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

}  // namespace rocket
}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#endif
