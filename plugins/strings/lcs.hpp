// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// The number of symbols that two strings have in common, in the same order.
class Lcs final : public PanelSimilarity {
 public:
  static Declaration<Lcs> declare();
  double operations() const noexcept override;

 private:
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::string normalize_ = "longer";
};

}  // namespace semblance
