// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "centres.hpp"
#include "fixed_weighting.hpp"
#include "numerics/packed_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"

namespace semblance::ml3 {

/// What `solver/linear_svm_sgd` and `solver/llsvm` have in common: linear models whose products
/// are added with weights that depend on the row alone.
class SgdSvm : public Solver {
 public:
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  template <class T>
  static void declare_descent(Declaration<T>& declaration) {
    declaration
        .parameter("lambda", &SgdSvm::lambda_, "weight of the regularizer against the mean loss",
                   above(0))
        .parameter("epochs", &SgdSvm::epochs_, "passes over the training rows", at_least(1))
        .parameter("batch", &SgdSvm::batch_, "samples whose products are computed together",
                   at_least(1), at_most(1024))
        .parameter("bias", &SgdSvm::bias_, "constant appended to every row; 0: none", at_least(0));
  }

  /// Of each class.
  virtual std::size_t models() const = 0;
  /// Learns what weights() needs.
  virtual void learn_weights(MatrixView rows, Random& random, Context& context) = 0;
  /// The models() weights of a row.
  virtual void weights(std::span<const float> row, std::span<float> weights) const = 0;

  std::size_t inputs_ = 0;

 private:
  void report_result(const Problem& problem, const FixedResult& result, Report& report,
                     Context& context) const;

  double lambda_ = 1e-5;
  std::int64_t epochs_ = 30;
  std::int64_t batch_ = 64;
  double bias_ = 1;

  std::size_t classes_ = 0;
  numerics::PackedRows w_;  // classes * models rows, the bias's weight last
};

/// `solver/linear_svm_sgd`: one linear model a class.
class LinearSvmSgd final : public SgdSvm {
 public:
  static Declaration<LinearSvmSgd> declare();

 private:
  std::size_t models() const override { return 1; }
  void learn_weights(MatrixView, Random&, Context&) override {}
  void weights(std::span<const float>, std::span<float> weights) const override { weights[0] = 1; }
};

/// `solver/llsvm`: locally linear SVM.
class LlSvm final : public SgdSvm {
 public:
  static Declaration<LlSvm> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  std::size_t models() const override { return static_cast<std::size_t>(models_); }
  void learn_weights(MatrixView rows, Random& random, Context& context) override;
  void weights(std::span<const float> row, std::span<float> weights) const override {
    distances_.weights(row, weights);
  }

  std::int64_t models_ = 10;
  std::int64_t neighbours_ = 8;
  InverseDistances distances_;
};

}  // namespace semblance::ml3
