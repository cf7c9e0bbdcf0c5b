// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "semblance/distance.hpp"
#include "semblance_numerics/lanes.hpp"
#include "semblance_numerics/lanes_band.hpp"

namespace semblance {

/// One series against a group of bases, one a lane: what a kernel is given.
struct LanesJob {
  const numerics::PackedLanes<float>::Group& group;
  std::size_t planes;    ///< values of a base's step
  const float* row;      ///< the prepared steps of the series
  std::size_t steps;     ///< their number
  std::size_t channels;  ///< of a step that is compared as one
  const numerics::LaneBand& band;
  float* table;    ///< room for a row of cells, on a cache line
  float* results;  ///< one a lane
};

/// Distances of series that are dynamic programmes: every step of one series against every step of
/// the other. All bases advance together, one a SIMD lane; a derived class says what a step is made
/// of before, and what a cell computes.
///
/// A series of several channels is one sequence of vectors (`channels: dependent`), or each channel
/// is a series of its own, and what the channels accumulate is added (`independent`).
class ElasticDistance : public Distance {
 public:
  double operations() const noexcept override;

  /// Declares `channels`.
  template <std::derived_from<ElasticDistance> T>
  friend Declaration<T>& channels_parameter(Declaration<T>& declaration) {
    return declaration.parameter(
        "channels", &ElasticDistance::channels_,
        "of series with several: dependent, each step is one vector, or independent, each channel "
        "is a series of its own, and what they accumulate is added",
        choices({"dependent", "independent"}));
  }

  /// Declares `window`.
  template <std::derived_from<ElasticDistance> T>
  friend Declaration<T>& window_parameter(Declaration<T>& declaration) {
    return declaration.parameter(
        "window", &ElasticDistance::window_,
        "how far the two series may be apart in time, in per cent of the longer one; 100: any "
        "distance",
        at_least(0), at_most(100));
  }

 protected:
  using Lanes = numerics::PackedLanes<float>;

  /// Values that a prepared step of a base or of a sample has, for steps of so many channels.
  virtual std::size_t base_planes(std::size_t channels) const { return channels; }
  virtual std::size_t sample_planes(std::size_t channels) const { return channels; }

  /// Prepares the steps of a series for the kernel; as it is, copies them.
  virtual void prepare_base(std::span<const float> series, std::size_t channels,
                            float* steps) const;
  virtual void prepare_sample(std::span<const float> series, std::size_t channels,
                              float* steps) const;

  /// Vectors of a cell's state in the kernel's table.
  virtual std::size_t table_planes() const { return 1; }

  /// What the last cell of each lane has accumulated.
  virtual void run(const LanesJob& job) const = 0;

  /// The distance, from what `parts` channels (1 if they are dependent) have accumulated together.
  virtual double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                        std::size_t parts) const = 0;

  void check_layout(const Layout& layout) const override;
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;

  bool dependent() const noexcept { return channels_ == "dependent" || layout().depth == 1; }
  double window() const noexcept { return window_; }

 private:
  struct Workspace;

  std::size_t parts() const noexcept { return dependent() ? 1 : layout().depth; }
  std::vector<Lanes> pack(std::size_t first, std::size_t count) const;
  void compare_row(std::span<const float> x, const std::vector<Lanes>& packed, Workspace& work,
                   Context& context) const;

  std::string channels_ = "dependent";
  double window_ = 100;
  MatrixView bases_;
  std::vector<Lanes> packed_;  // one a part
};

}  // namespace semblance
