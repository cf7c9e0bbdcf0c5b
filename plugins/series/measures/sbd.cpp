// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/sbd.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

using ShiftTag = hn::CappedTag<float, group_width>;
using ShiftVec = hn::Vec<ShiftTag>;

// Products of one sample with the bases at several shifts, one register each: as many multiply-adds
// as loads, the balance of a core.
struct Shifts {
  static constexpr std::size_t count = 8;
  ShiftVec sums[count];
};
using AllShifts = std::make_index_sequence<Shifts::count>;

// Step i of the sample; base step i + shift is at `b` for the first shift.
template <std::size_t... S>
HWY_INLINE void add_step(const float* HWY_RESTRICT x, const float* HWY_RESTRICT b,
                         std::size_t channels, Shifts& shifts, std::index_sequence<S...>) {
  const ShiftTag d;
  for (std::size_t c = 0; c < channels; ++c) {
    const ShiftVec value = hn::Set(d, x[c]);
    ((shifts.sums[S] =
          hn::MulAdd(value, hn::Load(d, b + (S * channels + c) * group_width), shifts.sums[S])),
     ...);
  }
}

// The same if some of the shifts leave the bases.
HWY_INLINE void add_end_step(const LanesJob& job, const float* bases, std::ptrdiff_t i,
                             std::ptrdiff_t shift, Shifts& shifts) {
  const ShiftTag d;
  for (std::size_t s = 0; s < Shifts::count; ++s) {
    const std::ptrdiff_t j = i + shift + static_cast<std::ptrdiff_t>(s);
    if (j < 0 || j >= static_cast<std::ptrdiff_t>(job.group.steps)) continue;
    for (std::size_t c = 0; c < job.channels; ++c) {
      const std::size_t at = static_cast<std::size_t>(j) * job.channels + c;
      shifts.sums[s] =
          hn::MulAdd(hn::Set(d, job.row[static_cast<std::size_t>(i) * job.channels + c]),
                     hn::Load(d, bases + at * group_width), shifts.sums[s]);
    }
  }
}

HWY_INLINE Shifts products(const LanesJob& job, const float* bases, std::ptrdiff_t shift) {
  const auto steps = static_cast<std::ptrdiff_t>(job.steps);
  const auto base_steps = static_cast<std::ptrdiff_t>(job.group.steps);
  constexpr auto last = static_cast<std::ptrdiff_t>(Shifts::count) - 1;
  Shifts shifts;
  for (auto& sum : shifts.sums) sum = hn::Zero(ShiftTag());
  const std::ptrdiff_t end = std::min(steps, base_steps - shift);
  // Between these, all shifts stay inside.
  const std::ptrdiff_t core =
      std::clamp(-shift, std::ptrdiff_t{0}, std::max(end, std::ptrdiff_t{0}));
  const std::ptrdiff_t core_end = std::max(core, std::min(steps, base_steps - shift - last));
  std::ptrdiff_t i = std::max(std::ptrdiff_t{0}, -(shift + last));
  for (; i < core; ++i) add_end_step(job, bases, i, shift, shifts);
  const auto channels = static_cast<std::ptrdiff_t>(job.channels);
  for (; i < core_end; ++i)
    add_step(job.row + i * channels,
             bases + (i + shift) * channels * static_cast<std::ptrdiff_t>(group_width),
             job.channels, shifts, AllShifts());
  for (; i < end; ++i) add_end_step(job, bases, i, shift, shifts);
  return shifts;
}

// Shifts without overlap with a lane's basis do not count.
void sbd_lanes(const LanesJob& job) {
  const ShiftTag d;
  for (std::size_t part = 0; part < job.group.count; part += hn::MaxLanes(d)) {
    HWY_ALIGN float values[group_width];
    for (std::size_t k = 0; k < hn::MaxLanes(d); ++k)
      values[k] = static_cast<float>(job.group.lengths[part + k]);
    const ShiftVec lengths = hn::Load(d, values);
    ShiftVec best = hn::Set(d, -std::numeric_limits<float>::infinity());
    const auto end = static_cast<std::ptrdiff_t>(job.group.steps);
    for (std::ptrdiff_t shift = 1 - static_cast<std::ptrdiff_t>(job.steps); shift < end;
         shift += static_cast<std::ptrdiff_t>(Shifts::count)) {
      const Shifts shifts = products(job, job.group.values + part, shift);
      for (std::size_t s = 0; s < Shifts::count; ++s) {
        const auto at = hn::Set(d, static_cast<float>(shift + static_cast<std::ptrdiff_t>(s)));
        best = hn::IfThenElse(hn::Lt(at, lengths), hn::Max(best, shifts.sums[s]), best);
      }
    }
    hn::Store(best, d, values);
    for (std::size_t k = 0; k < hn::MaxLanes(d) && part + k < job.group.count; ++k)
      job.results[part + k] = values[k];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(sbd_lanes);

namespace {

/// Shape-based distance: 1 minus the largest normalized cross-correlation over all shifts.
class Sbd final : public ElasticDistance {
 public:
  static Declaration<Sbd> declare();
  double operations() const noexcept override;

 private:
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
  double self_distance(std::span<const float> row) const override;
};

Declaration<Sbd> Sbd::declare() {
  Declaration<Sbd> declaration("similarity/sbd", "Shape-based distance of series");
  channels_parameter(declaration);
  return distance_parameters(declaration)
      .accepts({LayoutKind::sequence})
      .symmetric()
      .documentation(
          "d(b, x) = 1 - max over all shifts s of (sum over i of b_(i + s) x_i) / (|b| |x|), from "
          "0 "
          "for the same shape to 2. Values are compared as they are: the paper normalizes each "
          "series first (feature/znorm). A series of zeros has the distance 1 to all, and to "
          "itself. With several channels all are shifted together and their products added up; "
          "channels: independent adds up the distances of the channels.\n\n"
          "Sums are taken directly, without a Fourier transform: faster up to some four hundred "
          "steps, and rounded less. The error is below 1e-5.")
      .reference(
          "Paparrizos and Gravano (2015), k-Shape: efficient and accurate clustering of time "
          "series, eq. (9)")
      .complexity("n m multiply-adds for n and m steps, on vectors of 16 bases with AVX-512")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        sbd:    {is: similarity/sbd, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: sbd}
        test:   {is: evaluator/classification, from: svm})");
}

double Sbd::operations() const noexcept {
  return 2 * static_cast<double>(layout().width) * static_cast<double>(layout().size());
}

// Scaled to length 1, so that a product is a correlation.
void Sbd::prepare_sample(std::span<const float> series, std::size_t, float* steps) const {
  double squares = 0;
  for (const float x : series) squares += double(x) * x;
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (const float x : series) *steps++ = static_cast<float>(x * scale);
}

void Sbd::run(const LanesJob& job) const { HWY_DYNAMIC_DISPATCH(sbd_lanes)(job); }

double Sbd::finish(double accumulated, std::size_t, std::size_t, std::size_t parts) const {
  return std::max(0.0, static_cast<double>(parts) - accumulated);
}

double Sbd::self_distance(std::span<const float> row) const {
  const std::size_t parts = dependent() ? 1 : layout().depth;
  double distance = 0;
  std::vector<float> series;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto values = channel_of(row, parts, part, series);
    distance += std::ranges::all_of(values, [](float x) { return x == 0; }) ? 1 : 0;
  }
  return distance;
}

}  // namespace

ComponentEntry declare_sbd() { return Sbd::declare().entry(); }

}  // namespace semblance::series
#endif
