// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "edit_programme.hpp"
#include "packed_strings.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance {

/// The least cost of insertions, deletions and substitutions that turn one string into another.
class Edit final : public Distance {
 public:
  static Declaration<Edit> declare();
  double operations() const noexcept override;

 private:
  void check_layout(const Layout& layout) const override { check_alphabet(layout); }
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;
  EditCosts costs() const noexcept { return {insertion_, deletion_, substitution_}; }
  double normalized(double distance, std::size_t basis, std::size_t row) const noexcept;

  double insertion_ = 1;
  double deletion_ = 1;
  double substitution_ = 1;
  std::string normalize_ = "none";
  PackedStrings bases_;
};

}  // namespace semblance
