// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "descent/pegasos.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "training_report.hpp"

namespace semblance::ml3 {

/// The common base of `solver/linear_svm_sgd`, `solver/llsvm` and `solver/occ`: linear models whose
/// products are summed with weights that depend only on the row and possibly the class.
class SgdSvm : public Solver, public ClassWeights {
 public:
  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  /// The defaults of the parameters.
  SgdSvm(std::string lambda, std::string bias)
      : given_lambda_(std::move(lambda)), given_bias_(std::move(bias)) {}

  template <class T>
  static void declare_descent(Declaration<T>& declaration) {
    declaration.reports(pegasos_figures())
        .parameter("lambda", &SgdSvm::given_lambda_,
                   "weight of the regularizer against the mean loss: the smaller, the closer the "
                   "fit to the training rows; a number; scale: 1e-5 times the mean squared length "
                   "of the training rows (minus the columns' means), so that scaled rows have the "
                   "same machine",
                   choices({"scale"}), above(0))
        .parameter("epochs", &SgdSvm::epochs_, "number of passes over the training rows",
                   at_least(1))
        .parameter("batch", &SgdSvm::batch_,
                   "number of samples whose products are computed together", at_least(1),
                   at_most(1024))
        .parameter("bias", &SgdSvm::given_bias_,
                   "constant appended to every row: a number, 0 for none; scale: the root of the "
                   "mean squared length",
                   choices({"scale"}), at_least(0))
        .parameter("center", &SgdSvm::center_,
                   "train about the columns' means; false: as the paper prints it")
        .takes_weights();
    with_class_weights(declaration);
  }

  /// The number of models per class.
  virtual std::size_t models() const = 0;
  /// Whether each class has its own weights.
  virtual bool weights_by_class() const { return false; }
  /// Learns the data for weights().
  virtual void learn_weights(const Problem& problem, Random& random, Context& context) = 0;
  virtual void save_weights(StateWriter&) const {}
  /// Computes the weights of rows, from which the centre has been subtracted: models() values, or
  /// that many for each class in turn. A row's weights do not depend on other rows. Thread-safe.
  virtual void weights(MatrixView rows, MutableMatrixView weights) const = 0;
  /// The same for rows as they come.
  void weigh(MatrixView rows, MutableMatrixView out) const {
    weights(centre_.empty() ? rows : about(centre_, rows).view(), out);
  }

  std::size_t weights_per_row() const { return models() * (weights_by_class() ? classes_ : 1); }

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;

 private:
  void scale(const Problem& problem, Context& context);

  std::string given_lambda_;
  std::string given_bias_;
  std::int64_t epochs_ = 30;
  std::int64_t batch_ = 64;
  double lambda_ = 0;  // those given, or learned
  double bias_ = 1;
  bool center_ = true;

  Centre centre_;
  numerics::PackedRows w_;  // classes * models rows, the bias's weight last
};

/// An SgdSvm with several linear models per class: a model's share in a class's score is its
/// weight.
class LocalSvm : public SgdSvm {
 public:
  std::size_t local_models() const noexcept override { return models(); }
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 protected:
  using SgdSvm::SgdSvm;
};

}  // namespace semblance::ml3
