// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>

namespace semblance::numerics {

/// A few hundred variables b of the dual of a two-class SVM, in the form
/// min 1/2 b'Kb - y'b with sum b = 0 and lower <= b <= upper, the others fixed. The variable b is
/// LIBSVM's y * alpha; its gradient is f = K b - y.
class Subproblem {
 public:
  explicit Subproblem(std::size_t capacity);

  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t stride() const noexcept { return stride_; }
  float* kernel(std::size_t i) noexcept { return kernel_.get() + i * stride_; }
  const float* kernel(std::size_t i) const noexcept { return kernel_.get() + i * stride_; }

  /// Sets variable i; its kernel row and column must be set as well.
  void set(std::size_t i, double value, double gradient, double lower, double upper) noexcept;
  /// Moves variable i alone: the gradients are not updated.
  void set_value(std::size_t i, double value) noexcept { at(values, i) = value; }
  /// Removes variable i.
  void clear(std::size_t i) noexcept;
  double value(std::size_t i) const noexcept { return at(values, i); }

  /// Sequential minimal optimisation with LIBSVM's second-order choice of the pair (Fan, Chen, Lin
  /// 2005), until the most violating pair violates by less than `tolerance` or `most_steps` are
  /// done, or `stop` returns true, which is called every few thousand steps. Returns the number of
  /// steps. Sums in double; the choice of the second variable compares gains in float.
  std::size_t minimise(double tolerance, std::size_t most_steps,
                       const std::function<bool()>& stop = {});

  /// Moves the free variables together, as FreeVariables does. Pair steps are slow if many are free
  /// and their kernel is nearly singular.
  void minimise_free();

 private:
  enum Array : std::size_t { values, gradients, lowers, uppers, up, low, low_gradients, arrays };

  double* array(Array a) noexcept { return doubles_.get() + a * stride_; }
  double& at(Array a, std::size_t i) noexcept { return array(a)[i]; }
  double at(Array a, std::size_t i) const noexcept { return doubles_.get()[a * stride_ + i]; }
  void limit(std::size_t i) noexcept;

  std::size_t capacity_;
  std::size_t stride_;
  hwy::AlignedFreeUniquePtr<float[]> kernel_;
  hwy::AlignedFreeUniquePtr<float[]> diagonal_;
  hwy::AlignedFreeUniquePtr<double[]> doubles_;
};

}  // namespace semblance::numerics
