// SPDX-License-Identifier: MIT
#include "rocket/minirocket_pooling.hpp"

#include <algorithm>
#include <vector>

#include "rocket/minirocket_rows.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rocket/minirocket_pooling.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "rocket/bias_counts-inl.hpp"
#include "rocket/group_convolutions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {
namespace rocket {

/// The number of positions of a series between two borders, or `otherwise` if none.
inline std::size_t inside(std::size_t steps, std::size_t border, std::size_t otherwise) {
  return steps > 2 * border ? steps - 2 * border : otherwise;
}

/// A group of series, one a lane, on its way through a bank.
template <RocketPooling kPooling>
class Group {
 public:
  Group(const RocketBank& bank, bool difference, std::span<const SeriesView> series)
      : bank_(bank), convolutions_(bank, difference, series) {
    const std::size_t most = *std::max_element(bank.biases_each.begin(), bank.biases_each.end());
    const bool tiled = convolutions_.tile() < convolutions_.longest();
    stride_ = tiled ? most * partial_vectors(kPooling) * lanes : 0;
    partials_ = zeros(most * partial_vectors(kPooling) * (tiled ? rocket_kernel_count : 1));
    features_.resize(most * 4 * lanes);
  }

  void run(std::span<float* const> rows, const std::function<void()>& poll) {
    const std::size_t longest = convolutions_.longest(), tile = convolutions_.tile();
    std::size_t bias = 0;
    for (std::size_t d = 0; d < bank_.dilations.size(); ++d) {
      poll();
      std::fill_n(partials_.get(), stride_ * rocket_kernel_count, 0.0f);
      for (std::size_t first = 0; first < longest; first += tile)
        run_tile(d, first, std::min(tile, longest - first), bias, rows);
      bias += bank_.biases_each[d] * rocket_kernel_count;
    }
  }

 private:
  void run_tile(std::size_t d, std::size_t first, std::size_t count, std::size_t bias,
                std::span<float* const> rows) {
    const std::size_t dilation = bank_.dilations[d], each = bank_.biases_each[d];
    const bool last = first + count == convolutions_.longest();
    convolutions_.begin(dilation, first, count);
    for (std::size_t k = 0; k < rocket_kernel_count; ++k, bias += each) {
      const Sums sums = convolutions_.convolve(bank_.subset(d * rocket_kernel_count + k), k);
      const std::size_t border = RocketBank::inside_only(d, k) ? 4 * dilation : 0;
      float* partials = partials_.get() + k * stride_;
      if (stride_ == 0) std::fill_n(partials, each * partial_vectors(kPooling) * lanes, 0.0f);
      count_positions(sums, first, count, border, &bank_.biases[bias], each, partials);
      if (last) finish(border, &bank_.biases[bias], each, partials, bias, rows);
    }
  }

  /// Counts the part of a tile within the used positions.
  void count_positions(Sums sums, std::size_t first, std::size_t count, std::size_t border,
                       const float* biases, std::size_t each, float* partials) {
    const std::size_t longest = convolutions_.longest();
    if (longest <= 2 * border) return;
    const std::size_t begin = std::max(first, border);
    const std::size_t end = std::min(first + count, longest - border);
    if (begin >= end) return;
    const std::size_t skipped = (begin - first) * lanes;
    sums = {sums.a + skipped, sums.b + skipped};
    if (convolutions_.ends_before(end, border))
      sums = convolutions_.hide_ended(sums, begin, end, border);
    constexpr std::size_t most = kPooling == RocketPooling::four ? most_biases_four : most_biases;
    std::size_t parts = (each + most - 1) / most;
    for (std::size_t b = 0; b < each; --parts) {
      const std::size_t now = (each - b + parts - 1) / parts;
      count_biases<kPooling, most>(now, sums, end - begin, biases + b,
                                   partials + b * partial_vectors(kPooling) * lanes);
      b += now;
    }
  }

  void finish(std::size_t border, const float* biases, std::size_t each, const float* partials,
              std::size_t column, std::span<float* const> rows) {
    const FloatTag f;
    const CountTag n;
    HWY_ALIGN float counts[lanes];
    for (std::size_t l = 0; l < lanes; ++l)
      counts[l] = static_cast<float>(inside(convolutions_.steps(l), border, 1));
    const FloatVec positions = hn::Load(f, counts);
    const auto taken = static_cast<std::int32_t>(inside(convolutions_.longest(), border, 0));
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
  GroupConvolutions convolutions_;
  std::size_t stride_ = 0;  ///< between the partial counts of two kernels; 0: one tile, one kernel
  Floats partials_;
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
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(pool_sorted_series);

void pool_series(const RocketBank& bank, RocketPooling pooling, bool difference,
                 std::span<const SeriesView> series, MutableMatrixView out,
                 const std::function<void()>& poll) {
  const SeriesByLength sorted(series, out);
  HWY_DYNAMIC_DISPATCH(pool_sorted_series)
  (bank, pooling, difference, sorted.series, sorted.rows, poll);
}

}  // namespace semblance::series
#endif
