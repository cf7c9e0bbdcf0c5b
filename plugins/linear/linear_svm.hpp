// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linear/linear_model.hpp"
#include "linear/linear_task.hpp"
#include "linear/solution.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"

namespace semblance::solvers {

/// `solver/linear_svm`: one-versus-rest squared hinge, l2- or l1-regularized, in the primal; or
/// Crammer and Singer's machine, in the dual.
class LinearSvm final : public Solver, public ClassWeights, public Exportable {
 public:
  static Declaration<LinearSvm> declare();

  void check_parameters() const override;
  bool distributes() const override;
  Exchange exchange(const LearningSize& size) const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  LinearTask task_of(const TrainingSet& training) const;
  void check_for_sparse_rows() const;
  std::vector<Solution> solve(const LinearTask& task, Context& context) const;

  double cost_ = 1;
  double bias_ = 1;
  std::string regularizer_ = "l2";
  std::string multiclass_ = "one_versus_rest";
  std::vector<double> path_;
  double tolerance_ = 1e-5;
  std::int64_t max_iterations_ = 1000;
  std::string preconditioner_ = "automatic";

  bool sparse_ = false;  // whether the samples are sparse
  LinearModel model_;
};

}  // namespace semblance::solvers
