// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// The kernel of subsequences weighted by their spans.
class Subsequence final : public PanelSimilarity {
 public:
  static Declaration<Subsequence> declare();
  double operations() const noexcept override;

  /// The inner product of vectors with one value per subsequence.
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  bool needs_self() const noexcept override { return normalize_; }
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::int64_t length_ = 3;
  double decay_ = 0.5;
  bool normalize_ = true;
};

}  // namespace semblance
