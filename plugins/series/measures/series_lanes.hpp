// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/lanes.hpp"
#include "semblance_numerics/lanes_band.hpp"

namespace semblance {

/// One series against a group of bases, one a lane: what a kernel is given.
struct LanesJob {
  using Group = numerics::PackedLanes<float>::Group;

  const Group& group;
  std::size_t planes;    ///< values of a base's prepared step
  const float* row;      ///< the prepared steps of the series
  std::size_t steps;     ///< their number
  std::size_t channels;  ///< of a step that is compared as one
  const numerics::LaneBand& band;
  float* table;     ///< room for a row of cells, on a cache line
  double* results;  ///< one a lane
  /// The group behind it, no shorter, to be compared with as well, or null. The band is the same:
  /// all cells, or that of the one length of all lanes. Its results follow the first one's.
  const Group* next = nullptr;
  /// Whether series may be so long that sums in float32 would lose digits.
  bool long_sums = false;

  /// The next group alone.
  LanesJob second() const {
    return {*next,   planes,   row, steps, channels, band, table, results + group.lengths.size(),
            nullptr, long_sums};
  }
};

/// What is computed of two series: what a step is made of before, and a kernel.
class StepProgramme {
 public:
  virtual ~StepProgramme() = default;

  /// Values that a prepared step has, for steps of so many channels.
  virtual std::size_t planes(std::size_t channels) const { return channels; }

  /// Prepares the steps of a sample for the kernel; as it is, copies them.
  virtual void prepare_sample(std::span<const float> series, std::size_t channels,
                              float* steps) const;
  /// And of a base; as it is, like a sample.
  virtual void prepare_base(std::span<const float> series, std::size_t channels,
                            float* steps) const;

  /// Vectors of a cell's state in the kernel's table; twice as many where it takes two groups.
  virtual std::size_t table_planes() const { return 2; }

  /// Whether the kernel looks at LanesJob::next.
  virtual bool takes_two_groups() const { return true; }

  /// What the last cell of each lane has accumulated.
  virtual void run(const LanesJob& job) const = 0;
};

/// The bases that series are compared with, packed in lanes.
///
/// A series of several channels is one sequence of vectors (dependent), or each channel is a series
/// of its own and what they accumulate is added.
class SeriesLanes {
 public:
  /// The bases stay where they are.
  void set(const StepProgramme& programme, MatrixView bases, const Layout& layout, bool dependent);

  /// sums[i * count + j]: what row i of `in` and base `first` + j accumulate. A sum depends on its
  /// two series alone, bit for bit. Polls for stops.
  void compare(const StepProgramme& programme, MatrixView in, std::size_t first, std::size_t count,
               double window, double* sums, Context& context) const;

  /// Where series may have more steps, costs are summed with twice float32's digits. It is the
  /// layout that decides, not a pair's lengths, so that a pair's bits depend on no other pair.
  static constexpr std::size_t longest_in_float32 = 4096;

  /// 1 where channels are dependent, else their number.
  std::size_t parts() const noexcept { return parts_; }
  std::size_t base_steps(std::size_t base) const noexcept { return bases_.size(base) / depth_; }

 private:
  using Lanes = numerics::PackedLanes<float>;
  struct Workspace;

  std::vector<Lanes> pack(const StepProgramme& programme, std::size_t first,
                          std::size_t count) const;
  void compare_row(const StepProgramme& programme, std::span<const float> x,
                   const std::vector<Lanes>& packed, double window, Workspace& work, double* sums,
                   Context& context) const;

  MatrixView bases_;
  std::size_t depth_ = 1, parts_ = 1, longest_ = 0;
  std::vector<Lanes> packed_;  // one a part
};

/// Channel `c` of a series of `channels`; in `values`, unless it is the only one.
std::span<const float> channel_of(std::span<const float> series, std::size_t channels,
                                  std::size_t c, std::vector<float>& values);

}  // namespace semblance
