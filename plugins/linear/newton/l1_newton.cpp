// SPDX-License-Identifier: MIT
#include "newton/l1_newton.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "newton/l1_subproblem.hpp"
#include "newton/newton_memory.hpp"
#include "newton/row_functions.hpp"

namespace semblance::linear {
namespace {

using numerics::SquaredLosses;

// A problem ends after this number of iterations that together gain no more than this share of the
// objective: steps are exact and end at the optimum however small their gains.
constexpr std::size_t l1_stall_iterations = 10;
constexpr double l1_rounding = 1e-13;

double absolute_sum(const double* w, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += std::abs(w[j]);
  return sum;
}

/// Slopes of |w + t s|_1 by t, just before and just after t.
struct Slopes {
  double left = 0;
  double right = 0;
};
Slopes absolute_slopes(const double* w, const double* s, std::size_t n, double t) {
  double smooth = 0, kinks = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double x = w[j] + t * s[j];
    if (x != 0)
      smooth += sign_of(x) * s[j];
    else
      kinks += std::abs(s[j]);
  }
  return {smooth - kinks, smooth + kinks};
}

class L1Newton {
 public:
  L1Newton(const LinearTask& task, SquaredLosses& losses, std::size_t memory, Context& context)
      : task_(task),
        losses_(losses),
        context_(context),
        n_(losses.problems()),
        d_(task.dimension()),
        functions_(task, n_, context),
        sets_(task, losses, memory, context),
        w_(n_, d_),
        step_(n_, d_),
        slope_(n_, d_),
        sums_(n_),
        worst_(n_),
        start_norm_(n_),
        histories_(n_) {
    openblas_set_num_threads(1);  // the threads are the context's
  }

  /// Starts at the current point, which is the optimum for a smaller cost or 0.
  Solution solve(double cost) {
    begin(cost);
    if (!iterate()) result_.certificate = stop_certificate(context_);
    for (std::size_t c = 0; c < n_; ++c) std::copy_n(w_.row(c), d_, result_.weights.row(c));
    return std::move(result_);
  }

 private:
  void begin(double cost) {
    const double before = losses_.data().cost;
    losses_.set_cost(cost);
    const std::vector<double> loss = losses_.loss();
    result_ = Solution();
    result_.weights = Vectors<double>(n_, d_);
    for (std::size_t c = 0; c < n_; ++c) {
      losses_.set_working_cost(c, cost);
      result_.outcomes.push_back({absolute_sum(w_.row(c), d_) + loss[c], 0, 1});
      start_norm_[c] *= cost / before;
      histories_[c].clear();
    }
    live_.resize(n_);
    std::iota(live_.begin(), live_.end(), std::size_t{0});
  }

  /// False if a stop was requested.
  bool iterate() {
    for (;;) {
      losses_.multipliers(live_, sums_, z_);
      if (!functions_.transpose(z_, live_, slope_)) return false;
      result_.sweeps += 0.5;
      accept();
      drop_stalled();
      if (live_.empty()) return true;
      if (result_.iterations == task_.max_iterations) {
        result_.certificate = Certificate::iteration_limit;
        return true;
      }
      if (!find_steps() || stopped()) return false;
      numerics::check_finite(step_, live_, losses_.data().cost);
      if (!functions_.multiply(step_, live_, losses_.step())) return false;
      result_.sweeps += 0.5;
      const std::vector<double> t = line_search();
      if (stopped()) return false;
      move(t);
      ++result_.iterations;
    }
  }

  /// Turns slope_ from sum alpha_i y_i x_i into the slope of the losses.
  void accept() {
    for (const std::size_t c : live_) {
      double norm = 0, largest = 0, at_zero = 0;
      for (std::size_t j = 0; j < d_; ++j) {
        double& slope = slope_.row(c)[j];
        largest = std::max(largest, std::abs(slope));
        at_zero += std::pow(violation(0, slope), 2);
        slope = -slope;
        const double v = violation(w_.row(c)[j], slope);
        norm += v * v;
        worst_[c] = j == 0 ? v : std::max(worst_[c], v);
      }
      if (!started_) start_norm_[c] = std::sqrt(at_zero);
      Outcome& outcome = result_.outcomes[c];
      outcome.primal = absolute_sum(w_.row(c), d_) + losses_.data().cost * sums_[c].squares;
      outcome.dual = std::max(outcome.dual, lower_bound(sums_[c], largest));
      outcome.gradient_norm = start_norm_[c] > 0 ? std::sqrt(norm) / start_norm_[c] : 0;
    }
    started_ = true;
    result_.record(task_.tolerance, "iteration", live_.size(), context_,
                   ", columns at work " + std::to_string(sets_.widest()));
    std::erase_if(live_,
                  [&](std::size_t c) { return proved(result_.outcomes[c], task_.tolerance); });
  }

  /// The bound from the best feasible multiple of alpha.
  double lower_bound(const SquaredLosses::Sums& sums, double largest) const {
    const double loss = losses_.data().cost * sums.squares;
    const double linear = losses_.data().cost * (sums.duals + sums.squares);  // sum alpha
    if (loss == 0) return 0;
    double scale = linear / (2 * loss);
    if (scale * largest > 1) scale = 1 / largest;
    return scale * linear - scale * scale * loss;
  }

