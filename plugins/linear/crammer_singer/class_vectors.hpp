// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "problem/linear_task.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The weights w_m of all classes, with that of the appended constant, and their products with
/// samples. Dense samples take them class by class, sparse ones column by column, so that a column
/// is looked up once for all classes.
class ClassVectors {
 public:
  virtual ~ClassVectors() = default;
  ClassVectors() = default;
  ClassVectors(const ClassVectors&) = delete;
  ClassVectors& operator=(const ClassVectors&) = delete;

  /// All weights 0. The task's rows must outlive it.
  static std::unique_ptr<ClassVectors> of(const LinearTask& task);

  /// f[m] = w_m . x of a sample; f[i * classes + m] of the samples of a block.
  virtual void products(std::size_t sample, double* f) = 0;
  virtual void products(MatrixView block, double* f) const = 0;

  /// w_m += factors[m] x of a sample.
  virtual void add(std::size_t sample, std::span<const double> factors) = 0;

  /// sum |w_m|^2.
  virtual double squares() const = 0;
  /// Copies w_m to the rows of `to`.
  virtual void copy_to(Vectors<double>& to) const = 0;

  /// Bytes for samples of this dimension, with the constant.
  static std::size_t bytes(std::size_t dimension, std::size_t classes) noexcept;
};

}  // namespace semblance::linear
