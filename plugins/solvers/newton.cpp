// SPDX-License-Identifier: MIT
#include "newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "preconditioner.hpp"

namespace semblance::solvers {
namespace {

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

class Newton {
 public:
  Newton(SquaredHinge& problem, const NewtonOptions& options, Context& context, std::size_t memory)
      : problem_(problem),
        options_(options),
        context_(context),
        memory_(memory),
        n_(problem.problems()),
        d_(problem.dimension()),
        w_(n_, d_),
        gradient_(n_, d_),
        step_(n_, d_),
        residual_(n_, d_),
        direction_(n_, d_),
        product_(n_, d_),
        values_(n_),
        start_norm_(n_),
        live_(n_) {
    std::iota(live_.begin(), live_.end(), std::size_t{0});
  }

  NewtonResult run() {
    result_.outcomes.assign(n_, {start_objective(), 0, 1});
    const bool done = iterate();
    if (!done)
      result_.certificate = context_.stop_requested() == StopReason::deadline
                                ? Certificate::deadline
                                : Certificate::cancelled;
    return std::move(result_);
  }

 private:
  double start_objective() const {
    return problem_.data().cost * static_cast<double>(problem_.data().rows.rows());
  }

  /// False when a stop was requested.
  bool iterate() {
    result_.weights = Vectors<double>(n_, d_);
    for (std::size_t iteration = 0;; ++iteration) {
      if (!problem_.evaluate(w_, live_, values_, gradient_)) return false;
      ++result_.sweeps;
      accept(iteration);
      if (live_.empty()) return true;
      if (iteration == options_.max_iterations) {
        result_.certificate = Certificate::iteration_limit;
        return true;
      }
      if (!prepare(iteration) || !solve()) return false;
      const std::vector<double> t = problem_.line_search(w_, step_, live_);
      for (auto c : live_) {
        if (t[c] < 0.5)
          radius_[c] = 2 * t[c] * norm_[c];
        else if (boundary_[c])
          radius_[c] = std::max(2.0 * t[c], 2.) * norm_[c];
      }
      for (const std::size_t c : live_)
        for (std::size_t j = 0; j < d_; ++j) w_.row(c)[j] += t[c] * step_.row(c)[j];
      ++result_.iterations;
    }
  }

  /// Takes the iterate just evaluated over into the result, and drops finished problems.
  void accept(std::size_t iteration) {
    double worst = options_.tolerance;
    std::erase_if(live_, [&](std::size_t c) {
      NewtonOutcome& outcome = result_.outcomes[c];
      const double norm = std::sqrt(dot(gradient_.row(c), gradient_.row(c), d_));
      if (iteration == 0) start_norm_[c] = norm;
      if (values_[c].primal <= outcome.primal) {
        outcome.primal = values_[c].primal;
        outcome.gradient_norm = start_norm_[c] > 0 ? norm / start_norm_[c] : 0;
        std::copy_n(w_.row(c), d_, result_.weights.row(c));
      }
      outcome.dual = std::max(outcome.dual, values_[c].dual);
      const double gap = (outcome.primal - outcome.dual) / outcome.primal;
      worst = std::max(worst, gap);
      return gap <= options_.tolerance;
    });
    double objective = 0;
    for (const auto& outcome : result_.outcomes) objective += outcome.primal;
    result_.objectives.push_back(objective);
    context_.progress(std::log(worst), std::log(options_.tolerance));
    context_.log(LogLevel::debug, "iteration " + std::to_string(iteration) + ": objective " +
                                      std::to_string(objective) + ", largest relative gap " +
                                      std::to_string(worst) + ", sweeps " +
                                      std::to_string(result_.sweeps));
  }

  /// Multiply-adds of one Hessian product of one problem.
  double product_cost() const {
    return 2 * static_cast<double>(problem_.data().rows.rows()) * static_cast<double>(d_);
  }

  std::unique_ptr<Preconditioner> build(const std::vector<std::size_t>& problems,
                                        std::size_t most_rows) {
    const std::vector<float> shares = problem_.active_shares(problems);
    const auto& data = problem_.data();
    const HessianSample sample{data.rows, shares, data.cost, data.bias, most_rows};
    return cholesky_ ? cholesky_preconditioner(sample, context_)
                     : diagonal_preconditioner(sample, context_);
  }

  /// Rows for the shared preconditioner: it may cost as much as some sweeps.
  std::size_t shared_rows() const {
    const std::size_t rows = problem_.data().rows.rows();
    return std::max(4 * d_, 40 * rows * n_ / d_);
  }

  bool prepare(std::size_t iteration) {
    if (iteration == 0) {
      cholesky_ = cholesky_bytes(d_, context_.threads()) <= memory_;
      shared_ = build(live_, shared_rows());
      if (!shared_) return false;
      own_.resize(n_);
      spent_.assign(n_, 0);
      radius_.assign(n_, 1e300);
      return true;
    }
    return true;
  }

