// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "lanes/lanes.hpp"
#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/lanes_band.hpp"

namespace semblance::series {

/// The input of a kernel: one series against a group of bases, one per lane.
struct LanesJob {
  using Group = PackedLanes<float>::Group;

  const Group& group;
  std::size_t planes;    ///< values of a base's prepared step
  const float* row;      ///< the prepared steps of the series
  std::size_t steps;     ///< their number
  std::size_t channels;  ///< of a step compared as a whole
  const numerics::LaneBand& band;
  float* table;     ///< memory for a row of cells, on a cache line
  double* results;  ///< one a lane
  /// The next group, which is not shorter, to be compared as well, or null. The band is the same:
  /// all cells, or that of the common length of all lanes. Its results follow the first group's.
  const Group* next = nullptr;
  /// Whether series may be so long that float32 sums would lose digits.
  bool long_sums = false;

  /// Steps of the longest series of the job.
  std::size_t longest() const {
    return std::max({steps, group.steps, next ? next->steps : std::size_t{0}});
  }
  /// Only the next group.
  LanesJob second() const {
    return {*next,   planes,   row, steps, channels, band, table, results + group.lengths.size(),
            nullptr, long_sums};
  }
};

/// The comparison of two series: the preparation of steps, and a kernel.
class StepProgramme {
 public:
  virtual ~StepProgramme() = default;

  /// The number of values of a prepared step, for steps with `channels` channels.
  virtual std::size_t planes(std::size_t channels) const { return channels; }

  /// Prepares the steps of a sample for the kernel; by default, copies them.
  virtual void prepare_sample(std::span<const float> series, std::size_t channels,
                              float* steps) const;
  /// Prepares the steps of a basis; by default, like a sample.
  virtual void prepare_base(std::span<const float> series, std::size_t channels,
                            float* steps) const;

  /// Vectors of a cell's state in the kernel's table; twice as many if it takes two groups.
  virtual std::size_t table_planes() const { return 2; }

  /// Whether the kernel uses LanesJob::next.
  virtual bool takes_two_groups() const { return true; }

  /// Runs the kernel: the result in the last cell of each lane.
  virtual void run(const LanesJob& job) const = 0;
};

/// The bases that series are compared with, packed in lanes.
///
/// A series of several channels is one sequence of vectors (dependent), or each channel is a
/// separate series and the results are added.
class SeriesLanes {
 public:
  /// The bases stay in place.
  void set(const StepProgramme& programme, MatrixView bases, const Layout& layout, bool dependent);

  /// sums[i * count + j]: the result for row i of `in` and basis `first` + j. Its bits depend only
  /// on its two series. Polls for stops.
  void compare(const StepProgramme& programme, MatrixView in, std::size_t first, std::size_t count,
               double window, double* sums, Context& context) const;

  /// If series may have more steps, costs are summed with twice float32's digits. The layout
  /// decides, not the lengths of a pair, so that a pair's bits depend on no other pair; only a new
  /// series, which may be longer than the layout says, decides for itself.
  static constexpr std::size_t longest_in_float32 = 4096;

  /// 1 where channels are dependent, else their number.
  std::size_t parts() const noexcept { return parts_; }
  std::size_t base_steps(std::size_t base) const noexcept { return bases_.size(base) / depth_; }

 private:
  using Lanes = PackedLanes<float>;
  struct Workspace;

  std::vector<Lanes> pack(const StepProgramme& programme, std::size_t first,
                          std::size_t count) const;
  void compare_row(const StepProgramme& programme, std::span<const float> x,
                   const std::vector<Lanes>& packed, double window, Workspace& work, double* sums,
                   Context& context) const;

  MatrixView bases_;
  std::size_t depth_ = 1, parts_ = 1, longest_ = 0;
  std::vector<Lanes> packed_;  // one per part
};

/// Channel `c` of a series of `channels`; in `values`, unless it is the only one.
std::span<const float> channel_of(std::span<const float> series, std::size_t channels,
                                  std::size_t c, std::vector<float>& values);

}  // namespace semblance::series
