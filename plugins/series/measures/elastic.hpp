// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_series.hpp"
#include "measures/series_lanes.hpp"
#include "programs.hpp"
#include "semblance/distance.hpp"
#include "semblance/error.hpp"

namespace semblance::series {

/// Distances of series by dynamic programming: every step of one series against every step of the
/// other. All bases advance together, one per SIMD lane; a derived class defines the programme.
class ElasticDistance : public Distance, protected StepProgramme {
 public:
  double operations() const noexcept override;

  /// Declares `channels`.
  template <std::derived_from<ElasticDistance> T>
  friend Declaration<T>& channels_parameter(Declaration<T>& declaration) {
    return declaration.parameter(
        "channels", &ElasticDistance::channels_,
        "for series with several: dependent, each step is one vector, or independent, each channel "
        "is a series of its own, and what they accumulate is added",
        choices({"dependent", "independent"}));
  }

  /// Declares the parameters of a symmetric distance with a window: `window`, `channels`, and those
  /// of all distances.
  template <std::derived_from<ElasticDistance> T>
  friend Declaration<T>& elastic_distance(Declaration<T>& declaration) {
    declaration.parameter(
        "window", &ElasticDistance::window_,
        "how far the two series may be apart in time, in per cent of the longer one; 100: any "
        "distance",
        at_least(0), at_most(100));
    channels_parameter(declaration);
    return distance_parameters(declaration)
        .accepts({LayoutKind::sequence})
        .symmetric()
        .uses_device();
  }

 protected:
  /// The distance from the sum over `parts` channels (1 if they are dependent); by default the sum
  /// itself.
  virtual double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                        std::size_t parts) const;

  /// The kernel of a GPU, with its setting and weights; none: the CPU computes.
  virtual std::optional<gpu::ElasticMeasure> on_device() const { return {}; }

  void check_layout(const Layout& layout) const override;
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;

  bool dependent() const noexcept { return channels_ == "dependent" || layout().depth == 1; }
  const SeriesLanes& lanes() const noexcept { return lanes_; }

 private:
  void move_to_device(MatrixView bases, Context& context);
  void sum_on_device(MatrixView in, std::size_t first, std::size_t count, double* sums,
                     Context& context) const;
  void sum_anywhere(MatrixView in, std::size_t first, std::size_t count, double* sums,
                    Context& context) const;

  std::string channels_ = "dependent";
  double window_ = 100;
  SeriesLanes lanes_;
  std::vector<std::shared_ptr<gpu::DeviceSeries>> on_gpu_;  // one per part; empty: the CPU compares
};

/// f(|k|) as float32 for each difference k in time, which is ready for series of up to `longest`
/// steps.
class ByTimeDifference {
 public:
  ByTimeDifference() = default;
  ByTimeDifference(std::size_t longest, std::function<double(double)> f);

  /// Calls use(values) for a job; values[k] for k from -steps to steps of its longest series.
  template <class Use>
  void with(const LanesJob& job, const Use& use) const {
    if (const std::size_t steps = job.longest(); steps > longest_)
      use(made(steps).data() + steps);
    else
      use(values_.data() + longest_);
  }
  /// Those that are ready: k from -longest to longest.
  std::span<const float> values() const noexcept { return values_; }

 private:
  std::vector<float> made(std::size_t longest) const;

  std::size_t longest_ = 0;
  std::function<double(double)> f_;
  std::vector<float> values_;
};

}  // namespace semblance::series
