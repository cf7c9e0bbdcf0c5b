// SPDX-License-Identifier: MIT
#pragma once

#include "code_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// Histograms of local binary patterns in cells.
class Lbp final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Lbp> declare();

 private:
  std::int64_t cell_ = 10;
  std::int64_t step_ = 0;
  double radius_ = 1;
  std::string patterns_ = "uniform";
  std::string scale_ = "none";
  Layout input_;
  CodeCells cells_;
};

}  // namespace semblance
