// SPDX-License-Identifier: MIT
#include "newton/newton_svm.hpp"

#include <algorithm>
#include <cmath>

#include "newton/conjugate_gradients.hpp"

namespace semblance::pairs {
namespace {

constexpr double enough_gap = 1e-7;
constexpr std::size_t most_steps = 100;

/// A function of the training samples.
struct Point {
  std::vector<double> a, product;  ///< a and K a
  double b = 0;
};

class Minimization {
 public:
  Minimization(const NewtonSvm& problem, std::span<const double> signs, Context& context)
      : problem_(problem), y_(signs), context_(context), n_(signs.size()) {
    best_.a.assign(n_, 0);
    best_.product.assign(n_, 0);
    evaluate();
    fit_.convergence.record(0, gap());
  }

  NewtonSvmFit run() {
    std::vector<char> active(n_, 1), before;
    for (std::size_t step = 0; step < most_steps && !fit_.stopped; ++step) {
      const Point target = solution(active);
      if (fit_.stopped) break;
      move_towards(target);
      before = std::exchange(active, with_loss());
      evaluate();
      fit_.convergence.record(step + 1, gap());
      if (std::ranges::find(active, 1) == active.end() || gap() <= enough_gap) break;
      if (active == before && exact_) break;
      exact_ = exact_ || active == before;
    }
    fit_.coefficients = std::move(best_.a);
    fit_.intercept = best_.b;
    return std::move(fit_);
  }

 private:
  double margin(const Point& at, std::size_t i) const { return 1 - y_[i] * (at.product[i] + at.b); }

  /// As a share of the objective.
  double gap() const {
    return fit_.objective > 0 ? (fit_.objective - fit_.bound) / fit_.objective : 0;
  }

  std::vector<char> with_loss() const {
    std::vector<char> active(n_);
    for (std::size_t i = 0; i < n_; ++i) active[i] = margin(best_, i) > 0;
    return active;
  }

  /// Where the losses of these samples, as squares without a hinge, are least.
  Point solution(const std::vector<char>& active) {
    double count = 0, mean = 0;
    for (std::size_t i = 0; i < n_; ++i)
      if (active[i]) count += 1, mean += y_[i];
    mean /= count;
    std::vector<double> right(n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i)
      if (active[i]) right[i] = y_[i] - mean;
    const auto keep_active = [&](std::span<double> values) {  // and subtract their mean
      double sum = 0;
      for (std::size_t i = 0; i < n_; ++i)
        if (active[i]) sum += values[i];
      for (std::size_t i = 0; i < n_; ++i) values[i] = active[i] ? values[i] - sum / count : 0;
    };
    LinearSystem system;
    system.multiply = [&](std::span<const double> x, std::span<double> u) {
      problem_.multiply(x, u);
      keep_active(u);
      for (std::size_t i = 0; i < n_; ++i) u[i] += x[i] / (2 * problem_.cost);
    };
    system.right = right;
    system.start = best_.a;
    keep_active(system.start);
    // Far from the minimum, the pairs with a loss will change anyway.
    system.tolerance =
        exact_ ? problem_.tolerance : std::max(problem_.tolerance, 0.01 * std::min(1.0, gap()));
    system.most_iterations = problem_.most_iterations;
    LinearSolution solved = conjugate_gradients(system, context_);
    fit_.iterations += solved.iterations;
    fit_.stopped = solved.stopped;
    Point made{std::move(solved.x), std::vector<double>(n_), 0};
    keep_active(made.a);
    problem_.multiply(made.a, made.product);
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i)
      if (active[i]) sum += y_[i] - made.product[i] - made.a[i] / (2 * problem_.cost);
    made.b = sum / count;
    return made;
  }

  /// The derivative of the objective along the line to `target`, at the share t of the way.
  double slope(const Point& target, double t) const {
    double at_best = 0, towards = 0;  // (target - best) K best, and K (target - best)
    for (std::size_t i = 0; i < n_; ++i) {
      const double change = target.a[i] - best_.a[i];
      at_best += change * best_.product[i];
      towards += change * (target.product[i] - best_.product[i]);
    }
    double losses = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double from = margin(best_, i), change = margin(target, i) - from;
      losses += 2 * std::max(0.0, from + t * change) * change;
    }
    return at_best + t * towards + problem_.cost * losses;
  }

  /// The objective is convex: its least value on the line is where its derivative is 0.
  void move_towards(const Point& target) {
    double low = 0, high = 1;
    if (slope(target, 1) <= 0) {
      low = 1;
    } else {
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (slope(target, middle) <= 0 ? low : high) = middle;
      }
    }
    if (low == 1) {
      best_ = target;
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      best_.a[i] += low * (target.a[i] - best_.a[i]);
      best_.product[i] += low * (target.product[i] - best_.product[i]);
    }
    best_.b += low * (target.b - best_.b);
  }

  /// The objective, and the value of the dual at a point made of the losses: alpha_i = 2 C times
  /// the loss's root, with sums of both signs made equal.
  void evaluate() {
    fit_.squared_norm = inner_product(best_.a, best_.product);
    double losses = 0;
    std::vector<double> alpha(n_);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < n_; ++i) {
      const double root = std::max(0.0, margin(best_, i));
      losses += root * root;
      alpha[i] = 2 * problem_.cost * root;
      sums[y_[i] > 0] += alpha[i];
    }
    fit_.objective = fit_.squared_norm / 2 + problem_.cost * losses;
    const double least = std::min(sums[0], sums[1]);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double of_sign = sums[y_[i] > 0];
      alpha[i] *= of_sign > 0 ? least / of_sign : 0;
      sum += alpha[i];
      squares += alpha[i] * alpha[i];
      alpha[i] *= y_[i];
    }
    std::vector<double> product(n_);
    problem_.multiply(alpha, product);
    fit_.bound = std::max(fit_.bound,
                          sum - inner_product(alpha, product) / 2 - squares / (4 * problem_.cost));
    fit_.converged = gap() <= wanted_gap;
  }

  const NewtonSvm& problem_;
  std::span<const double> y_;
  Context& context_;
  std::size_t n_;
  Point best_;
  NewtonSvmFit fit_;
  bool exact_ = false;
};

}  // namespace

NewtonSvmFit minimize(const NewtonSvm& problem, std::span<const double> signs, Context& context) {
  return Minimization(problem, signs, context).run();
}

}  // namespace semblance::pairs
