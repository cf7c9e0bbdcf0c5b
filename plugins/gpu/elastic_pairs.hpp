// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::gpu {

/// A block compares elastic_rows samples with 32 bases at a time, each thread one pair.
constexpr unsigned elastic_threads = 128, elastic_lanes = 32;
constexpr unsigned elastic_rows = elastic_threads / elastic_lanes;

/// The columns that a thread advances together, at most.
constexpr unsigned elastic_strip = 32;

/// The argument of the kernels in elastic_kernel.hpp: the results of the dynamic programmes of
/// samples (their rows) and bases (their columns). Series have `planes` values per step.
struct ElasticPairs {
  /// In groups of 32: value p of step j of the basis at place k is that of index
  /// ((k / 32 * planes + p) * base_steps_most + j) * 32 + k % 32. base_steps_most is at least
  /// elastic_strip more than any basis has; values after the last step are numbers.
  const float* bases = nullptr;
  const unsigned* base_steps = nullptr;  ///< at each place
  const unsigned* base_at = nullptr;     ///< the number of the basis at each place
  const unsigned* places = nullptr;      ///< of the bases to compare with
  const float* samples = nullptr;        ///< value p of step i at index i * planes + p
  const unsigned* sample_steps = nullptr;
  const float* radii = nullptr;    ///< radii[n]: the window of n steps; null: no window
  const float* weights = nullptr;  ///< of a difference in time, from -longest to longest
  float* border = nullptr;         ///< border_steps x elastic_threads values for each block
  float* out = nullptr;            ///< out(i, j) of sample i and basis first + j
  unsigned long long samples_stride = 0, out_stride = 0;  ///< in values
  unsigned planes = 1;
  unsigned channels = 1;
  unsigned base_steps_most = 0;
  unsigned count = 0;  ///< of places
  unsigned first = 0;
  unsigned samples_count = 0;
  unsigned border_steps = 0;  ///< at least the steps of every sample
  unsigned blocks = 0;        ///< that share the pairs
  float setting = 0;          ///< the parameter of the measure
  int longest = 0;            ///< weights[longest] belongs to no difference in time
};

}  // namespace semblance::gpu
