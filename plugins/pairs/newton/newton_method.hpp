// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "newton/conjugate_gradients.hpp"
#include "newton/newton.hpp"

namespace semblance::pairs {

/// First and second derivative of a convex function on a line.
struct Slopes {
  double first = 0;
  double second = 0;
};

/// The minimum of a convex, piecewise quadratic function, from `start` on: Newton's method within
/// the bracket given by the slopes. Ends at the exact minimum once it reaches its piece.
template <class Function>
double line_minimum(double start, const Function& slopes) {
  constexpr int most_steps = 50;
  double t = start, low = -std::numeric_limits<double>::infinity(), high = -low;
  for (int step = 0; step < most_steps; ++step) {
    const Slopes s = slopes(t);
    if (s.first == 0 || s.second <= 0) return t;
    (s.first > 0 ? high : low) = t;
    double next = t - s.first / s.second;
    if (next <= low || next >= high) next = (low + high) / 2;
    if (std::abs(next - t) <= 1e-9 * std::abs(next) || !std::isfinite(next)) return t;
    t = next;
  }
  return t;
}

/// Sums over pairs.
struct Totals {
  double first = 0, second = 0, count = 0, labels = 0;
  Totals& operator+=(const Totals& other) {
    first += other.first, second += other.second, count += other.count, labels += other.labels;
    return *this;
  }
};

/// The first-order effect on the losses of rounding a slack to float32, which would be visible in
/// the objective if many slacks are equal. Due to the slack and to the resulting bias.
struct Rounded {
  double by_slack = 0, by_bias = 0;
  void add(double u, double y, double exact, double rounded) {
    if (!(rounded > 0)) return;
    by_slack += 2 * u * rounded * (exact - rounded);
    by_bias += 2 * u * y * (exact - rounded);
  }
  Rounded& operator+=(const Rounded& other) {
    by_slack += other.by_slack, by_bias += other.by_bias;
    return *this;
  }
};

/// Newton's method as minimise_by_weights() describes it, in any space of functions of pairs. A
/// space has a current point w, the operations that conjugate_gradients() needs, and
///   Slack                            the number that stores 1 - y f of a pair
///   bool begin_values()              before values(block, f): <w, Phi_p> of a block's pairs
///   double square()                  |w|^2
///   void begin_sums(active, weight)  before add(block, slacks, coefficients, u): of the block's
///                                    pairs with a loss, in the table `active`
///   bool end_sums(gradient)          gradient = w - 2 C sum coefficient_p Phi_p
///   double distance_square(gradient) |w - gradient|^2
///   bool begin_steps(s, mean)        before steps(block, out): <s, Phi_p>; their weighted mean
///   Slopes line(s)                   <w, s> and |s|^2
///   void move(t, s)                  w = w + t s
/// Functions that return false have met a stop request. Those with a block are thread-safe.
template <class Space>
class Newton {
 public:
  using Vector = typename Space::Vector;
  using Slack = typename Space::Slack;

  Newton(Space& space, const LabelledPairs& pairs, const PairShares& shares,
         const NewtonOptions& options, Context& context)
      : space_(space),
        pairs_(pairs),
        shares_(shares),
        options_(options),
        context_(context),
        first_own_{0} {
    for (const std::size_t b : shares.own())
      first_own_.push_back(first_own_.back() + end_pair(b) - first_pair(b));
    slack_.resize(first_own_.back());
    step_.resize(first_own_.back());
  }

  NewtonSolution run() {
    if (!iterate()) result_.certificate = stop_certificate(context_);
    return std::move(result_);
  }

 private:
  std::size_t first_pair(std::size_t block) const {
    return pairs_.table.start(shares_.first(block));
  }
  std::size_t end_pair(std::size_t block) const { return pairs_.table.start(shares_.end(block)); }
  std::span<Slack> slacks(std::size_t block) { return of(slack_, block); }
  std::span<Slack> steps(std::size_t block) { return of(step_, block); }
  std::span<Slack> of(std::vector<Slack>& values, std::size_t block) {
    return std::span(values).subspan(first_own_[shares_.index(block)],
                                     end_pair(block) - first_pair(block));
  }
  /// body(j, y, u, its number among the block's) for the pairs (i, j) of a block.
  template <class Body>
  void each(std::size_t block, const Body& body) const {
    const std::size_t from = first_pair(block);
    for (std::size_t i = shares_.first(block); i < shares_.end(block); ++i) {
      const std::size_t start = pairs_.table.start(i), end = pairs_.table.start(i + 1);
      for (std::size_t p = start; p < end; ++p) {
        const std::size_t j = pairs_.table.other(i, p);
        const double y = pairs_.label(i, j, p);
        body(j, y, options_.weights.of(y > 0 ? 1 : -1), p - from);
      }
    }
  }
  /// body(a pair's number among the block's, its u); labels are looked up only where u differ.
  template <class Body>
  void each_weight(std::size_t block, const Body& body) const {
    const double same = options_.weights.same;
    if (options_.weights.equal()) {
      const std::size_t count = end_pair(block) - first_pair(block);
      for (std::size_t k = 0; k < count; ++k) body(k, same);
    } else {
      each(block, [&](std::size_t, double, double u, std::size_t k) { body(k, u); });
    }
  }
  /// body(block) for the own blocks, unless a stop is requested; false if it is.
  template <class Body>
  bool for_own(const Body& body) {
    context_.parallel_for(shares_.own().size(), [&](std::size_t k) {
      if (context_.stop_requested() == StopReason::none) body(shares_.own()[k]);
    });
    return context_.stop_requested() == StopReason::none;
  }
  /// Sums by block, added up in order.
  template <class Sum, class Body>
  Sum reduce(const Body& body) {
    std::vector<Sum> own(shares_.own().size());
    context_.parallel_for(own.size(), [&](std::size_t k) { own[k] = body(shares_.own()[k]); });
    return total(std::move(own));
  }
  /// The sum over all ranks' blocks.
  template <class Sum>
  Sum total(std::vector<Sum> own) {
    Sum total{};
    for (const Sum& part : shares_.of_all_blocks(std::move(own), context_)) total += part;
    return total;
  }

