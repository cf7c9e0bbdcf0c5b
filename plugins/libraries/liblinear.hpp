// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::solvers {

/// `solver/liblinear`: the LIBLINEAR library, as a baseline.
class LibLinear final : public Solver,
                        public ClassWeights,
                        public Exportable,
                        public LinearWeights,
                        public TakesLiblinearMachine {
 public:
  static Declaration<LibLinear> declare();

  void check_parameters() const override { check_class_weights(); }
  /// The library weights one class of a problem against all others, which differs from weighting
  /// samples if there are several others.
  void check_classes(std::span<const std::string> classes) const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  LiblinearMachine linear_machine() const override;
  void take(const LiblinearMachine& machine) override;

 private:
  std::string solver_ = "l2r_l2loss_svc";
  double cost_ = 1;
  double eps_ = 0;
  double bias_ = 1;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<double> weights_;  // vectors x (inputs_ + 1), the bias weight last; one vector per
                                 // class, or only one for the second of two classes
};

}  // namespace semblance::solvers
