// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance {

/// `normalizer/nystrom`: the Nyström features K_mm^(-1/2) k_m(x) of a similarity map.
class Nystrom final : public Normalizer, public Exportable {
 public:
  static Declaration<Nystrom> declare();

  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  std::vector<double> base_similarities(const TrainingSet& training, Context& context) const;

  std::string repair_ = "clip";
  double threshold_ = 1e-6;

  std::size_t cols_ = 0;
  numerics::PackedRows root_;  // symmetric, columns x columns
};

}  // namespace semblance
