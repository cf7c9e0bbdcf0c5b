// SPDX-License-Identifier: MIT
#include "shapelets/shapelet_distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shapelets/shapelet_distances.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {
namespace shapelets {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;
using DoubleTag = hn::ScalableTag<double>;
using DoubleVec = hn::Vec<DoubleTag>;
using HalfTag = hn::Rebind<float, DoubleTag>;

inline constexpr std::size_t lanes = HWY_LANES(float);
/// Shapelets, and vectors of windows, whose distances are summed in registers together.
inline constexpr std::size_t shapelets_together = 4;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr std::size_t vectors_together = 4;
#else
inline constexpr std::size_t vectors_together = 2;
#endif

inline constexpr float infinity = std::numeric_limits<float>::infinity();

inline std::size_t in_vectors(std::size_t count) { return (count + lanes - 1) / lanes * lanes; }

/// Values of the windows of a series, one vector of windows after the other in each of rows(): one
/// by channel and place. After the last window all are infinitely far from everything.
class Windows {
 public:
  Windows(const SeriesView& series, std::size_t length) : series_(series), length_(length) {
    rows_.resize(series.channels * length);
  }

  void bind(std::size_t dilation, bool normalized) {
    const std::size_t reach = (length_ - 1) * dilation;
    spread(std::max(series_.steps(), reach + 1));
    count_ = steps_ - reach;
    for (std::size_t c = 0; c < series_.channels; ++c)
      for (std::size_t t = 0; t < length_; ++t)
        rows_[c * length_ + t] = plain_.data() + c * stride_ + t * dilation;
    if (normalized) normalize(dilation);
  }

  std::size_t count() const noexcept { return count_; }
  std::span<const float* const> rows() const noexcept { return rows_; }

 private:
  /// Channels one after the other, each continued up to `steps`.
  void spread(std::size_t steps) {
    if (steps == steps_) return;
    steps_ = steps;
    stride_ = steps + lanes;
    plain_.assign(series_.channels * stride_, infinity);
    for (std::size_t c = 0; c < series_.channels; ++c)
      for (std::size_t t = 0; t < steps; ++t)
        plain_[c * stride_ + t] =
            series_.values[std::min(t, series_.steps() - 1) * series_.channels + c];
  }

  void normalize(std::size_t dilation) {
    const std::size_t stride = in_vectors(count_);
    normal_.resize(rows_.size() * stride);
    for (std::size_t c = 0; c < series_.channels; ++c) {
      float* to = normal_.data() + c * length_ * stride;
      for (std::size_t p = 0; p < count_; p += hn::Lanes(DoubleTag()))
        normalize_vector(rows_[c * length_] + p, dilation, to + p, stride);
      std::fill(to + count_, to + stride, infinity);
      for (std::size_t t = 0; t < length_; ++t) rows_[c * length_ + t] = to + t * stride;
    }
  }

  /// As normalize_window(), for as many windows as a vector has doubles. Differences from the mean
  /// are rounded to floats, whose squares are exact: fused or not, the sum has the same bits.
  void normalize_vector(const float* HWY_RESTRICT x, std::size_t dilation, float* HWY_RESTRICT to,
                        std::size_t stride) const {
    const DoubleTag d;
    const HalfTag h;
    const auto difference = [&](std::size_t t, DoubleVec from) HWY_ATTR {
      return hn::Sub(hn::PromoteTo(d, hn::LoadU(h, x + t * dilation)), from);
    };
    const DoubleVec origin = hn::PromoteTo(d, hn::LoadU(h, x)),
                    length = hn::Set(d, static_cast<double>(length_));
    DoubleVec sum = hn::Zero(d);
    for (std::size_t t = 1; t < length_; ++t) sum = hn::Add(sum, difference(t, origin));
    const DoubleVec mean = hn::Div(sum, length);
    DoubleVec squares = hn::Zero(d);
    for (std::size_t t = 0; t < length_; ++t) {
      const auto centred = hn::DemoteTo(h, hn::Sub(difference(t, origin), mean));
      const DoubleVec r = hn::PromoteTo(d, centred);
      squares = hn::MulAdd(r, r, squares);
      hn::StoreU(centred, h, to + t * stride);
    }
    const DoubleVec factor =
        hn::IfThenElseZero(hn::Gt(squares, hn::Zero(d)), hn::Sqrt(hn::Div(length, squares)));
    for (std::size_t t = 0; t < length_; ++t) {
      const DoubleVec r = hn::PromoteTo(d, hn::LoadU(h, to + t * stride));
      hn::StoreU(hn::DemoteTo(h, hn::Mul(r, factor)), h, to + t * stride);
    }
  }

