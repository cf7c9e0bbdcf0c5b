// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "local_tangents.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "sparse_pegasos.hpp"

namespace semblance::ml3 {

/// `solver/lcc`: a linear SVM on local coordinates.
class Lcc final : public Solver, public LocalModels, public ClassWeights {
 public:
  static Declaration<Lcc> declare();

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return static_cast<std::size_t>(anchors_); }
  /// An anchor's share is the size of its coordinate.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  void check_sizes(const TrainingSet& training, Context& context) const;
  void learn_features(MatrixView rows, Random& random, Context& context);
  SparseRows features(MatrixView rows, Context& context) const;
  CodingOptions options() const;
  void check_trained(MatrixView in) const;
  std::size_t width() const { return local_models() * static_cast<std::size_t>(1 + tangents_); }

  std::int64_t anchors_ = 512;
  std::string coding_ = "lasso";
  double locality_ = 0.1;
  std::int64_t neighbours_ = 20;
  double beta_ = 1e-4;
  std::int64_t tangents_ = 0;
  std::int64_t tangent_rows_ = 100;
  double scale_ = 1;
  double lambda_ = 1e-5;
  std::int64_t epochs_ = 30;
  double bias_ = 1;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  CoordinateCoding codes_;
  TangentFeatures features_;
  FloatMatrix weights_;  // one row per input, the bias last; one column per class
};

}  // namespace semblance::ml3
