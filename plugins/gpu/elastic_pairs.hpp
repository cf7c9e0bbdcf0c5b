// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::gpu {

/// The argument of the kernels in elastic_pairs.cu: out(i, order[k] - first) is the result of the
/// dynamic programme of series i of the samples (its rows) and basis order[k] (its columns).
///
/// Series have `planes` values per step, one step after the other. Strides are in values, and a
/// basis has elastic_strip steps more than the longest, of any value.
struct ElasticPairs {
  const float* bases = nullptr;
  const unsigned* base_steps = nullptr;
  const unsigned* order = nullptr;  ///< the bases to compare with, those of similar length together
  const float* samples = nullptr;
  const unsigned* sample_steps = nullptr;
  const float* radii = nullptr;    ///< radii[n]: the window of n steps; null: no window
  const float* weights = nullptr;  ///< of a difference in time, from -longest to longest
  float* border = nullptr;         ///< border_steps x elastic_threads values for each block
  float* out = nullptr;
  unsigned long long bases_stride = 0, samples_stride = 0, out_stride = 0;
  unsigned planes = 1;
  unsigned count = 0;  ///< of order
  unsigned first = 0;
  unsigned samples_count = 0;
  unsigned border_steps = 0;  ///< at least the steps of every sample
  unsigned blocks = 0;        ///< that share the pairs
  float setting = 0;          ///< the parameter of the measure
  int longest = 0;            ///< weights[longest] belongs to no difference in time
};

/// A block compares elastic_rows samples with 32 bases at a time, each thread one pair.
constexpr unsigned elastic_threads = 128, elastic_lanes = 32;
constexpr unsigned elastic_rows = elastic_threads / elastic_lanes;

/// The columns that a thread advances together, at most.
constexpr unsigned elastic_strip = 32;

}  // namespace semblance::gpu