  const SeriesView& series_;
  std::size_t length_;
  std::size_t steps_ = 0;   ///< with those that continue the series
  std::size_t stride_ = 0;  ///< between channels of plain_
  std::size_t count_ = 0;
  std::vector<float> plain_;
  std::vector<float> normal_;  ///< (channel, place, window)
  std::vector<const float*> rows_;
};

/// Sums over all rows of absolute differences from kShapelets shapelets, for kVectors vectors of
/// windows from `first` on.
template <std::size_t kShapelets, std::size_t kVectors>
struct Distances {
  FloatVec of[kShapelets][kVectors];

  HWY_INLINE void sum(std::span<const float* const> rows, const float* HWY_RESTRICT values,
                      std::size_t first) {
    const FloatTag f;
    for (std::size_t s = 0; s < kShapelets; ++s)
      for (std::size_t v = 0; v < kVectors; ++v) of[s][v] = hn::Zero(f);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      FloatVec x[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) x[v] = hn::LoadU(f, rows[row] + first + v * lanes);
      for (std::size_t s = 0; s < kShapelets; ++s) {
        const FloatVec value = hn::Set(f, values[s * rows.size() + row]);
        for (std::size_t v = 0; v < kVectors; ++v)
          of[s][v] = hn::Add(of[s][v], hn::Abs(hn::Sub(x[v], value)));
      }
    }
  }
};

/// The figures of kShapelets shapelets, next to each other in the bank from `shapelet` on, for
/// all windows of a series.
template <std::size_t kShapelets>
class Figures {
 public:
  Figures(const ShapeletBank& bank, std::size_t shapelet)
      : values_(bank.values.data() + shapelet * bank.values_each()) {
    const FloatTag f;
    for (std::size_t s = 0; s < kShapelets; ++s) {
      threshold_[s] = hn::Set(f, bank.thresholds[shapelet + s]);
      least_[s] = hn::Set(f, infinity);
      place_[s] = hn::Zero(f);
      count_[s] = hn::Zero(f);
    }
  }

  void add(const Windows& windows) {
    std::size_t first = 0;
    for (; first + vectors_together * lanes <= windows.count(); first += vectors_together * lanes)
      add<vectors_together>(windows.rows(), first);
    for (; first < windows.count(); first += lanes) add<1>(windows.rows(), first);
  }

  void write(float* out) const {
    const FloatTag f;
    for (std::size_t s = 0; s < kShapelets; ++s) {
      const FloatVec least = hn::MinOfLanes(f, least_[s]);
      const FloatVec place =
          hn::IfThenElse(hn::Eq(least_[s], least), place_[s], hn::Set(f, infinity));
      *out++ = hn::GetLane(least);
      *out++ = hn::GetLane(hn::MinOfLanes(f, place));
      *out++ = hn::GetLane(hn::SumOfLanes(f, count_[s]));
    }
  }

