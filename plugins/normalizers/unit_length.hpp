// SPDX-License-Identifier: MIT
#pragma once

#include "centre.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// Divides each row by its own l2 norm, after centring where asked for.
class UnitLength final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<UnitLength> declare();

 private:
  static void apply_sparse(MatrixView row, std::size_t number, MutableMatrixView out);

  bool center_ = false;
  std::size_t cols_ = 0;
  Centre centre_;  ///< zeros unless center_
};

}  // namespace semblance
