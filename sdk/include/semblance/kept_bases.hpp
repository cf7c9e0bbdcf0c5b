// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance {

/// A similarity whose bases can be shown: it stores their rows as passed to set_bases(). Derive
/// from it in addition to Similarity.
class KeptBases {
 public:
  virtual ~KeptBases();

  /// Copies the row of a basis, zeros included, to `row`, which has the size of a sample.
  virtual void kept_basis(std::size_t basis, std::span<float> row) const = 0;

  /// Copies the values of a basis in these columns, ascending, of a sample of `width`.
  virtual void kept_values(std::size_t basis, std::span<const std::size_t> columns,
                           std::size_t width, std::span<float> values) const;
};

}  // namespace semblance