 private:
  template <std::size_t kVectors>
  HWY_INLINE void add(std::span<const float* const> rows, std::size_t first) {
    const FloatTag f;
    Distances<kShapelets, kVectors> distances;
    distances.sum(rows, values_, first);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const FloatVec here = hn::Iota(f, static_cast<float>(first + v * lanes));
      for (std::size_t s = 0; s < kShapelets; ++s) {
        const FloatVec distance = distances.of[s][v];
        const auto less = hn::Lt(distance, least_[s]);
        least_[s] = hn::Min(distance, least_[s]);
        place_[s] = hn::IfThenElse(less, here, place_[s]);
        count_[s] = hn::Add(count_[s],
                            hn::IfThenElseZero(hn::Lt(distance, threshold_[s]), hn::Set(f, 1.0f)));
      }
    }
  }

  const float* values_;
  FloatVec threshold_[kShapelets], least_[kShapelets], place_[kShapelets], count_[kShapelets];
};

template <std::size_t kShapelets>
void write_figures(const ShapeletBank& bank, std::size_t shapelet, const Windows& windows,
                   float* out) {
  Figures<kShapelets> figures(bank, shapelet);
  figures.add(windows);
  figures.write(out);
}

}  // namespace shapelets

void write_shapelet_figures(const ShapeletBank& bank, const SeriesView& series, float* out,
                            const std::function<void()>& poll) {
  shapelets::Windows windows(series, bank.length);
  constexpr std::size_t together = shapelets::shapelets_together;
  for (std::size_t i = 0; i < bank.count();) {
    poll();
    std::size_t end = i + 1;
    while (end < bank.count() && bank.dilations[end] == bank.dilations[i] &&
           bank.normalized[end] == bank.normalized[i])
      ++end;
    windows.bind(bank.dilations[i], bank.normalized[i] != 0);
    for (; i + together <= end; i += together)
      shapelets::write_figures<together>(bank, i, windows, out + 3 * i);
    for (; i < end; ++i) shapelets::write_figures<1>(bank, i, windows, out + 3 * i);
  }
}

std::vector<float> distances_of_shapelet(const ShapeletBank& bank, std::size_t shapelet,
                                         const SeriesView& series) {
  const hwy::HWY_NAMESPACE::ScalableTag<float> f;
  shapelets::Windows windows(series, bank.length);
  windows.bind(bank.dilations[shapelet], bank.normalized[shapelet] != 0);
  std::vector<float> distances(shapelets::in_vectors(windows.count()));
  for (std::size_t first = 0; first < distances.size(); first += shapelets::lanes) {
    shapelets::Distances<1, 1> sums;
    sums.sum(windows.rows(), bank.values_of(shapelet).data(), first);
    hwy::HWY_NAMESPACE::StoreU(sums.of[0][0], f, distances.data() + first);
  }
  distances.resize(windows.count());
  return distances;
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(write_shapelet_figures);
HWY_EXPORT(distances_of_shapelet);

void compare_with_shapelets(const ShapeletBank& bank, std::span<const SeriesView> series,
                            MutableMatrixView out, const std::function<void()>& poll) {
  for (std::size_t i = 0; i < series.size(); ++i)
    HWY_DYNAMIC_DISPATCH(write_shapelet_figures)(bank, series[i], out.row(i), poll);
}

std::vector<float> shapelet_distances(const ShapeletBank& bank, std::size_t shapelet,
                                      const SeriesView& series) {
  return HWY_DYNAMIC_DISPATCH(distances_of_shapelet)(bank, shapelet, series);
}

void normalize_window(const float* window, std::size_t apart, std::size_t length, float* to) {
  const double origin = window[0], count = static_cast<double>(length);
  double sum = 0, squares = 0;
  for (std::size_t t = 1; t < length; ++t) sum += window[t * apart] - origin;
  const double mean = sum / count;
  for (std::size_t t = 0; t < length; ++t) {
    to[t] = static_cast<float>(window[t * apart] - origin - mean);
    squares += double(to[t]) * double(to[t]);
  }
  const double factor = squares > 0 ? std::sqrt(count / squares) : 0.0;
  for (std::size_t t = 0; t < length; ++t) to[t] = static_cast<float>(to[t] * factor);
}

}  // namespace semblance::series
#endif
