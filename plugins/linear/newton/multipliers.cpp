// SPDX-License-Identifier: MIT
#include "newton/multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "newton/newton_memory.hpp"
#include "newton/row_functions.hpp"
#include "semblance/parameters.hpp"

namespace semblance::linear {
namespace {

/// A problem ends after this number of steps that have not brought its bounds closer.
constexpr std::size_t most_idle_steps = 6;

constexpr std::size_t most_steps = 200;

/// A smooth problem is solved to this share of the gap that the step before has left.
constexpr double share_of_gap = 0.1;

/// The penalties grow by this factor after a step of few iterations: each step then closes a larger
/// share of the gap, but its smooth problem is harder.
constexpr double penalty_factor = 4;
constexpr std::size_t easy_iterations = 5;

class Multipliers {
 public:
  Multipliers(const LinearTask& task, std::size_t first, std::size_t count, Context& context)
      : task_(task),
        context_(context),
        first_(first),
        n_(count),
        rows_(task.training.rows.rows()),
        d_(task.dimension()),
        cost_(task.costs.back()),
        own_(context.collectives().own(RowParts(rows_))),
        functions_(task, n_, context),
        w_(n_, d_),
        pull_(n_, d_),
        decisions_(rows_ * n_),
        variables_(rows_ * n_),
        weighted_(rows_ * n_),
        shifted_(rows_ * n_),
        penalties_(first_penalties()),
        smooth_(n_),
        idle_(n_),
        live_(n_) {
    std::iota(live_.begin(), live_.end(), std::size_t{0});
    result_.weights = Vectors<double>(n_, d_);
    for (const double loss : absolute_losses_at_zero(task, first, count))
      result_.outcomes.push_back({loss, 0, 1});
    result_.start_norms.assign(n_, 0.0);
  }

  Solution solve() {
    // At w = 0, in case it is the optimum; its multipliers are no good start.
    if (!evaluate()) return stopped();
    std::ranges::fill(variables_, 0.0);
    std::ranges::fill(smooth_, 0.0);
    for (std::size_t step = 1; !live_.empty(); ++step) {
      if (step > most_steps || result_.iterations >= task_.max_iterations) {
        result_.certificate = Certificate::iteration_limit;
        break;
      }
      if (!minimise_smooth() || !find_decisions() || !evaluate()) return stopped();
      if (easy_)
        for (const std::size_t c : live_) penalties_[c] *= penalty_factor;
    }
    return std::move(result_);
  }

 private:
  using Live = std::span<const std::size_t>;

  double target(std::size_t row, std::size_t c) const noexcept {
    return task_.regression.targets[row * task_.regression.problems + first_ + c];
  }
  double slope(std::size_t c, double sign) const noexcept {
    const TubeLosses::Caps& slopes = task_.regression.slopes[first_ + c];
    return sign > 0 ? slopes.below : slopes.above;
  }

  Solution stopped() {
    result_.certificate = stop_certificate(context_);
    return std::move(result_);
  }

  /// The zone of quadratic losses is as wide as the targets are spread, at first.
  std::vector<double> first_penalties() const {
    std::vector<double> sums(n_), penalties(n_);
    double weight = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double u = task_.row_weight(i);
      weight += u;
      for (std::size_t c = 0; c < n_; ++c) sums[c] += u * std::abs(target(i, c));
    }
    for (std::size_t c = 0; c < n_; ++c)
      penalties[c] = sums[c] > 0 ? cost_ * weight / sums[c] : cost_;
    return penalties;
  }

