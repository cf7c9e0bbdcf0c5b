// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "problem/linear_task.hpp"
#include "semblance/context.hpp"
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

  /// f[i * classes + m] = w_m . x_i for the samples with these numbers, or for those of a block.
  /// For few samples at a time: it uses one thread.
  virtual void products(std::span<const std::size_t> samples, double* f) const = 0;
  virtual void products(MatrixView block, double* f) const = 0;

  /// w_m += sum of factors[i * classes + m] x_i.
  virtual void add(std::span<const std::size_t> samples, std::span<const double> factors,
                   Context& context) = 0;

  /// sum |w_m|^2.
  virtual double squares() const = 0;
  /// Copies w_m to the rows of `to`.
  virtual void copy_to(Vectors<double>& to) const = 0;

  /// Bytes for samples of this dimension, with the constant.
  static std::size_t bytes(std::size_t dimension, std::size_t classes) noexcept;
};

/// The number of vectors of `length` values whose products with all classes make a worthwhile task.
std::size_t worthwhile_task(std::size_t length, std::size_t classes) noexcept;

}  // namespace semblance::linear