  void drop_stalled() {
    std::erase_if(live_, [&](std::size_t c) {
      std::vector<double>& history = histories_[c];
      history.push_back(result_.outcomes[c].primal);
      if (history.size() <= l1_stall_iterations) return false;
      if (history[history.size() - 1 - l1_stall_iterations] - history.back() >
          l1_rounding * history.back())
        return false;
      result_.certificate = Certificate::iteration_limit;
      result_.stalled.push_back(c);
      return true;
    });
  }

  bool stopped() const { return context_.stop_requested() != StopReason::none; }

  bool find_steps() {
    context_.parallel_for(
        live_.size(), [&](std::size_t i) { sets_.choose(live_[i], w_, slope_, worst_[live_[i]]); });
    const std::size_t at_once = sets_.steps_at_once();
    const bool alone = context_.collectives().ranks() == 1;
    // Needs rows from other ranks, so all ranks do it together.
    for (const std::size_t c : alone ? std::vector<std::size_t>() : live_)
      if (!sets_.update(c)) return false;
    return for_each_at_once(live_.size(), at_once, context_, [&](std::size_t i) {
      return (!alone || sets_.update(live_[i])) && find_step(live_[i]);
    });
  }

  bool find_step(std::size_t c) {
    const ColumnGram& gram = sets_.gram(c);
    const std::vector<std::size_t>& columns = gram.columns();
    L1Quadratic local{gram.sum(), 2 * losses_.data().cost, {}, {}};
    for (const std::size_t j : columns) {
      local.slope.push_back(slope_.row(c)[j]);
      local.w.push_back(w_.row(c)[j]);
    }
    // Far below the violation, which is small along a direction of little curvature.
    const double tolerance = std::max(1e-4 * worst_[c], 0.1 * task_.tolerance);
    std::vector<double> v;
    if (!minimise(local, tolerance, v, context_)) return false;
    std::fill_n(step_.row(c), d_, 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) step_.row(c)[columns[k]] = v[k] - local.w[k];
    return true;
  }

  /// 1 if that is near the minimum along the step, so that entries meant to become 0 do; else the
  /// minimum up to 2, by Newton's method within a bracket.
  std::vector<double> line_search() {
    constexpr double near = 0.1, small = 1e-9, narrow = 1e-12;
    constexpr int most_steps = 60;
    std::vector<double> t(n_, 0.0), low(n_, 0.0), high(n_, 2.0), start(n_), first(n_), second(n_);
    std::vector<std::size_t> open = live_;
    for (int round = 0; round < most_steps && !open.empty() && !stopped(); ++round) {
      losses_.slopes(open, t, first, second);
      std::erase_if(open, [&](std::size_t c) {
        const Slopes kinks = absolute_slopes(w_.row(c), step_.row(c), d_, t[c]);
        const double left = first[c] + kinks.left, right = first[c] + kinks.right;
        if (round == 0) {
          start[c] = -right;
          t[c] = 1;
          return !(right < 0) && (t[c] = 0, true);
        }
        const double bound = (round == 1 ? near : small) * start[c];
        if (left <= bound && right >= -bound) return true;
        (right < 0 ? low : high)[c] = t[c];
        if (high[c] - low[c] <= narrow) return true;
        t[c] -= (right < 0 ? right : left) / std::max(second[c], 1e-300);
        if (!(t[c] > low[c] && t[c] < high[c])) t[c] = (low[c] + high[c]) / 2;
        return false;
      });
    }
    return t;
  }

  void move(const std::vector<double>& t) {
    for (const std::size_t c : live_)
      for (std::size_t j = 0; j < d_; ++j) w_.row(c)[j] += t[c] * step_.row(c)[j];
    losses_.move(t, live_);
  }

  const LinearTask& task_;
  SquaredLosses& losses_;
  Context& context_;
  std::size_t n_;
  std::size_t d_;
  RowFunctions functions_;
  WorkingSets sets_;
  Vectors<double> w_, step_;
  Vectors<double> slope_;  // of the losses
  std::vector<SquaredLosses::Sums> sums_;
  std::vector<double> z_;      // multipliers by sample
  std::vector<double> worst_;  // violation
  std::vector<double> start_norm_;
  bool started_ = false;
  std::vector<std::vector<double>> histories_;  // objectives so far
  std::vector<std::size_t> live_;
  Solution result_;
};

}  // namespace

std::vector<Solution> minimise_l1(const LinearTask& task, std::size_t first, std::size_t count,
                                  Context& context) {
  SquaredLosses losses(losses_of(task, first, count), context);
  const std::size_t all = context.memory_budget(),
                    taken =
                        newton_bytes(losses.own().rows, task.dimension(), count, context.threads());
  losses.set_cost(task.costs.front());
  L1Newton newton(task, losses, all > taken ? all - taken : 0, context);
  std::vector<Solution> solutions;
  for (const double cost : task.costs) solutions.push_back(newton.solve(cost));
  return solutions;
}

}  // namespace semblance::linear
