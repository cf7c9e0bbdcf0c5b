// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "device_panels.hpp"
#include "row_pairs.hpp"

namespace semblance::gpu {

/// A measure as the kernels compute it: finish(sum over the values of a pair).
struct PairMeasure {
  PairSum sum = PairSum::product;
  Finish finish = Finish::none;
  double factor = 1;
  double offset = 0;
  int degree = 1;
};

/// Bases whose similarities to rows a GPU computes, in float32: sums of up to 2,048 values one
/// after the other, then sums of these; distances from the differences of the values, so that they
/// are right wherever the rows are. A value has a relative error of at most
/// (min(d, 2048) + d / 2048 + 4) 2^-24 of the sum of the absolute values of its d terms, and does
/// not depend on other rows and bases. The bases stay in the GPU's memory as far as they fit; the
/// others are copied for each block of rows.
class DeviceBases {
 public:
  using Fetch = DevicePanels::Fetch;

  /// `fetch` is called here and in compare(), from any thread.
  DeviceBases(Device& device, std::size_t count, std::size_t cols, Fetch fetch, Context& context);

  /// out(i, j) = measure(base first + j, row i of in). Polls the context. Dense rows only.
  void compare(const PairMeasure& measure, MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const;

  Device& device() const noexcept { return panels_.device(); }
  /// The bases that are in the GPU's memory.
  std::size_t resident() const noexcept { return panels_.resident(); }

 private:
  void compare_some(const PairMeasure& measure, MatrixView in, std::size_t first,
                    MutableMatrixView out, DeviceQueue& queue) const;

  std::size_t cols_, stride_;
  DevicePanels panels_;
};

/// Whether comparing rows of `cols` values with this many bases is worth the way to a GPU and back.
constexpr bool worth_a_device(std::size_t bases, std::size_t cols) {
  return bases >= 64 && bases * cols >= (std::size_t{1} << 14);
}

}  // namespace semblance::gpu
