// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// What a vector of a classifier is.
enum class VectorRole : std::uint8_t {
  none,    ///< no support vector: the kernel needs it as a basis
  margin,  ///< on the margin of a problem: its coefficient is below the bound C there
  bound  ///< inside the margin, or misclassified, in each of its problems: C bounds its coefficient
};

/// The classes that a function of a classifier separates: positive values speak for the first,
/// negative ones for the second.
struct Opposed {
  static constexpr std::int32_t rest = -1;  ///< as second: all other classes
  std::int32_t first = 0;
  std::int32_t second = rest;
};

/// An optional interface of kernel machines, for programs that show what they consist of and
/// explain their predictions: functions f(x) = sum_i b_i k(v_i, x) + bias on vectors v, which are
/// training samples and the bases of the kernel.
class DecisionValues {
 public:
  virtual ~DecisionValues();

  /// The number of functions: one per pair of classes, per class, per target number, ...
  virtual std::size_t decision_values() const noexcept = 0;

  /// The functions' values for each row, before they become scores: rows x decision_values(),
  /// row-major. Thread-safe.
  virtual void decide(MatrixView in, std::span<double> out, Context& context) const = 0;

  /// The training sample that each vector is, counted from 0; empty where it is not known, as of a
  /// model that an older version saved.
  virtual std::span<const std::uint32_t> vector_rows() const noexcept = 0;

  /// What each vector is to the classes' problems; empty where it is not known.
  virtual std::span<const VectorRole> vector_roles() const noexcept { return {}; }

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
