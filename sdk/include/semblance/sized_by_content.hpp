// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// An optional interface of features and normalizers whose output rows differ in size by what the
/// input rows hold, such as counts in sparse columns. Their Transform::values_of() gives the most
/// values that an input row of a size can make.
class SizedByContent {
 public:
  virtual ~SizedByContent();

  /// The number of values of each output row. Called when apply() may be called, and with the same
  /// rows. Thread-safe; the result for a row must not depend on the other rows. Throws Cancelled on
  /// a stop request.
  virtual void count_values(MatrixView in, std::span<std::size_t> sizes,
                            Context& context) const = 0;
};

}  // namespace semblance
