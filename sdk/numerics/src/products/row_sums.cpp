// SPDX-License-Identifier: MIT
#include "semblance_numerics/row_sums.hpp"

#include <algorithm>
#include <type_traits>

// For float64 these gain little over SSE2 and AVX-512 and would only cost compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "products/row_sums.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void add_rows(const float* const* rows, const double* factors, std::size_t row_count,
              double* HWY_RESTRICT f, std::size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t columns = 1024;  // of f in the first-level cache
  // A row is short of a page here, so the processor does not see how it goes on by itself: with
  // hundreds of long rows, waiting for memory takes half to two thirds of the time without this.
  constexpr std::size_t ahead = 256;
  for (std::size_t first = 0; first < count; first += columns) {
    const std::size_t end = std::min(count, first + columns);
    std::size_t r = 0;
    const auto add = [&](auto rows_at_once) HWY_ATTR {
      constexpr std::size_t n = decltype(rows_at_once)::value;
      for (; r + n <= row_count; r += n) {
        std::size_t j = first;
        for (; j + lanes <= end; j += lanes) {
          auto sum = hn::LoadU(d, f + j);
          for (std::size_t i = 0; i < n; ++i) {
            hwy::Prefetch(rows[r + i] + j + ahead);
            sum = hn::MulAdd(hn::Set(d, factors[r + i]),
                             hn::PromoteTo(d, hn::LoadU(df, rows[r + i] + j)), sum);
          }
          hn::StoreU(sum, d, f + j);
        }
        for (; j < end; ++j) {
          auto sum = hn::Set(d, f[j]);
          for (std::size_t i = 0; i < n; ++i)
            sum = hn::MulAdd(hn::Set(d, factors[r + i]),
                             hn::Set(d, static_cast<double>(rows[r + i][j])), sum);
          f[j] = hn::GetLane(sum);
        }
      }
    };
    add(std::integral_constant<std::size_t, 8>());
    add(std::integral_constant<std::size_t, 4>());
    add(std::integral_constant<std::size_t, 1>());
  }
}

}  // namespace semblance::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(add_rows);

void add_rows(const float* const* rows, const double* factors, std::size_t row_count, double* sums,
              std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, factors, row_count, sums, count);
}

}  // namespace semblance::numerics
#endif
