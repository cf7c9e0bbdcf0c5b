// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/euclidean.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// Four sums, so that additions do not wait for each other. Lanes of longer and shorter bases also
// get values, which are ignored.
void euclidean_lanes(const LanesJob& job) {
  using Tag = hn::CappedTag<float, group_width>;
  const Tag d;
  const std::size_t values = std::min(job.steps, job.group.steps) * job.channels;
  for (std::size_t part = 0; part < job.group.count; part += hn::MaxLanes(d)) {
    const float* HWY_RESTRICT b = job.group.values + part;
    hn::Vec<Tag> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    std::size_t k = 0;
    for (; k + 4 <= values; k += 4)
      for (std::size_t s = 0; s < 4; ++s) {
        const auto difference =
            hn::Sub(hn::Set(d, job.row[k + s]), hn::Load(d, b + (k + s) * group_width));
        sums[s] = hn::MulAdd(difference, difference, sums[s]);
      }
    for (; k < values; ++k) {
      const auto difference = hn::Sub(hn::Set(d, job.row[k]), hn::Load(d, b + k * group_width));
      sums[0] = hn::MulAdd(difference, difference, sums[0]);
    }
    HWY_ALIGN float sum[group_width];
    hn::Store(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])), d, sum);
    for (std::size_t lane = 0; lane < hn::MaxLanes(d); ++lane) job.results[part + lane] = sum[lane];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(euclidean_lanes);

namespace {

/// The Euclidean distance of vectors, images, grids, and series of equal length.
class Euclidean final : public ElasticDistance {
 public:
  static Declaration<Euclidean> declare();
  double operations() const noexcept override;

 private:
  /// A vector is a series of one step.
  void check_layout(const Layout&) const override {}
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
};

Declaration<Euclidean> Euclidean::declare() {
  Declaration<Euclidean> declaration("similarity/euclidean",
                                     "Euclidean distance of vectors, or of series step by step");
  return distance_parameters(declaration)
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence})
      .symmetric()
      .documentation(
          "The root of the sum of squared differences of all values, of series of all steps and "
          "channels. The distance of copies is exactly 0, and rows far from 0 lose no digits. "
          "Series must have equal lengths: feature/resample makes them so.")
      .complexity("2 vector operations per value")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        near:   {is: similarity/euclidean, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: near}
        test:   {is: evaluator/classification, from: svm})");
}

double Euclidean::operations() const noexcept { return 3 * static_cast<double>(layout().size()); }

void Euclidean::run(const LanesJob& job) const { HWY_DYNAMIC_DISPATCH(euclidean_lanes)(job); }

double Euclidean::finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                         std::size_t) const {
  if (sample_steps != base_steps)
    throw Error("series of " + std::to_string(base_steps) + " and of " +
                std::to_string(sample_steps) +
                " steps cannot be compared step by step; make their lengths equal with "
                "feature/resample, or use a measure that warps time, such as similarity/dtw");
  return std::sqrt(accumulated);
}

}  // namespace

ComponentEntry declare_euclidean() { return Euclidean::declare().entry(); }

}  // namespace semblance::series
#endif