  /// Minimises the smooth problems of the present multipliers and penalties.
  bool minimise_smooth() {
    const std::size_t n = live_.size();
    numerics::SquaredLosses losses(smooth_losses(), context_);
    RowSteps steps(task_, n, memory_left(n), hessian_allowance(rows_, d_), context_);
    numerics::NewtonOptions options;
    options.tolerance = smooth_tolerance();
    options.along_path = false;
    // The multipliers follow from the last point itself.
    options.proves_ahead = false;
    options.max_iterations = task_.max_iterations - result_.iterations;
    Solution start;
    start.weights = Vectors<double>(n, d_);
    for (std::size_t a = 0; a < n; ++a) std::copy_n(w_.row(live_[a]), d_, start.weights.row(a));
    start.start_norms.assign(n, 0.0);
    const std::vector<double> costs{losses.data().cost};
    const Solution found =
        std::move(numerics::newton(steps, losses, costs, options, context_, [&](std::size_t) {
                    return std::move(start);
                  }).front());
    for (std::size_t a = 0; a < n; ++a) std::copy_n(found.weights.row(a), d_, w_.row(live_[a]));
    result_.iterations += found.iterations;
    easy_ = found.iterations <= easy_iterations;
    result_.sweeps += found.sweeps;
    return context_.stop_requested() == StopReason::none;
  }

  std::size_t memory_left(std::size_t problems) const {
    const std::size_t taken = newton_bytes(rows_, d_, problems, context_.threads()),
                      all = context_.memory_budget();
    return all > taken ? all - taken : 0;
  }

  numerics::SquaredLosses::Data smooth_losses() {
    const std::size_t n = live_.size();
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t a = 0; a < n; ++a)
        shifted_[i * n + a] =
            target(i, live_[a]) + variables_[i * n_ + live_[a]] / penalties_[live_[a]];
    double largest = 0;
    for (const std::size_t c : live_) largest = std::max(largest, penalties_[c]);
    std::vector<TubeLosses::Tube> tubes;
    std::vector<double> factors;
    for (const std::size_t c : live_) {
      tubes.push_back(
          {task_.regression.epsilon,
           {cost_ * slope(c, 1) / penalties_[c], cost_ * slope(c, -1) / penalties_[c]}});
      factors.push_back(penalties_[c] / largest);
    }
    return {.losses = TubeLosses(shifted_, n, 0, std::move(tubes)),
            .samples = rows_,
            .cost = largest / 2,
            .weights = task_.row_weights,
            .cost_factors = std::move(factors)};
  }

  /// Relative to the smooth objectives, which the multipliers have increased.
  double smooth_tolerance() const {
    double tolerance = 0.1;
    for (const std::size_t c : live_) {
      const Outcome& outcome = result_.outcomes[c];
      tolerance = std::min(tolerance, share_of_gap * (outcome.primal - outcome.dual) /
                                          (outcome.primal + smooth_[c] / (2 * penalties_[c])));
    }
    return std::max(tolerance, 1e-14);
  }

  /// Of the own rows.
  std::span<double> own(std::vector<double>& by_row) const {
    return std::span(by_row).subspan(own_.first_row * n_, own_.rows * n_);
  }

  /// Computes the decision values at w.
  bool find_decisions() {
    result_.sweeps += 0.5;
    return functions_.multiply(w_, live_, own(decisions_));
  }

  /// The next multiplier: the derivative of the smooth loss, within its limits.
  double next_variable(std::size_t row, std::size_t c) const noexcept {
    const double moved =
        variables_[row * n_ + c] + penalties_[c] * (target(row, c) - decisions_[row * n_ + c]);
    const double sign = moved < 0 ? -1 : 1;
    const double size = std::abs(moved) - penalties_[c] * task_.regression.epsilon;
    return sign * std::clamp(size, 0.0, cost_ * slope(c, sign));
  }

