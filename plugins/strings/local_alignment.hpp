// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "alignment_programme.hpp"
#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// The score of the best alignment of a part of one string with a part of the other.
class LocalAlignment final : public PanelSimilarity {
 public:
  static Declaration<LocalAlignment> declare();
  double operations() const noexcept override;

 private:
  void prepare_alphabet(const Layout& layout) override;
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  bool needs_self() const noexcept override { return normalize_; }
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::string matrix_ = "plain";
  std::int64_t match_ = 5;
  std::int64_t mismatch_ = -4;
  std::int64_t gap_open_ = 11;
  std::int64_t gap_extend_ = 1;
  bool normalize_ = true;
  AlignmentScores scores_;
};

}  // namespace semblance
