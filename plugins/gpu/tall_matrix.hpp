// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "semblance/context.hpp"
#include "semblance/device.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu {

/// The dense training rows in a GPU's memory, for products with vectors and sums of rows. The order
/// of the sums depends on the number of rows and columns alone.
class TallMatrix {
 public:
  /// Copies the rows to the context's device. Null if there is none, if the rows are too few for it
  /// to be worth it or are on several ranks, or if they would take more than half of its memory.
  static std::shared_ptr<const TallMatrix> of(const Rows& rows, Context& context);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return cols_; }

  /// z[r * count + a] = x_r . v_a in T (float or double), with vectors `stride` values apart, a
  /// multiple of 4 and at least cols(); the values after cols() must be finite.
  template <class T>
  void multiply(const T* v, std::size_t stride, std::size_t count, T* z) const;

  /// out[a * stride + j] = sum over r of z[r * count + a] x_rj: in T within 256 rows and in double
  /// across them.
  template <class T>
  void sum(const T* z, std::size_t count, double* out, std::size_t stride) const;

 private:
  TallMatrix(Device& device, const Rows& rows, Context& context);

  Device& device_;
  std::size_t rows_, cols_, stride_;
  std::shared_ptr<DeviceMemory> values_;
};

}  // namespace semblance::gpu
