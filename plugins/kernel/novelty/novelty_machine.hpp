// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dual/learning.hpp"
#include "dual/solution_report.hpp"
#include "machine/kernel_functions.hpp"
#include "novelty/novelty_problem.hpp"
#include "semblance/novelty_detector.hpp"

namespace semblance::kernel {

/// What to add to all scores: as little as makes no score between -tolerance and 0 negative, and
/// leaves at most a share nu of the samples, by weight, with negative scores.
double threshold_shift(std::span<const double> scores, std::span<const double> weights,
                       double tolerance, double nu);

/// The common part of `solver/one_class_svm` and `solver/svdd`. A component derives from it and
/// declares its parameters by with_novelty().
class NoveltyMachine : public KernelMachine<NoveltyDetector> {
 public:
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  /// Of a ball, the score also has the sample's similarity to itself.
  std::span<const double> sum_biases() const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  SupportVectorMachine support_vectors() const override;
  std::string learned_class() const override { return normal_; }

 protected:
  explicit NoveltyMachine(NoveltyShape shape) : KernelMachine(Sums::other), shape_(shape) {}

 private:
  template <class T>
  friend Declaration<T>& with_novelty(Declaration<T>& declaration, const std::string& scale);

  /// The scores of the training samples that it learned from.
  struct TrainedScores {
    std::vector<std::uint32_t> rows;  ///< of the training set
    std::vector<double> weights, values;
    double tolerance = 0;  ///< of scores
    double error = 0;      ///< that they may have
  };

  /// Calls take() with each row's score, and the similarity to itself that it holds: 0, of a plane.
  void for_scores(MatrixView in, Context& context,
                  const std::function<void(std::size_t, double score, double own)>& take) const;
  void report_doubt(const NoveltyProblem& problem, const numerics::DualSolution& solution,
                    const numerics::DualOptions& options, Report& report) const;
  void place_threshold(const TrainedScores& trained, const TrainingSet& training, Context& context);

  NoveltyShape shape_;
  double nu_ = 0.1;
  std::string normal_;
  double tolerance_ = 1e-3;
  std::int64_t max_iterations_ = 10'000'000;
};

/// Declares the parameters and figures of a component T that derives from NoveltyMachine, and what
/// else both have. Its tolerance is a share of `scale`.
template <class T>
Declaration<T>& with_novelty(Declaration<T>& declaration, const std::string& scale) {
  declaration
      .complexity(
          "kernel rows of about 1.5 times the support vectors, at least nu n; with a kernel not "
          "known to be positive semi-definite, n^2 values and n^3 / 3 operations (refuse)")
      .reports(dual_figures())
      .reports({"threshold",
                "what is subtracted from the sum over the support vectors, as rho in the papers"});
  return with_kernel(declaration)
      .parameter("nu", &NoveltyMachine::nu_,
                 "the largest share of the training rows that it calls novel, and the least share "
                 "of support vectors",
                 above(0), at_most(1))
      .parameter("normal", &NoveltyMachine::normal_,
                 "the class of the rows that it learns from; empty: all rows, whatever their class")
      .parameter("tolerance", &NoveltyMachine::tolerance_,
                 "violation of the optimality conditions at which it stops, as a share of " + scale,
                 above(0), below(1))
      .parameter("max_iterations", &NoveltyMachine::max_iterations_, "maximum number of pair steps",
                 at_least(1));
}

}  // namespace semblance::kernel
