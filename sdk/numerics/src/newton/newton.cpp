// SPDX-License-Identifier: MIT
#include "semblance_numerics/newton.hpp"

#include <algorithm>
#include <numeric>

#include "conjugate_gradients.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::numerics {
namespace {

// A problem ends after this number of iterations that together gain less than the tolerance; with
// exact steps, which end at the optimum however small their gains, than this share.
constexpr std::size_t stall_iterations = 5;
constexpr double rounding = 1e-13;

// Conjugate gradients reduce the residual to this share at most.
constexpr double cg_reduction = 0.1;

// If 2C |x|^2 is large, the machine is close to one with hard margins: samples that a step makes
// inactive return one by one, over hundreds of steps. So exact steps follow the optimum from the
// cost at which a sample of mean length has about the regularizer's curvature, growing by this
// factor whenever a step has about its full length, which means that it has found its active
// samples. Conjugate gradients follow it only if C exceeds that cost by `worth_path`. Test "nearly
// hard margins take tens of steps, not hundreds".
constexpr double cost_factor = 3;
constexpr double fitting_length = 0.7;
constexpr double worth_path = 100;

std::vector<std::size_t> all_of(std::size_t problems) {
  std::vector<std::size_t> all(problems);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

class Newton {
 public:
  Newton(NewtonOperator& functions, SquaredLosses& losses, const NewtonOptions& options,
         Context& context)
      : functions_(functions),
        losses_(losses),
        options_(options),
        context_(context),
        n_(losses.problems()),
        d_(functions.dimension()),
        cg_(functions, losses, context),
        w_(n_, d_),
        gradient_(n_, d_),
        sums_(n_),
        start_norm_(n_),
        histories_(n_),
        decrement_(n_, std::numeric_limits<double>::infinity()),
        radius_(n_, std::numeric_limits<double>::infinity()),
        exact_(n_) {
    for (const double loss : losses.loss_at_zero()) result_.outcomes.push_back({loss, 0, 1});
    result_.weights = Vectors<double>(n_, d_);
  }

  /// Starts at the current point, which is the optimum for a smaller cost or 0.
  Solution solve(double cost) {
    if (cost != losses_.data().cost) begin(cost);
    live_ = all_of(n_);
    if (!started_) begin_stiff();
    sweeps_before_ = cg_.sweeps();
    if (!iterate()) result_.certificate = stop_certificate(context_);
    result_.sweeps = sweeps();
    result_.start_norms = start_norm_;
    if (losses_.data().intercept)
      result_.offsets.assign(best_intercepts_.begin(), best_intercepts_.end());
    return std::move(result_);
  }

  /// Starts at the solution of another method.
  Solution solve(double cost, Solution start) {
    if (!go_to(start.weights)) {
      start.certificate = stop_certificate(context_);
      return start;
    }
    begin(cost);
    for (std::size_t c = 0; c < start.outcomes.size(); ++c)
      result_.outcomes[c].dual = start.outcomes[c].dual;
    start_norm_ = start.start_norms;
    result_.iterations = iterations_at_start_ = start.iterations;
    result_.sweeps = start.sweeps + 0.5;
    result_.objectives = std::move(start.objectives);
    if (!result_.objectives.empty()) result_.objectives.pop_back();  // evaluated once more
    result_.convergence = std::move(start.convergence);
    return solve(cost);
  }

 private:
  double sweeps() const {
    return result_.sweeps + static_cast<double>(cg_.sweeps() - sweeps_before_);
  }

  /// False if a stop was requested.
  bool go_to(const Vectors<double>& w) {
    const std::vector<std::size_t> all = all_of(n_);
    Vectors<double> way(n_, d_);
    for (std::size_t c = 0; c < n_; ++c)
      for (std::size_t j = 0; j < d_; ++j) way.row(c)[j] = w.row(c)[j] - w_.row(c)[j];
    if (!functions_.multiply(way, all, losses_.step())) return false;
    losses_.move(std::vector<double>(n_, 1.0), all);
    for (std::size_t c = 0; c < n_; ++c) std::copy_n(w.row(c), d_, w_.row(c));
    return true;
  }

  void begin(double cost) {
    const double before = losses_.data().cost;
    losses_.set_cost(cost);
    functions_.cost_changed();
    // The optimum for the smaller cost is known; only exact steps need a path from there.
    for (std::size_t c = 0; c < n_; ++c)
      losses_.set_working_cost(c,
                               exact_[c] ? cost_factor * losses_.working_cost(c) : losses_.cost(c));
    const std::vector<double> loss = losses_.loss();
    result_ = Solution();
    result_.weights = Vectors<double>(n_, d_);
    for (std::size_t c = 0; c < n_; ++c) {
      std::copy_n(w_.row(c), d_, result_.weights.row(c));
      result_.outcomes.push_back({dot(w_.row(c), w_.row(c), d_) / 2 + loss[c], 0, 1});
      start_norm_[c] *= cost / before;
      histories_[c].clear();
    }
    std::ranges::fill(decrement_, std::numeric_limits<double>::infinity());
    std::ranges::fill(radius_, std::numeric_limits<double>::infinity());
    started_ = true;
  }

  /// The cost at which a path begins; infinite: there is none.
  double first_cost() {
    if (first_cost_ == 0) {
      const double square = functions_.squared_length();
      first_cost_ = square > 0 ? 1 / square : std::numeric_limits<double>::infinity();
    }
    return first_cost_;
  }
  void begin_stiff() {
    if (!options_.along_path || !(first_cost() * worth_path <= losses_.data().cost)) return;
    on_path_ = true;
    for (const std::size_t c : live_) losses_.set_working_cost(c, first_cost());
  }

  /// False if a stop was requested.
  bool iterate() {
    for (bool first = true;; first = false) {
      if (!evaluate(first)) return false;
      drop_stalled();
      if (live_.empty()) return true;
      if (result_.iterations - iterations_at_start_ >= options_.max_iterations) {
        result_.certificate = Certificate::iteration_limit;
        return true;
      }
      if (!find_steps()) return false;
      if (live_.empty()) continue;
      if (!move()) return false;
      ++result_.iterations;
    }
  }

  double gap(std::size_t c) const { return result_.outcomes[c].primal - result_.outcomes[c].dual; }
  double goal(std::size_t c) const { return options_.tolerance * result_.outcomes[c].primal; }

  void drop_finished() {
    std::erase_if(live_,
                  [&](std::size_t c) { return proved(result_.outcomes[c], options_.tolerance); });
  }

  /// Drops stalled problems. If columns have very different scales, the optimum depends on losses
  /// of 1e-6 and less, and the bound stays far away long after the objective has settled.
  void drop_stalled() {
    std::erase_if(live_, [&](std::size_t c) {
      if (losses_.working_cost(c) < losses_.cost(c)) return false;
      std::vector<double>& history = histories_[c];
      history.push_back(result_.outcomes[c].primal);
      if (history.size() <= stall_iterations) return false;
      const double before = history[history.size() - 1 - stall_iterations];
      const bool to_the_end = exact_[c] != 0 || !options_.proves_ahead;
      if (before - history.back() > (to_the_end ? rounding * history.back() : goal(c)))
        return false;
      result_.certificate = Certificate::iteration_limit;
      result_.stalled.push_back(c);
      return true;
    });
  }

  /// Objectives, bounds and gradients at w; copies what is better, or first, to the result. False
  /// if a stop was requested.
  bool evaluate(bool first) {
    if (live_.empty()) return true;
    losses_.find_intercepts(live_);
    {
      std::vector<double> z;
      losses_.multipliers(live_, sums_, z);
      if (!functions_.transpose(z, live_, gradient_)) return false;
    }
    ++result_.sweeps;
    if (best_intercepts_.empty()) best_intercepts_.assign(n_, 0.0);
    for (const std::size_t c : live_) {
      const double* w = w_.row(c);
      double* g = gradient_.row(c);
      Outcome& outcome = result_.outcomes[c];
      const double primal = dot(w, w, d_) / 2 + losses_.cost(c) * sums_[c].squares;
      const double dual = losses_.working_cost(c) * sums_[c].duals - dot(g, g, d_) / 2;
      for (std::size_t j = 0; j < d_; ++j) g[j] = w[j] - g[j];
      const double norm = std::sqrt(dot(g, g, d_));
      // At w = 0 the gradient is in proportion to the cost.
      if (first && !started_) start_norm_[c] = norm * losses_.cost(c) / losses_.working_cost(c);
      if (first || primal <= outcome.primal) {
        outcome.primal = primal;
        outcome.gradient_norm = start_norm_[c] > 0 ? norm / start_norm_[c] : 0;
        std::copy_n(w, d_, result_.weights.row(c));
        best_intercepts_[c] = losses_.intercepts()[c];
      }
      outcome.dual = std::max(outcome.dual, dual);
    }
    result_.record(options_.tolerance, "iteration", live_.size(), context_,
                   ", sweeps " + std::to_string(result_.sweeps + double(cg_.sweeps())));
    drop_finished();
    return true;
  }

  /// Steps of the live problems, with their products; drops problems that these prove. False if a
  /// stop was requested.
  bool find_steps() {
    if (steps_.count() == 0) steps_ = Vectors<double>(n_, d_);
    change_to_exact();
    std::vector<std::size_t> exactly, iteratively;
    for (const std::size_t c : live_) (exact_[c] != 0 ? exactly : iteratively).push_back(c);
    if (!exactly.empty() && !functions_.solve(losses_, gradient_, exactly, steps_)) return false;
    if (!iteratively.empty() && !cg_.solve(gradient_, iteratively, targets(), steps_)) return false;
    check_finite(steps_, live_, losses_.data().cost);
    if (!functions_.multiply(steps_, live_, losses_.step())) return false;
    for (const std::size_t c : live_)
      losses_.intercept_steps()[c] = cg_.intercept_step(c, steps_.row(c));
    if (!tighten()) return false;
    result_.sweeps += 0.5;
    return true;
  }

  void change_to_exact() {
    if (!functions_.may_be_exact()) return;
    std::vector<std::size_t> iterative;
    for (const std::size_t c : live_)
      if (exact_[c] == 0) iterative.push_back(c);
    if (iterative.empty()) return;
    const std::vector<double> active = losses_.active_counts(iterative);
    for (std::size_t i = 0; i < iterative.size(); ++i) {
      const std::size_t c = iterative[i];
      if (!functions_.worth_exact(cg_.products(c), active[i])) continue;
      exact_[c] = 1;
      // If iterative steps are on the path or at its end, exact ones continue from there.
      if (options_.along_path && !on_path_) losses_.set_working_cost(c, first_cost());
      context_.log(LogLevel::debug, "problem " + std::to_string(c) + " continues with exact steps");
    }
  }

  std::vector<ConjugateGradients::Target> targets() const {
    std::vector<ConjugateGradients::Target> targets(n_);
    for (const std::size_t c : live_) {
      targets[c].reduction = std::min(cg_reduction, std::sqrt(gap(c) / result_.outcomes[c].primal));
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
      decrement_[c] = -dot(gradient_.row(c), steps_.row(c), d_) / 2;
      if (options_.proves_ahead && decrement_[c] < goal(c)) near.push_back(c);
    }
    if (near.empty()) return true;
    std::vector<double> z;
    losses_.predicted_multipliers(near, sums_, z);
    Vectors<double> pull(n_, d_);
    if (!functions_.transpose(z, near, pull)) return false;
    result_.sweeps += 0.5;
    for (const std::size_t c : near) {
      const double square = dot(pull.row(c), pull.row(c), d_);
      double& dual = result_.outcomes[c].dual;
      dual = std::max(dual, losses_.working_cost(c) * sums_[c].duals - square / 2);
    }
    drop_finished();
    return true;
  }

  /// Moves to the minimum along each step; a short move shrinks the trust region. False if a stop
  /// was requested.
  bool move() {
    std::vector<double> ws(n_), ss(n_);
    for (const std::size_t c : live_) {
      ws[c] = dot(w_.row(c), steps_.row(c), d_);
      ss[c] = dot(steps_.row(c), steps_.row(c), d_);
    }
    const std::vector<double> t = losses_.line_search(ws, ss, live_);
    if (context_.stop_requested() != StopReason::none) return false;
    for (const std::size_t c : live_) {
      for (std::size_t j = 0; j < d_; ++j) w_.row(c)[j] += t[c] * steps_.row(c)[j];
      if (exact_[c] == 0) limit_radius(c, t[c]);
    }
    losses_.move(t, live_);
    for (const std::size_t c : live_) follow_path(c, t[c]);
    return true;
  }

  /// A length of 0, or any length of a step that gains nothing, is due to rounding: no further
  /// progress at this cost.
  void follow_path(std::size_t c, double length) {
    if (losses_.working_cost(c) >= losses_.cost(c)) return;
    const bool at_optimum = decrement_[c] <= rounding * result_.outcomes[c].primal;
    if (!at_optimum && length > 0 && length < fitting_length) return;
    losses_.set_working_cost(c, cost_factor * losses_.working_cost(c));
    radius_[c] = std::numeric_limits<double>::infinity();  // another cost has another metric
  }

  void limit_radius(std::size_t c, double length) {
    const ConjugateGradients::Step& step = cg_.result(c);
    if (length < 0.5)
      radius_[c] = 2 * length * step.length;
    else if (step.at_radius)
      radius_[c] = 2 * std::max(length, 1.0) * step.length;
  }

  NewtonOperator& functions_;
  SquaredLosses& losses_;
  const NewtonOptions& options_;
  Context& context_;
  std::size_t n_, d_;
  ConjugateGradients cg_;
  Vectors<double> w_, gradient_, steps_;
  std::vector<double> best_intercepts_;
  std::vector<SquaredLosses::Sums> sums_;
  std::vector<double> start_norm_;
  std::vector<std::vector<double>> histories_;  // objectives so far
  std::vector<double> decrement_;  // half of -gradient.step, the decrease predicted by the model
  std::vector<double> radius_;
  std::vector<char> exact_;  // problems with exact steps
  std::vector<std::size_t> live_;
  double first_cost_ = 0;                // 0: unknown
  bool on_path_ = false;                 // from first_cost_ to C, by conjugate gradients
  bool started_ = false;                 // from a point other than 0
  std::size_t sweeps_before_ = 0;        // of the steps, at smaller costs
  std::size_t iterations_at_start_ = 0;  // of another method's solution
  Solution result_;
};

}  // namespace

void NewtonOperator::precondition(const Vectors<double>& r, Live live, Vectors<double>& out) const {
  for (const std::size_t c : live) std::copy_n(r.row(c), r.cols(), out.row(c));
}

void check_finite(const Vectors<double>& steps, SquaredLosses::Live live, double cost) {
  for (const std::size_t c : live)
    if (!std::all_of(steps.row(c), steps.row(c) + steps.cols(),
                     [](double x) { return std::isfinite(x); }))
      throw Error("with C = " + to_text(Value(cost)) +
                  " and rows of this size the steps overflow; lower C, or scale the rows "
                  "(normalizer/zscore)");
}

std::vector<Solution> newton(NewtonOperator& functions, SquaredLosses& losses,
                             std::span<const double> costs, const NewtonOptions& options,
                             Context& context, const StartAt& start_at) {
  losses.set_cost(costs.front());
  Newton newton(functions, losses, options, context);
  std::vector<Solution> solutions;
  for (std::size_t i = 0; i < costs.size(); ++i)
    solutions.push_back(start_at ? newton.solve(costs[i], start_at(i)) : newton.solve(costs[i]));
  return solutions;
}

std::size_t newton_bytes(std::size_t samples, std::size_t dimension, std::size_t problems) {
  // Functions, steps, and either multipliers or curvatures by sample; w, gradient, steps, the best
  // weights, a proof's products, and the three vectors of conjugate gradients.
  return samples * problems * 3 * sizeof(double) +
         8 * problems * padded(dimension) * sizeof(double);
}

}  // namespace semblance::numerics
