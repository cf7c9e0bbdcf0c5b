// SPDX-License-Identifier: MIT
#pragma once

#include "code_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "tplbp_codes.hpp"

namespace semblance {

/// Histograms of three-patch local binary patterns in cells.
class Tplbp final : public Feature {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Tplbp> declare();

 private:
  TplbpCodes::Shape shape() const;

  std::int64_t cell_ = 10;
  std::int64_t step_ = 0;
  std::int64_t patches_ = 8;
  std::int64_t patch_ = 3;
  std::int64_t alpha_ = 5;
  double radius_ = 2;
  double tau_ = 0.01;
  std::string scale_ = "truncated";
  Layout input_;
  CodeCells cells_;
};

}  // namespace semblance
