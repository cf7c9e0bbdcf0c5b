// SPDX-License-Identifier: MIT
#pragma once

#include "generated/drawn_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Strings of classes that differ in their transition probabilities and in a motif.
class RandomStrings final : public Source {
 public:
  static Declaration<RandomStrings> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  DrawnSizes sizes() const;
  Layout layout() const;

  std::int64_t classes_ = 3;
  std::int64_t per_class_ = 20;
  std::int64_t test_per_class_ = 20;
  std::int64_t shortest_ = 30;
  std::int64_t longest_ = 50;
  std::string alphabet_ = "ACGT";
  double contrast_ = 0.3;
  std::int64_t motif_ = 10;
  double mutation_ = 0.1;
};

}  // namespace semblance
