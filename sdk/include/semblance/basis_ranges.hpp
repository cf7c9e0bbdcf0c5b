// SPDX-License-Identifier: MIT
#pragma once

namespace semblance {

/// A similarity that may compare samples with a few of its bases at a time. Derive from it in
/// addition to Similarity.
class BasisRanges {
 public:
  virtual ~BasisRanges();

  /// Whether Similarity::apply_range() takes time in proportion to the bases compared, down to a
  /// hundred.
  virtual bool compares_few_bases() const noexcept = 0;
};

}  // namespace semblance
