// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"
#include "string_panels.hpp"

namespace semblance {

/// The number of occurrences of each sequence of k symbols in a string.
class Spectrum final : public RowFeature {
 public:
  static Declaration<Spectrum> declare();
  void check_parameters() const override;

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  void count_columns(std::span<const Symbol> symbols, std::span<float> out) const;
  void count_hashes(std::span<const Symbol> symbols, std::span<float> out) const;

  std::int64_t shortest_ = 1;
  std::int64_t longest_ = 3;
  std::int64_t mismatch_ = 0;
  std::string values_ = "counts";
  bool ends_ = false;
  bool unit_length_ = true;
  std::int64_t hashed_ = 0;
  std::size_t alphabet_ = 0;
  std::size_t symbols_ = 0;  // of the alphabet, and that of the ends
  std::vector<std::uint64_t> symbol_hashes_;
};

}  // namespace semblance
