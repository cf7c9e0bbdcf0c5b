// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "expansion/kernel_expansion.hpp"
#include "matrix/kernel_matrix.hpp"

namespace semblance::kernel {

/// The vectors of a machine: samples by place, class after class.
struct MachineVectors {
  std::vector<std::size_t> places;
  std::vector<std::uint32_t> rows;     ///< the training sample of each
  std::vector<std::size_t> starts{0};  ///< the first vector of each class, and their number
};

/// Functions that were learned. The vectors of the terms have become the bases of the kernel.
struct LearnedFunctions {
  std::vector<double> biases = {};  ///< for a linear kernel about `centre`
  Terms terms = {};
  MachineVectors vectors = {};
  std::vector<float> centre = {};      ///< of the samples; may be empty
  std::vector<VectorRole> roles = {};  ///< of a classifier's vectors
};

/// Whether each of n samples has a coefficient in any function.
std::vector<char> samples_used(std::span<const std::vector<Term>> terms, std::size_t n);

/// Converts the terms, whose vectors are places, to the unrepaired similarities; numbers the
/// vectors that they need, and makes these the bases of the kernel.
MachineVectors choose_vectors(const KernelTask& task, const SortedSamples& rows,
                              const RepairRecord& repair, Terms& terms, Context& context);

}  // namespace semblance::kernel
