// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "semblance/similarity.hpp"

namespace semblance {

/// A similarity that compares samples with any of its bases, in time in proportion to their number.
/// Derive from it in addition to Similarity.
class BasisChoice {
 public:
  virtual ~BasisChoice();

  /// Whether choose_bases() is possible with the present bases.
  virtual bool chooses_bases() const noexcept = 0;

  /// The same measure with only these bases, in this order: its values have the same bits.
  virtual std::unique_ptr<Similarity> choose_bases(std::span<const std::uint32_t> bases) const = 0;
};

}  // namespace semblance
