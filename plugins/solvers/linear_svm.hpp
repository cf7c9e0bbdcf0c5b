// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"

namespace semblance::solvers {

/// `solver/linear_svm`: squared hinge, one class against the rest, l2-regularized, in the primal.
class LinearSvm final : public Solver {
 public:
  static Declaration<LinearSvm> declare();

  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  std::size_t problems() const noexcept { return classes_ == 2 ? 1 : classes_; }
  void check(const TrainingSet& training, Context& context) const;
  void keep(std::size_t problem, const double* weights, std::size_t dimension);

  double cost_ = 1;
  double bias_ = 1;
  double tolerance_ = 1e-5;
  std::int64_t max_iterations_ = 1000;
  std::string preconditioner_ = "automatic";

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<double> weights_;  // problems x padded(inputs_)
  std::vector<double> offsets_;  // one a problem: bias times its weight
};

}  // namespace semblance::solvers