  /// Computes the next multipliers, both objectives, and what is left to do.
  bool evaluate() {
    constexpr std::size_t tallied = 3;  // losses, linear part of the dual, squares
    const double epsilon = task_.regression.epsilon;
    const RowParts parts(rows_);
    std::vector<double> tallies(tallied * live_.size());
    sum_over_parts(context_, parts, tallies, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
        const double u = task_.row_weight(i);
        for (std::size_t a = 0; a < live_.size(); ++a) {
          const std::size_t c = live_[a];
          const double t = target(i, c), residual = t - decisions_[i * n_ + c];
          const double v = next_variable(i, c);
          variables_[i * n_ + c] = v;
          weighted_[i * n_ + c] = u * v;
          double* of = &sums[tallied * a];
          of[0] += u * slope(c, residual) * std::max(0.0, std::abs(residual) - epsilon);
          of[1] += u * (v * t - epsilon * std::abs(v));
          of[2] += u * v * v;
        }
      }
    });
    if (!functions_.transpose(own(weighted_), live_, pull_)) return false;
    result_.sweeps += 0.5;
    for (std::size_t a = 0; a < live_.size(); ++a) {
      const std::size_t c = live_[a];
      const double* of = &tallies[tallied * a];
      const double *w = w_.row(c), *pull = pull_.row(c);
      smooth_[c] = of[2];
      accept(c, dot(w, w, d_) / 2 + cost_ * of[0], of[1] - dot(pull, pull, d_) / 2, pull);
    }
    result_.record(task_.tolerance, "multipliers, iteration", live_.size(), context_);
    drop();
    return true;
  }

  void accept(std::size_t c, double primal, double dual, const double* pull) {
    Outcome& outcome = result_.outcomes[c];
    if (!std::isfinite(primal) || !std::isfinite(dual))
      throw Error("with C = " + to_text(Value(cost_)) +
                  " and rows of this size the objective overflows; lower C, or scale the rows "
                  "(normalizer/zscore)");
    const double gap = outcome.primal - outcome.dual;
    double norm = 0;
    for (std::size_t j = 0; j < d_; ++j)
      norm += (w_.row(c)[j] - pull[j]) * (w_.row(c)[j] - pull[j]);
    if (result_.start_norms[c] == 0) result_.start_norms[c] = std::sqrt(norm);
    if (primal <= outcome.primal) {
      outcome.primal = primal;
      outcome.gradient_norm =
          result_.start_norms[c] > 0 ? std::sqrt(norm) / result_.start_norms[c] : 0;
      std::copy_n(w_.row(c), d_, result_.weights.row(c));
    }
    outcome.dual = std::max(outcome.dual, dual);
    idle_[c] = outcome.primal - outcome.dual < gap * 0.99 ? 0 : idle_[c] + 1;
  }

  /// Drops the problems that are done, and those that rounding keeps from it.
  void drop() {
    std::erase_if(live_, [&](std::size_t c) {
      if (proved(result_.outcomes[c], task_.tolerance)) return true;
      if (idle_[c] < most_idle_steps) return false;
      result_.certificate = Certificate::iteration_limit;
      result_.stalled.push_back(c);
      return true;
    });
  }

  const LinearTask& task_;
  Context& context_;
  std::size_t first_;
  std::size_t n_;
  std::size_t rows_;
  std::size_t d_;
  double cost_;
  OwnParts own_;
  RowFunctions functions_;
  Vectors<double> w_, pull_;
  std::vector<double> decisions_;  // rows x problems: w.x
  std::vector<double> variables_;  // rows x problems: multipliers, without the rows' weights
  std::vector<double> weighted_;   // the same with the rows' weights
  std::vector<double> shifted_;    // rows x live problems: targets of the smooth problems
  std::vector<double> penalties_;
  std::vector<double> smooth_;  // sum u v^2
  std::vector<std::size_t> idle_;
  std::vector<std::size_t> live_;
  bool easy_ = true;  // whether the last smooth problems took few iterations
  Solution result_;
};

}  // namespace

Solution minimise_absolute(const LinearTask& task, std::size_t first, std::size_t count,
                           Context& context) {
  return Multipliers(task, first, count, context).solve();
}

std::size_t multipliers_bytes(std::size_t rows, std::size_t count) noexcept {
  return 4 * rows * count * sizeof(double);
}

std::vector<double> absolute_losses_at_zero(const LinearTask& task, std::size_t first,
                                            std::size_t count) {
  const Regression& regression = task.regression;
  std::vector<double> losses(count);
  for (std::size_t i = 0; i < task.training.rows.rows(); ++i)
    for (std::size_t c = 0; c < count; ++c) {
      const double t = regression.targets[i * regression.problems + first + c];
      const TubeLosses::Caps& slopes = regression.slopes[first + c];
      losses[c] += task.costs.back() * task.row_weight(i) * (t < 0 ? slopes.above : slopes.below) *
                   std::max(0.0, std::abs(t) - regression.epsilon);
    }
  return losses;
}

}  // namespace semblance::linear
