// SPDX-License-Identifier: MIT
// Included once per SIMD target.
#if defined(SEMBLANCE_SYMBOL_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_SYMBOL_LANES_INL_HPP
#undef SEMBLANCE_SYMBOL_LANES_INL_HPP
#else
#define SEMBLANCE_SYMBOL_LANES_INL_HPP
#endif

#include "hwy/highway.h"
#include "string_panels.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {

/// Symbols of adjacent lanes in the type of a programme's values, for comparison with those of
/// symbol(). All symbols are distinct.
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<std::int16_t>> load_symbols(
    hwy::HWY_NAMESPACE::ScalableTag<std::int16_t> d, const Symbol* symbols) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::BitCast(d, hn::Load(hn::RebindToUnsigned<decltype(d)>(), symbols));
}
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<std::int32_t>> load_symbols(
    hwy::HWY_NAMESPACE::ScalableTag<std::int32_t> d, const Symbol* symbols) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::PromoteTo(d, hn::Load(hn::Rebind<Symbol, decltype(d)>(), symbols));
}
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<float>> load_symbols(
    hwy::HWY_NAMESPACE::ScalableTag<float> d, const Symbol* symbols) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::ConvertTo(d, load_symbols(hn::RebindToSigned<decltype(d)>(), symbols));
}
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<double>> load_symbols(
    hwy::HWY_NAMESPACE::ScalableTag<double> d, const Symbol* symbols) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Rebind<std::int32_t, decltype(d)> whole;
  return hn::PromoteTo(d,
                       hn::PromoteTo(whole, hn::LoadU(hn::Rebind<Symbol, decltype(d)>(), symbols)));
}

/// One symbol in all lanes.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> symbol(D d, Symbol which) {
  using T = hwy::HWY_NAMESPACE::TFromD<D>;
  if constexpr (std::is_same_v<T, std::int16_t>)
    return hwy::HWY_NAMESPACE::Set(d, static_cast<std::int16_t>(which));
  else
    return hwy::HWY_NAMESPACE::Set(d, static_cast<T>(which));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#endif  // per target
