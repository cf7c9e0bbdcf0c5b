// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/similarity.hpp"

namespace semblance {

/// The classes that a function of a classifier separates: positive values speak for the first,
/// negative ones for the second.
struct Opposed {
  static constexpr std::int32_t rest = -1;  ///< as second: all other classes
  std::int32_t first = 0;
  std::int32_t second = rest;
};

/// An optional interface of kernel machines which tell their functions as sums over examples:
/// f(x) = sum_i b_i k(v_i, x) + bias, where the vectors v are the bases of the kernel. For programs
/// that explain a prediction. Derive from it in addition to DecisionValues, whose functions these
/// are.
class KernelSums {
 public:
  virtual ~KernelSums();

  /// The kernel; its bases are the vectors.
  virtual const Similarity& sum_kernel() const = 0;

  /// The bias of each function. Throws Error in one sentence if the output is no such sum.
  virtual std::span<const double> sum_biases() const = 0;

  /// The coefficients of a function, one per vector.
  virtual std::vector<double> sum_coefficients(std::size_t function) const = 0;

  /// Of a classifier, the classes that each function separates. Empty: a function is an output.
  virtual std::vector<Opposed> opposed_classes() const = 0;
};

}  // namespace semblance
