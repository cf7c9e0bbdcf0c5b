// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// Weighs counts of terms by how rare the terms are in the training samples.
class TfIdf final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<TfIdf> declare();

 private:
  /// Throws Error if it is not a count.
  void check_count(float value, std::size_t row, std::size_t column) const;
  float weighted(float count, std::size_t column) const;

  bool sublinear_ = false;
  bool idf_ = true;
  bool smooth_ = true;
  std::size_t cols_ = 0;
  std::vector<double> weights_;  ///< of each term; 1 without idf
};

}  // namespace semblance
