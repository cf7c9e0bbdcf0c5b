// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "linear_model.hpp"
#include "linear_report.hpp"
#include "problem/linear_task.hpp"
#include "semblance/declaration.hpp"
#include "semblance/report.hpp"

namespace semblance::linear {

/// The common part of `solver/linear_svr` and `solver/quantile_regression`: one or more linear
/// functions for each target number. A component derives from it and declares its parameters by
/// with_regression().
class LinearRegression {
 protected:
  /// The losses of the functions of a target number, in the target's unit.
  struct Loss {
    double epsilon = 0;
    std::vector<double> quantiles = {};  ///< one function for each; empty: one function
    /// Without quantiles: the slopes of the loss; infinite: its square.
    TubeLosses::Caps slopes = {};
  };

  /// Throws Error if such samples cannot be learned from.
  void bind_samples(const Layout& input);
  /// Learns the functions. Collective.
  void learn(const TrainingSet& given, const Loss& loss, Report& report, Context& outer);
  void load_model(const StateReader& state);

  double cost_ = 1;
  bool sparse_ = false;  ///< whether the samples are sparse
  LinearModel model_;    ///< all functions of the first target number come first

 private:
  template <class T>
  friend Declaration<T>& with_regression(Declaration<T>& declaration);
  Regression regression(const TrainingSet& training, const Loss& loss, double unit) const;

  double bias_ = 1;
  bool center_ = true;
  double tolerance_ = default_tolerance;
  std::int64_t max_iterations_ = default_iterations;
};

/// Declares the parameters and figures that both have, after those of their loss.
template <class T>
Declaration<T>& with_regression(Declaration<T>& declaration) {
  return declaration
      .parameter("bias", &LinearRegression::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0))
      .parameter("center", &LinearRegression::center_,
                 "train about the columns' means and the mean or quantile of each target number; "
                 "false: as LIBLINEAR does. Never with 'bias: 0'")
      .parameter("tolerance", &LinearRegression::tolerance_,
                 "stop when (objective - lower bound) / objective is below this", above(0),
                 below(1))
      .parameter("max_iterations", &LinearRegression::max_iterations_,
                 "maximum number of Newton iterations", at_least(1))
      .distributed()
      .uses_device()
      .takes_weights()
      .accepts_sparse()
      .reports(machine_figures());
}

}  // namespace semblance::linear
