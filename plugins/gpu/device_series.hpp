// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/device.hpp"

namespace semblance::gpu {

/// An elastic measure as the kernels of elastic_NAME.cu compute it.
struct ElasticMeasure {
  const DeviceProgram* program = nullptr;
  const char* kernel = nullptr;         ///< for steps of one channel
  std::size_t planes = 1;               ///< values of a prepared step
  double setting = 0;                   ///< c of msm, epsilon of edr and lcss
  std::span<const float> weights = {};  ///< of wdtw and twe: of a difference in time
  double window = 100;                  ///< in per cent of the longer series
  std::size_t channels = 1;             ///< of a step
};

/// Series with their steps as a kernel wants them. Called from any thread.
struct PreparedSeries {
  std::size_t count = 0;
  std::function<std::size_t(std::size_t series)> steps;
  std::function<void(std::size_t series, float* values)> copy;
};

/// Series that a GPU compares with others by dynamic programming, in float32: a cell's value is
/// that of the CPU's recurrence, operation by operation, with fused multiply-adds. So a sum over a
/// path of n and m steps has a relative error of at most 4 (n + m) 2^-24, and numbers of steps are
/// exact. It depends on its two series alone.
class DeviceSeries {
 public:
  /// Copies the bases to the GPU. No series, of bases or later, has more than `longest` steps,
  /// which must not exceed `most_steps`. Throws MemoryError if the bases do not fit.
  DeviceSeries(Device& device, const ElasticMeasure& measure, const PreparedSeries& bases,
               std::size_t longest, Context& context);

  /// sums[i * count + j] += the result of sample i and basis first + j. Polls the context.
  void compare(const PreparedSeries& samples, std::size_t first, std::size_t count, double* sums,
               Context& context) const;

  static constexpr std::size_t most_steps = 4096;

 private:
  struct Block;
  void upload(const PreparedSeries& bases, Context& context);
  void compare_some(const PreparedSeries& samples, const Block& block, double* sums,
                    DeviceQueue& queue) const;

  Device& device_;
  ElasticMeasure measure_;
  std::size_t longest_;
  std::vector<std::uint32_t> by_steps_;  ///< the basis at each place, longest first
  std::shared_ptr<DeviceMemory> bases_, base_steps_, base_at_, weights_, radii_;
};

/// Whether comparing series of up to `steps` steps with this many bases is worth the way to a GPU.
constexpr bool worth_a_device_for_series(std::size_t bases, std::size_t steps) {
  return bases >= 16 && bases * steps * steps >= (std::size_t{1} << 18);
}

}  // namespace semblance::gpu
