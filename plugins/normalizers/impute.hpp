// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// Fills in missing values (NaN), column by column.
class Impute final : public Normalizer, public Exportable {
 public:
  void check_parameters() const override;
  bool distributes() const override { return strategy_ != "median"; }
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<Impute> declare();

 private:
  std::string strategy_ = "mean";
  double value_ = 0;
  bool indicator_ = false;

  std::size_t cols_ = 0;
  std::vector<float> fill_;      ///< one per column
  std::vector<float> indicate_;  ///< 1 where a column has missing values in training, else 0
};

}  // namespace semblance
