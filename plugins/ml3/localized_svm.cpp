// SPDX-License-Identifier: MIT
#include "localized_svm.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"
#include "semblance_numerics/dual_problem.hpp"

namespace semblance::ml3 {
namespace {

constexpr std::size_t working_set = 512;
constexpr std::size_t most_halvings = 12;
constexpr double sufficient = 1e-4;  // of the decrease that the gradient promises

class Trainer {
 public:
  Trainer(MatrixView rows, std::span<const signed char> labels, MatrixView linear,
          const LocalizedOptions& options, Context& context)
      : rows_(rows),
        linear_(linear),
        options_(options),
        context_(context),
        surroundings_{context},
        combined_(rows.rows, rows.rows) {
    problem_.parts = {{0, rows.rows}};
    problem_.labels.assign(labels.begin(), labels.end());
    problem_.costs.assign(rows.rows, options.cost);
    for (std::size_t i = 0; i < options.weights.size(); ++i)
      problem_.costs[i] *= options.weights[i];
  }

  LocalizedSvm run(Gating start) {
    accept(solve(std::move(start)));
    first_gradient_ = std::sqrt(squared_gradient_);
    double step = first_step();
    while (!stopped() && result_.objectives.size() <= options_.iterations) {
      const double before = best_.objective;
      if (!advance(step) || before - best_.objective < options_.least_gain * std::abs(before))
        return finish(Certificate::converged);
      step *= 2;
    }
    return finish(Certificate::iteration_limit);
  }

 private:
  /// A gating with its machine.
  struct Point {
    Gating gating;
    std::vector<double> gates;
    numerics::DualSolution machine;
    double objective = 0;
  };

  bool stopped() const { return context_.stop_requested() != StopReason::none; }

  Point solve(Gating gating) {
    Point point;
    point.gates = gates_of(gating, rows_, surroundings_);
    combine(linear_, point.gates, gating.kernels, combined_.view(), surroundings_);
    point.gating = std::move(gating);
    const numerics::MatrixSource source(std::as_const(combined_).view());
    numerics::RowCache cache(source, {0, rows_.rows}, {0, rows_.rows}, 0);
    problem_.rows[0][0] = &cache;
    const std::size_t most_steps = 10'000'000;
    point.machine =
        numerics::solve(problem_, {options_.tolerance, most_steps, working_set}, context_);
    point.objective = -point.machine.dual;
    ++result_.machines;
    return point;
  }

  void accept(Point point) {
    best_ = std::move(point);
    result_.objectives.push_back(best_.objective);
    gradient_ = dual_gradient(rows_, best_.gates, best_.gating.kernels, best_.machine.coefficients);
    squared_gradient_ = 0;
    for (const double g : gradient_.values) squared_gradient_ += g * g;
    if (!std::isfinite(squared_gradient_))
      throw Error(
          "the gradient with respect to the gates overflows; lower C, or scale the rows "
          "(normalizer/unit_length, normalizer/zscore)");
  }

  /// A step that changes the gating by as much as a start of unit variance has.
  double first_step() const {
    return squared_gradient_ > 0
               ? std::sqrt(double(gradient_.values.size()) / squared_gradient_) * 0.1
               : 0;
  }

  /// Whether a step was found that lowers J; `step` is then the one taken.
  bool advance(double& step) {
    if (squared_gradient_ == 0) return false;
    for (std::size_t halving = 0; halving < most_halvings && !stopped(); ++halving, step /= 2) {
      Gating next = best_.gating;
      for (std::size_t k = 0; k < next.values.size(); ++k)
        next.values[k] -= step * gradient_.values[k];
      Point point = solve(std::move(next));
      // A machine that was stopped has a dual below its maximum: it proves nothing.
      if (stopped()) return true;
      if (!(point.objective <= best_.objective - sufficient * step * squared_gradient_)) continue;
      accept(std::move(point));
      return true;
    }
    return false;
  }

  LocalizedSvm finish(Certificate certificate) {
    if (stopped())
      certificate = stop_certificate(context_);
    else if (best_.machine.certificate != Certificate::converged)
      certificate = best_.machine.certificate;
    result_.certificate = certificate;
    result_.weights =
        local_weights(rows_, best_.gates, best_.gating.kernels, best_.machine.coefficients);
    result_.bias = best_.machine.bias;
    result_.gradient_norm =
        first_gradient_ > 0 ? std::sqrt(squared_gradient_) / first_gradient_ : 0;
    result_.vectors = best_.machine.vectors;
    result_.gating = std::move(best_.gating);
    return std::move(result_);
  }

  MatrixView rows_;
  MatrixView linear_;
  const LocalizedOptions& options_;
  Context& context_;
  Surroundings surroundings_;
  FloatMatrix combined_;
  numerics::DualProblem problem_;
  Point best_;
  Gating gradient_;
  double squared_gradient_ = 0;
  double first_gradient_ = 0;
  LocalizedSvm result_;
};

}  // namespace

LocalizedSvm train_localized(MatrixView rows, std::span<const signed char> labels,
                             MatrixView linear, Gating start, const LocalizedOptions& options,
                             Context& context) {
  return Trainer(rows, labels, linear, options, context).run(std::move(start));
}

std::size_t localized_bytes(std::size_t rows, std::size_t kernels) noexcept {
  return 2 * rows * rows * sizeof(float) + 2 * rows * kernels * sizeof(double) +
         numerics::solve_bytes(rows, working_set);
}

}  // namespace semblance::ml3
