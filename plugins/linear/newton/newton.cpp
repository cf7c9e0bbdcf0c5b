// SPDX-License-Identifier: MIT
#include "newton/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "newton/newton_memory.hpp"
#include "newton/newton_steps.hpp"
#include "problem/sweep.hpp"
#include "semblance/parameters.hpp"

namespace semblance::linear {
namespace {

// A problem ends after this number of iterations that together gain less than the tolerance.
constexpr std::size_t l2_stall_iterations = 5;

// With exact steps, which end at the optimum however small their gains, the iterations may gain no
// more than this share of the objective.
constexpr double l2_rounding = 1e-13;

// Conjugate gradients reduce the residual to this share at most.
constexpr double cg_reduction = 0.1;

class Newton {
 public:
  Newton(SquaredLosses& problem, const NewtonOptions& options, std::size_t memory, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        n_(problem.problems()),
        d_(problem.dimension()),
        steps_(problem, options.preconditioner,
               options.exact_bytes > 0
                   ? options.exact_bytes
                   : hessian_allowance(problem.data().rows.rows(), problem.dimension()),
               memory, options.along_path, context),
        w_(n_, d_),
        gradient_(n_, d_),
        values_(n_),
        start_norm_(n_),
        histories_(n_),
        decrement_(n_, std::numeric_limits<double>::infinity()),
        radius_(n_, std::numeric_limits<double>::infinity()),
        live_(n_) {
    for (const double loss : problem.loss_at_zero()) result_.outcomes.push_back({loss, 0, 1});
    result_.weights = Vectors<double>(n_, d_);
  }

  /// Starts at the current point, which is the optimum for a smaller cost or 0.
  Solution solve(double cost) {
    if (cost != problem_.data().cost) begin(cost);
    live_.resize(n_);
    std::iota(live_.begin(), live_.end(), std::size_t{0});
    waiting_.clear();
    if (!started_) steps_.begin_stiff(live_);
    sweeps_before_ = steps_.sweeps();
    return solution();
  }

  /// Starts at the solution of another method.
  Solution solve(double cost, Solution start) {
    if (!go_to(start.weights)) {
      start.certificate = stop_certificate(context_);
      return start;
    }
    begin(cost);
    start_norm_ = start.start_norms;
    result_.iterations = start.iterations;
    result_.sweeps = start.sweeps + 0.5;
    iterations_at_start_ = result_.iterations;
    sweeps_at_start_ = result_.sweeps;
    result_.objectives = std::move(start.objectives);
    if (!result_.objectives.empty()) result_.objectives.pop_back();  // evaluated once more
    result_.convergence = std::move(start.convergence);
    return solve(cost);
  }

 private:
  Solution solution() {
    if (!iterate()) result_.certificate = stop_certificate(context_);
    result_.sweeps = sweeps();
    result_.start_norms = start_norm_;
    return std::move(result_);
  }

  double sweeps() const {
    return result_.sweeps + static_cast<double>(steps_.sweeps() - sweeps_before_);
  }

  bool takes_too_many_sweeps() const {
    const double taken = sweeps() - sweeps_at_start_;
    const auto steps = static_cast<double>(result_.iterations - iterations_at_start_);
    return taken >= options_.most_sweeps || taken >= (steps + 0.5) * options_.most_sweeps_per_step;
  }

  /// False if a stop was requested.
  bool go_to(const Vectors<double>& w) {
    std::vector<std::size_t> all(n_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Vectors<double> way(n_, d_);
    for (std::size_t c = 0; c < n_; ++c)
      for (std::size_t j = 0; j < d_; ++j) way.row(c)[j] = w.row(c)[j] - w_.row(c)[j];
    if (!problem_.set_step(way, all)) return false;
    problem_.move(std::vector<double>(n_, 1.0), all);
    for (std::size_t c = 0; c < n_; ++c) std::copy_n(w.row(c), d_, w_.row(c));
    return true;
  }

  void begin(double cost) {
    const double before = problem_.data().cost;
    problem_.set_cost(cost);
    steps_.change_cost();
    const std::vector<double> loss = problem_.loss();
    result_ = Solution();
    result_.weights = Vectors<double>(n_, d_);
    for (std::size_t c = 0; c < n_; ++c) {
      std::copy_n(w_.row(c), d_, result_.weights.row(c));
      const double norm = dot(w_.row(c), w_.row(c), d_);
      result_.outcomes.push_back({norm / 2 + loss[c], 0, 1});
      start_norm_[c] *= cost / before;
      histories_[c].clear();
    }
    std::fill(decrement_.begin(), decrement_.end(), std::numeric_limits<double>::infinity());
    std::fill(radius_.begin(), radius_.end(), std::numeric_limits<double>::infinity());
    started_ = true;
  }

  /// False if a stop was requested.
  bool iterate() {
    for (bool first = true;; first = false) {
      resume_waiting();
      if (live_.empty()) return true;
      if (!problem_.evaluate(w_, live_, values_, gradient_)) return false;
      ++result_.sweeps;
      accept(first);
      drop_stalled();
      if (live_.empty() && waiting_.empty()) return true;
      if (result_.iterations >= options_.max_iterations || takes_too_many_sweeps()) {
        result_.certificate = Certificate::iteration_limit;
        return true;
      }
      hold_back();
      if (live_.empty()) continue;
      if (!steps_.solve(gradient_, live_, targets())) return false;
      check_finite(steps_.steps(), live_, problem_.data().cost);
      if (!problem_.set_step(steps_.steps(), live_) || !tighten()) return false;
      result_.sweeps += 0.5;
      if (live_.empty()) continue;
      if (!move()) return false;
      ++result_.iterations;
    }
  }

  /// Makes problems wait whose exact steps do not fit into memory, until others are done.
  void hold_back() {
    const std::vector<std::size_t> without_room = steps_.change_to_exact(live_);
    waiting_.insert(waiting_.end(), without_room.begin(), without_room.end());
    std::erase_if(live_, [&](std::size_t c) { return is_in(without_room, c); });
  }
  void resume_waiting() {
    const std::vector<std::size_t> resumed = steps_.resume(waiting_, live_);
    live_.insert(live_.end(), resumed.begin(), resumed.end());
    std::ranges::sort(live_);
    std::erase_if(waiting_, [&](std::size_t c) { return is_in(resumed, c); });
  }
  static bool is_in(const std::vector<std::size_t>& problems, std::size_t c) {
    return std::ranges::find(problems, c) != problems.end();
  }

  double gap(std::size_t c) const {
    const Outcome& outcome = result_.outcomes[c];
    return outcome.primal - outcome.dual;
  }
  /// Whether the problem's working cost is C itself.
  bool at_cost(std::size_t c) const { return problem_.working_cost(c) >= problem_.cost(c); }
  double goal(std::size_t c) const { return options_.tolerance * result_.outcomes[c].primal; }

  void drop_finished() {
    std::erase_if(live_,
                  [&](std::size_t c) { return proved(result_.outcomes[c], options_.tolerance); });
  }

  /// Drops stalled problems. If columns have very different scales, the optimum depends on losses
  /// of 1e-6 and less, and the bound stays far away long after the objective has settled.
  void drop_stalled() {
    std::erase_if(live_, [&](std::size_t c) {
      if (!at_cost(c)) return false;
      std::vector<double>& history = histories_[c];
      history.push_back(result_.outcomes[c].primal);
      if (history.size() <= l2_stall_iterations) return false;
      const double before = history[history.size() - 1 - l2_stall_iterations];
      const bool to_the_end = steps_.exact(c) || !options_.proves_ahead;
      const double least = to_the_end ? l2_rounding * history.back() : goal(c);
      if (before - history.back() > least) return false;
      result_.certificate = Certificate::iteration_limit;
      result_.stalled.push_back(c);
      return true;
    });
  }

  /// Copies the last evaluated iterate to the result if it is better or the first.
  void accept(bool first) {
    for (const std::size_t c : live_) {
      Outcome& outcome = result_.outcomes[c];
      const double norm = std::sqrt(dot(gradient_.row(c), gradient_.row(c), d_));
      // At w = 0 the gradient is in proportion to the cost.
      if (first && !started_) start_norm_[c] = norm * problem_.cost(c) / problem_.working_cost(c);
      if (first || values_[c].primal <= outcome.primal) {
        outcome.primal = values_[c].primal;
        outcome.gradient_norm = start_norm_[c] > 0 ? norm / start_norm_[c] : 0;
        std::copy_n(w_.row(c), d_, result_.weights.row(c));
      }
      outcome.dual = std::max(outcome.dual, values_[c].dual);
    }
    record_iterate(result_, options_.tolerance, "iteration", live_.size() + waiting_.size(),
                   context_, ", sweeps " + std::to_string(result_.sweeps + steps_.sweeps()));
    drop_finished();
  }

  std::vector<CgTarget> targets() const {
    std::vector<CgTarget> targets(n_);
    for (const std::size_t c : live_) {
      const double relative = gap(c) / result_.outcomes[c].primal;
      targets[c].reduction = std::min(cg_reduction, std::sqrt(relative));
      targets[c].radius = radius_[c];
      // Half the squared residual remains in the gap; it matters once the gap is small otherwise.
      if (decrement_[c] < 4 * goal(c)) targets[c].residual = std::sqrt(goal(c) / 2);
    }
    return targets;
  }

  /// If the model predicts that the optimum is near, tries to prove it by the dual point of the
  /// step. False if a stop was requested.
  bool tighten() {
    std::vector<std::size_t> near;
    for (const std::size_t c : live_) {
      decrement_[c] = -dot(gradient_.row(c), steps_.step(c), d_) / 2;
      if (options_.proves_ahead && decrement_[c] < goal(c)) near.push_back(c);
    }
    if (near.empty()) return true;
    std::vector<double> dual(n_);
    if (!problem_.predicted_dual(near, dual)) return false;
    result_.sweeps += 0.5;
    for (const std::size_t c : near)
      result_.outcomes[c].dual = std::max(result_.outcomes[c].dual, dual[c]);
    drop_finished();
    return true;
  }

  /// Moves to the minimum along each step; a short move shrinks the trust region. False if a stop
  /// was requested.
  bool move() {
    const std::vector<double> t = problem_.line_search(w_, steps_.steps(), live_);
    if (context_.stop_requested() != StopReason::none) return false;
    for (const std::size_t c : live_) {
      for (std::size_t j = 0; j < d_; ++j) w_.row(c)[j] += t[c] * steps_.step(c)[j];
      if (!steps_.exact(c)) limit_radius(c, t[c]);
    }
    problem_.move(t, live_);
    for (const std::size_t c : live_)
      if (steps_.exact(c)) steps_.follow_path(c, t[c]);
    // Another cost has another metric.
    if (steps_.follow_path(live_, t))
      std::fill(radius_.begin(), radius_.end(), std::numeric_limits<double>::infinity());
    return true;
  }

  void limit_radius(std::size_t c, double length) {
    const CgStep& step = steps_.result(c);
    if (length < 0.5)
      radius_[c] = 2 * length * step.length;
    else if (step.at_radius)
      radius_[c] = 2 * std::max(length, 1.0) * step.length;
  }

  SquaredLosses& problem_;
  const NewtonOptions& options_;
  Context& context_;
  std::size_t n_;
  std::size_t d_;
  NewtonSteps steps_;
  Vectors<double> w_, gradient_;
  std::vector<SquaredLosses::Value> values_;
  std::vector<double> start_norm_;
  std::vector<std::vector<double>> histories_;  // objectives so far
  std::vector<double> decrement_;  // half of -gradient.step, the decrease predicted by the model
  std::vector<double> radius_;
  std::vector<std::size_t> live_;
  std::vector<std::size_t> waiting_;     // for memory; also open
  bool started_ = false;                 // from a point other than 0
  std::size_t sweeps_before_ = 0;        // of the steps, at smaller costs
  std::size_t iterations_at_start_ = 0;  // of another method's solution
  double sweeps_at_start_ = 0;
  Solution result_;
};

}  // namespace

void check_finite(const Vectors<double>& steps, SquaredLosses::Live live, double cost) {
  for (const std::size_t c : live)
    if (!std::all_of(steps.row(c), steps.row(c) + steps.cols(),
                     [](double x) { return std::isfinite(x); }))
      throw Error("with C = " + to_text(Value(cost)) +
                  " and rows of this size the steps overflow; lower C, or scale the rows "
                  "(normalizer/zscore)");
}

std::vector<Solution> minimise(SquaredLosses& problem, std::span<const double> costs,
                               const NewtonOptions& options, Context& context,
                               const StartAt& start_at) {
  problem.set_cost(costs.front());
  const std::size_t all = context.memory_budget();
  const std::size_t taken = options.held + newton_bytes(problem, context);
  Newton newton(problem, options, all > taken ? all - taken : 0, context);
  std::vector<Solution> solutions;
  for (std::size_t i = 0; i < costs.size(); ++i)
    solutions.push_back(start_at ? newton.solve(costs[i], start_at(i)) : newton.solve(costs[i]));
  return solutions;
}

}  // namespace semblance::linear
