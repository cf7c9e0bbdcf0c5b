// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance {

/// A similarity whose bases can be shown: it has kept their rows as set_bases() was given them.
/// Derive from it in addition to Similarity.
class KeptBases {
 public:
  virtual ~KeptBases();

  /// The row of a basis, zeros included: as many values as the samples have.
  virtual void kept_basis(std::size_t basis, std::span<float> row) const = 0;
};

}  // namespace semblance