  void precondition(const Vectors<double>& r, const std::vector<std::size_t>& open,
                    Vectors<double>& out) {
    std::vector<std::size_t> rest;
    for (const std::size_t c : open) {
      if (own_[c])
        own_[c]->apply(r, std::array<std::size_t, 1>{c}, out, context_);
      else
        rest.push_back(c);
    }
    if (!rest.empty()) shared_->apply(r, rest, out, context_);
  }

  /// step = approximately -H^-1 gradient, by conjugate gradients.
  bool solve() {
    std::vector<std::size_t> open = live_;
    std::vector<double> rho(n_), target(n_), alpha(n_), ss(n_, 0.0), sp(n_, 0.0), pp(n_, 0.0);
    std::vector<char> stop(n_, 0);
    problem_.begin_step(live_);
    for (const std::size_t c : open)
      for (std::size_t j = 0; j < d_; ++j) {
        residual_.row(c)[j] = -gradient_.row(c)[j];
        step_.row(c)[j] = 0;
      }
    precondition(residual_, open, direction_);
    for (const std::size_t c : open) {
      rho[c] = dot(residual_.row(c), direction_.row(c), d_);
      pp[c] = rho[c];
      const double gap =
          (result_.outcomes[c].primal - result_.outcomes[c].dual) / result_.outcomes[c].primal;
      const double forcing = std::min(0.1, std::sqrt(std::max(gap, 0.0)));
      target[c] = forcing * forcing * rho[c];
    }
    boundary_.assign(n_, 0);
    for (int iteration = 0; iteration < 200 && !open.empty(); ++iteration) {
      if (!problem_.hessian_product(direction_, open, false, product_)) return false;
      ++result_.sweeps;
      for (const std::size_t c : open) {
        spent_[c] += product_cost();
        alpha[c] = rho[c] / dot(direction_.row(c), product_.row(c), d_);
        const double next = ss[c] + 2 * alpha[c] * sp[c] + alpha[c] * alpha[c] * pp[c];
        if (next >= radius_[c] * radius_[c]) {
          // the boundary
          alpha[c] =
              (-sp[c] + std::sqrt(sp[c] * sp[c] + pp[c] * (radius_[c] * radius_[c] - ss[c]))) /
              pp[c];
          stop[c] = 1;
          boundary_[c] = 1;
        }
        ss[c] += 2 * alpha[c] * sp[c] + alpha[c] * alpha[c] * pp[c];
        for (std::size_t j = 0; j < d_; ++j) {
          step_.row(c)[j] += alpha[c] * direction_.row(c)[j];
          residual_.row(c)[j] -= alpha[c] * product_.row(c)[j];
        }
      }
      problem_.add_to_step(open, alpha);
      precondition(residual_, open, product_);
      std::erase_if(open, [&](std::size_t c) {
        const double next = dot(residual_.row(c), product_.row(c), d_);
        const double beta = next / rho[c];
        rho[c] = next;
        sp[c] = beta * (sp[c] + alpha[c] * pp[c]);
        pp[c] = next + beta * beta * pp[c];
        for (std::size_t j = 0; j < d_; ++j)
          direction_.row(c)[j] = product_.row(c)[j] + beta * direction_.row(c)[j];
        return stop[c] || next <= target[c];
      });
    }
    norm_.assign(n_, 0);
    for (auto c : live_) norm_[c] = std::sqrt(ss[c]);
    return true;
  }

  SquaredHinge& problem_;
  const NewtonOptions& options_;
  Context& context_;
  std::size_t memory_;
  std::size_t n_;
  std::size_t d_;
  Vectors<double> w_, gradient_, step_, residual_, direction_, product_;
  std::vector<SquaredHinge::Value> values_;
  std::vector<double> start_norm_;
  std::vector<std::size_t> live_;
  bool cholesky_ = true;
  std::unique_ptr<Preconditioner> shared_;
  std::vector<std::unique_ptr<Preconditioner>> own_;
  std::vector<double> spent_, radius_, norm_;
  std::vector<char> boundary_;
  NewtonResult result_;
};

}  // namespace

std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems) {
  return SquaredHinge::bytes(rows, dimension, problems) + 7 * problems * padded(dimension) * 8;
}

std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t memory) {
  std::size_t batch = problems;
  while (batch > 1 && newton_bytes(rows, dimension, batch) > memory) batch = (batch + 1) / 2;
  return batch;
}

NewtonResult minimise(SquaredHinge& problem, const NewtonOptions& options, Context& context) {
  const std::size_t all = context.memory_budget();
  const std::size_t taken =
      newton_bytes(problem.data().rows.rows(), problem.dimension(), problem.problems());
  return Newton(problem, options, context, all > taken ? all - taken : 0).run();
}

}  // namespace semblance::solvers
