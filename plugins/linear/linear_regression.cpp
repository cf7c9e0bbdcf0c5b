// SPDX-License-Identifier: MIT
#include "linear_regression.hpp"

#include <chrono>
#include <string>

#include "about_means.hpp"
#include "independent_problems.hpp"
#include "inner_context.hpp"
#include "problem/regression_task.hpp"
#include "semblance/parameters.hpp"
#include "training_checks.hpp"
#include "used_columns.hpp"

namespace semblance::linear {

void LinearRegression::bind_samples(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot predict numbers");
  sparse_ = input.kind == LayoutKind::sparse;
}

void LinearRegression::load_model(const StateReader& state) {
  model_ = LinearModel::load(state);
  if (sparse_) model_.take_sparse_rows();
}

/// Without the targets themselves.
Regression LinearRegression::regression(const TrainingSet& training, const Loss& loss,
                                        double unit) const {
  Regression made;
  made.epsilon = loss.epsilon / unit;
  const bool several = loss.quantiles.size() > 1;
  for (const std::string& name : training.target_names) {
    for (const double q : loss.quantiles) {
      made.names.push_back(name + (several ? ", quantile " + to_text(Value(q)) : ""));
      made.slopes.push_back({q, 1 - q});
    }
    if (!loss.quantiles.empty()) continue;
    made.names.push_back(name);
    if (std::isfinite(loss.slopes.below)) made.slopes.push_back(loss.slopes);
  }
  made.problems = made.names.size();
  return made;
}

void LinearRegression::learn(const TrainingSet& given, const Loss& loss, Report& report,
                             Context& outer) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(given);
  common::check_finite(given.rows, outer);
  const common::UsedColumns used(given, outer);
  common::WithMemory context(outer, common::left_of(outer.memory_budget(), used.bytes()));
  const TrainingSet& training = used.training();
  std::vector<double> weights = regression_weights(training);
  ScaledTargets targets = scaled_targets(training, weights, center_ && bias_ != 0, loss.quantiles);
  Regression regression = this->regression(training, loss, targets.unit);
  regression.targets = std::move(targets.values);
  // The unit of a squared loss does not matter.
  const double cost = regression.squared() ? cost_ : cost_ / targets.unit;
  const LinearTask task{training,
                        {cost},
                        std::move(weights),
                        bias_,
                        tolerance_,
                        static_cast<std::size_t>(max_iterations_),
                        std::move(regression),
                        center_ && bias_ != 0};
  const auto method = [this](const LinearTask& all, Context& own) {
    return sparse_ ? train_on_sparse_rows(all, Regularizer::l2, own)
                   : train_independent_problems(all, Regularizer::l2, PreconditionerKind::automatic,
                                                own);
  };
  Solution solution = std::move(train_about_means(task, method, context).front());
  convert_from(targets.unit, solution);
  model_ = LinearModel(solution.weights, used.columns(), task.regression.problems, bias_);
  model_.add(solution.offsets);
  model_.add(targets.centres);
  if (sparse_) model_.take_sparse_rows();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
  report_solution(solution, task, report);
}

}  // namespace semblance::linear