  bool iterate();
  bool evaluate();
  double center_bias();
  void find_active();
  bool gradient();
  void bound();
  bool move();

  Space& space_;
  const LabelledPairs& pairs_;
  const PairShares& shares_;
  const NewtonOptions& options_;
  Context& context_;
  std::vector<std::size_t> first_own_;  // pair of each own block, and their number
  std::vector<Slack> slack_;            // 1 - y f, of each own pair
  std::vector<Slack> step_;             // y times the change of f along the step
  PairTable active_;                    // of the own pairs
  double active_weight_ = 0;            // of all active pairs
  double active_labels_ = 0;            // sum of their weighted labels
  double mean_ = 0;                     // of their labels times slacks: 0, but for rounding
  Vector gradient_, direction_;
  double start_norm_ = 0;  // of the first gradient
  NewtonSolution result_;
};

/// The slacks at w, the best bias, and the objective.
template <class Space>
bool Newton<Space>::evaluate() {
  if (!space_.begin_values()) return false;
  std::vector<Rounded> lost(shares_.own().size());
  const bool through = for_own([&](std::size_t b) {
    const std::span<Slack> slack = slacks(b);
    std::vector<double> f(slack.size());
    space_.values(b, f.data());
    each(b, [&](std::size_t, double y, double u, std::size_t k) {
      const double exact = 1 - y * (f[k] + result_.bias);
      slack[k] = static_cast<Slack>(exact);
      lost[shares_.index(b)].add(u, y, exact, double{slack[k]});
    });
  });
  if (!through) return false;
  const Rounded before = total(std::move(lost));
  const double bias = result_.bias;
  const double rounded = center_bias() + before.by_slack - (result_.bias - bias) * before.by_bias;
  const double losses = reduce<double>([&](std::size_t b) {
    double sum = 0;
    const std::span<const Slack> slacks = this->slacks(b);
    each_weight(b, [&](std::size_t k, double u) {
      if (slacks[k] > 0) sum += u * (double(slacks[k]) * slacks[k]);
    });
    return sum;
  });
  result_.square = space_.square();
  result_.objective = result_.square / 2 + options_.cost * (losses + rounded);
  return true;
}

/// Returns the effect of rounding the slacks on the losses.
template <class Space>
double Newton<Space>::center_bias() {
  const double shift = line_minimum(0, [&](double t) {
    const auto sums = reduce<Totals>([&](std::size_t b) {
      Totals sum;
      const std::span<const Slack> slacks = this->slacks(b);
      each(b, [&](std::size_t, double y, double u, std::size_t k) {
        const double slack = slacks[k] - y * t;
        if (slack > 0) sum.first -= u * (y * slack), sum.second += u;
      });
      return sum;
    });
    return Slopes{sums.first, sums.second};
  });
  result_.bias += shift;
  return reduce<Rounded>([&](std::size_t b) {
           Rounded lost;
           const std::span<Slack> slack = slacks(b);
           each(b, [&](std::size_t, double y, double u, std::size_t k) {
             const double exact = slack[k] - y * shift;
             slack[k] = static_cast<Slack>(exact);
             lost.add(u, y, exact, double{slack[k]});
           });
           return lost;
         })
      .by_slack;
}

template <class Space>
void Newton<Space>::find_active() {
  std::vector<std::size_t> starts(pairs_.table.examples() + 1);
  context_.parallel_for(shares_.own().size(), [&](std::size_t own) {
    const std::size_t b = shares_.own()[own], from = first_pair(b);
    const std::span<const Slack> slack = slacks(b);
    for (std::size_t i = shares_.first(b); i < shares_.end(b); ++i)
      for (std::size_t p = pairs_.table.start(i); p < pairs_.table.start(i + 1); ++p)
        if (slack[p - from] > 0) ++starts[i + 1];
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> others(starts.back());
  context_.parallel_for(shares_.own().size(), [&](std::size_t own) {
    const std::size_t b = shares_.own()[own];
    const std::span<const Slack> slack = slacks(b);
    std::size_t at = starts[shares_.first(b)];
    each(b, [&](std::size_t j, double, double, std::size_t k) {
      if (slack[k] > 0) others[at++] = static_cast<std::uint32_t>(j);
    });
  });
  active_ = PairTable(std::move(starts), std::move(others));
}

/// The gradient by w, with the bias at its best.
template <class Space>
bool Newton<Space>::gradient() {
  find_active();
  const auto sums = reduce<Totals>([&](std::size_t b) {
    Totals sum;
    const std::span<const Slack> slack = slacks(b);
    each(b, [&](std::size_t, double y, double u, std::size_t k) {
      if (!(slack[k] > 0)) return;
      sum.first += u * (y * slack[k]), sum.second += u, sum.count += 1, sum.labels += u * y;
    });
    return sum;
  });
  result_.active = static_cast<std::size_t>(sums.count);
  active_weight_ = sums.second;
  active_labels_ = sums.labels;
  mean_ = result_.active > 0 ? sums.first / sums.second : 0;
  space_.begin_sums(active_, active_weight_);
  const bool through = for_own([&](std::size_t b) {
    const std::span<const Slack> slack = slacks(b);
    std::vector<double> coefficients;
    std::vector<Slack> weights;
    each(b, [&](std::size_t, double y, double u, std::size_t k) {
      if (!(slack[k] > 0)) return;
      coefficients.push_back(u * (y * slack[k] - mean_));
      weights.push_back(static_cast<Slack>(u));
    });
    space_.add(b, slack, coefficients, std::move(weights));
  });
  return through && space_.end_sums(gradient_);
}

/// Moves to the minimum along the direction, with the corresponding bias.
template <class Space>
bool Newton<Space>::move() {
  double mean = 0;
  if (!space_.begin_steps(direction_, mean)) return false;
  const double shift = -mean;
  const bool through = for_own([&](std::size_t b) {
    const std::span<Slack> step = steps(b);
    space_.steps(b, step.data());
    each(b, [&](std::size_t, double y, double, std::size_t k) {
      step[k] = static_cast<Slack>(y * (step[k] + shift));
    });
  });
  if (!through) return false;
  const Slopes of_square = space_.line(direction_);
  const double t = line_minimum(1, [&](double at) {
    const auto sums = reduce<Totals>([&](std::size_t b) {
      Totals sum;
      const std::span<const Slack> slacks = this->slacks(b), steps = this->steps(b);
      each_weight(b, [&](std::size_t k, double u) {
        const double change = steps[k], slack = slacks[k] - at * change;
        if (!(slack > 0)) return;
        sum.first -= u * (slack * change), sum.second += u * (change * change);
      });
      return sum;
    });
    return Slopes{of_square.first + at * of_square.second + 2 * options_.cost * sums.first,
                  of_square.second + 2 * options_.cost * sums.second};
  });
  space_.move(t, direction_);
  result_.bias += t * shift;
  return true;
}

/// The dual objective at t gamma is t a - t^2 b, with a = sum y_p gamma_p and b = 1/2 |sum gamma_p
/// Phi_p|^2 + sum gamma_p^2 / 4uC: at most a^2 / 4b. The gammas must sum to 0, so their mean is
/// subtracted.
template <class Space>
void Newton<Space>::bound() {
  const double c = options_.cost;
  const auto sums = reduce<Totals>([&](std::size_t b) {
    Totals sum;
    const std::span<const Slack> slacks = this->slacks(b);
    each_weight(b, [&](std::size_t k, double u) {
      const double slack = slacks[k];
      if (!(slack > 0)) return;
      sum.first += u * (2 * c * slack), sum.second += u * (c * slack * slack);
    });
    return sum;
  });
  const double a = sums.first - 2 * c * mean_ * active_labels_;
  const double losses = sums.second - c * mean_ * mean_ * active_weight_;
  const double b = space_.distance_square(gradient_) / 2 + losses;
  if (b > 0) result_.dual = std::max(result_.dual, a * a / (4 * b));
}

template <class Space>
bool Newton<Space>::iterate() {
  for (;; ++result_.iterations) {
    if (!evaluate() || !gradient()) return false;
    const double length = space_.norm(gradient_);
    if (result_.iterations == 0) start_norm_ = length;
    result_.gradient_norm = start_norm_ > 0 ? length / start_norm_ : 0;
    bound();
    if (result_.is_last(options_, context_)) return true;
    const double reduction =
        std::max(options_.least_reduction, std::min(0.1, std::sqrt(result_.gradient_norm)));
    Vector residual = space_.begin_direction(gradient_, direction_);
    const Ended ended =
        conjugate_gradients(space_, residual, direction_, reduction, options_.most_products);
    result_.products = space_.products();
    if (ended == Ended::stopped || !move()) return false;
  }
}

}  // namespace semblance::pairs
