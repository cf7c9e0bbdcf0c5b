// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "newton_by_weights.hpp"
#include "pair_machine.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairwise {

/// `solver/pairwise_newton`: the pairwise SVM with squared hinge loss, for millions of pairs.
class PairwiseNewton final : public PairMachine {
 public:
  static Declaration<PairwiseNewton> declare();
  void check_parameters() const override;
  void bind(const Layout& input) override;
  void train(const PairTrainingSet& training, Report& report, Context& context) override;
  Exchange exchange(const LearningSize& size) const override;

 private:
  PairKernelSum sum() const;
  /// Whether it works directly on examples with this number of values.
  bool works_on_rows(std::size_t values, std::size_t examples) const;
  bool by_pairs(std::size_t rank, std::size_t examples, std::size_t pairs) const;
  void keep_solution(const Examples& examples, const PairSpace& space, bool of_rows,
                     const NewtonSolution& solution, Context& context);

  double cost_ = 1;
  NamedValues class_weights_;
  double tolerance_ = 1e-3;
  std::string products_ = "cheaper";
  std::int64_t max_iterations_ = 100;
};

}  // namespace semblance::pairwise
