// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "newton/double_products.hpp"
#include "newton/line_minimum.hpp"
#include "newton/newton.hpp"
#include "newton/pair_preconditioner.hpp"
#include "newton/pair_products.hpp"

namespace semblance::pairs {
namespace {

double norm(const std::vector<double>& v) { return std::sqrt(dot(v.data(), v.data(), v.size())); }

class NewtonByWeights {
 public:
  NewtonByWeights(const PairSpace& space, const LabelledPairs& pairs, const PairShares& shares,
                  const NewtonOptions& options, Context& context)
      : pairs_(pairs),
        shares_(shares),
        options_(options),
        context_(context),
        exact_(space, shares, context),
        fast_(space, shares, context),
        preconditioner_(space, options.cost, context),
        first_own_{0} {
    result_.w.assign(space.dimension(), 0);
    for (const std::size_t b : shares.own())
      first_own_.push_back(first_own_.back() + end_pair(b) - first_pair(b));
    weights_.resize(shares.own().size());
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
  /// The start of the data of an own block's pairs.
  std::size_t place(std::size_t block) const { return first_own_[shares_.index(block)]; }
  std::span<float> slacks(std::size_t block) { return of(slack_, block); }
  std::span<float> steps(std::size_t block) { return of(step_, block); }
  std::span<float> of(std::vector<float>& values, std::size_t block) {
    return std::span(values).subspan(place(block), end_pair(block) - first_pair(block));
  }
  /// body(i, j, p, its number among the block's) for the pairs of a block.
  template <class Body>
  void each(std::size_t block, const Body& body) const {
    const std::size_t from = first_pair(block);
    for (std::size_t i = shares_.first(block); i < shares_.end(block); ++i) {
      const std::size_t start = pairs_.table.start(i), end = pairs_.table.start(i + 1);
      for (std::size_t p = start; p < end; ++p) body(i, pairs_.table.other(i, p), p, p - from);
    }
  }
  /// u of a pair.
  double weight(std::size_t i, std::size_t j, std::size_t p) const {
    return options_.weights.of(pairs_.label(i, j, p) > 0 ? 1 : -1);
  }
  double divisor() const noexcept { return active_weight_ > 0 ? active_weight_ : 1; }
  /// body(a pair's number among the block's, its u); labels are looked up only where u differ.
  template <class Body>
  void each_weight(std::size_t block, const Body& body) const {
    const double same = options_.weights.same;
    if (options_.weights.equal()) {
      const std::size_t count = end_pair(block) - first_pair(block);
      for (std::size_t k = 0; k < count; ++k) body(k, same);
    } else {
      each(block, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
        body(k, weight(i, j, p));
      });
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
  bool direction(double reduction);
  bool hessian_product(const std::vector<double>& v, std::vector<double>& out);
  bool move();

  const LabelledPairs& pairs_;
  const PairShares& shares_;
  const NewtonOptions& options_;
  Context& context_;
  PairProducts<double> exact_;
  PairProducts<float> fast_;
  PairPreconditioner preconditioner_;
  std::vector<std::size_t> first_own_;  // pair of each own block, and their number
  std::vector<float> slack_;            // 1 - y f, of each own pair
  std::vector<float> step_;             // y times the change of f along the step
  PairTable active_;                    // of the own pairs
  double active_weight_ = 0;            // of all active pairs
  double active_labels_ = 0;            // sum of their weighted labels
  double mean_ = 0;                     // of their labels times slacks: 0, but for rounding
  std::vector<std::vector<float>>
      weights_;                     // of the active pairs of each own block, if they differ
  std::vector<double> active_sum_;  // of the active pairs' features, weighted
  std::vector<double> gradient_, direction_;
  double start_norm_ = 0;  // of the first gradient
  NewtonSolution result_;
};

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

/// The slacks at w, the best bias, and the objective.
bool NewtonByWeights::evaluate() {
  if (!exact_.set_point(result_.w)) return false;
  std::vector<Rounded> lost(shares_.own().size());
  const bool through = for_own([&](std::size_t b) {
    const std::span<float> slack = slacks(b);
    std::vector<double> f(slack.size());
    exact_.values(b, pairs_.table, f.data());
    each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
      const double y = pairs_.label(i, j, p), exact = 1 - y * (f[k] + result_.bias);
      slack[k] = static_cast<float>(exact);
      lost[shares_.index(b)].add(weight(i, j, p), y, exact, double{slack[k]});
    });
  });
  if (!through) return false;
  const Rounded before = total(std::move(lost));
  const double bias = result_.bias;
  const double rounded = center_bias() + before.by_slack - (result_.bias - bias) * before.by_bias;
  const double losses = reduce<double>([&](std::size_t b) {
    double sum = 0;
    const std::span<const float> slacks = this->slacks(b);
    each_weight(b, [&](std::size_t k, double u) {
      if (slacks[k] > 0) sum += u * (double(slacks[k]) * slacks[k]);
    });
    return sum;
  });
  result_.objective = dot(result_.w.data(), result_.w.data(), result_.w.size()) / 2 +
                      options_.cost * (losses + rounded);
  return true;
}

/// Returns the effect of rounding the slacks on the losses.
double NewtonByWeights::center_bias() {
  const double shift = line_minimum(0, [&](double t) {
    const auto sums = reduce<Totals>([&](std::size_t b) {
      Totals sum;
      const std::span<const float> slacks = this->slacks(b);
      each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
        const double y = pairs_.label(i, j, p), slack = slacks[k] - y * t;
        const double u = weight(i, j, p);
        if (slack > 0) sum.first -= u * (y * slack), sum.second += u;
      });
      return sum;
    });
    return Slopes{sums.first, sums.second};
  });
  result_.bias += shift;
  return reduce<Rounded>([&](std::size_t b) {
           Rounded lost;
           const std::span<float> slack = slacks(b);
           each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
             const double y = pairs_.label(i, j, p), exact = slack[k] - y * shift;
             slack[k] = static_cast<float>(exact);
             lost.add(weight(i, j, p), y, exact, double{slack[k]});
           });
           return lost;
         })
      .by_slack;
}

void NewtonByWeights::find_active() {
  std::vector<std::size_t> starts(pairs_.table.examples() + 1);
  context_.parallel_for(shares_.own().size(), [&](std::size_t own) {
    const std::span<const float> slack = slacks(shares_.own()[own]);
    each(shares_.own()[own], [&](std::size_t i, std::size_t, std::size_t, std::size_t k) {
      if (slack[k] > 0) ++starts[i + 1];
    });
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> others(starts.back());
  context_.parallel_for(shares_.own().size(), [&](std::size_t own) {
    const std::size_t b = shares_.own()[own];
    const std::span<const float> slack = slacks(b);
    std::size_t at = starts[shares_.first(b)];
    each(b, [&](std::size_t, std::size_t j, std::size_t, std::size_t k) {
      if (slack[k] > 0) others[at++] = static_cast<std::uint32_t>(j);
    });
  });
  active_ = PairTable(std::move(starts), std::move(others));
}

/// The gradient by w, with the bias at its best; and the sum of the active pairs' features.
bool NewtonByWeights::gradient() {
  find_active();
  const auto sums = reduce<Totals>([&](std::size_t b) {
    Totals sum;
    const std::span<const float> slack = slacks(b);
    each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
      if (!(slack[k] > 0)) return;
      const double u = weight(i, j, p), y = pairs_.label(i, j, p);
      sum.first += u * (y * slack[k]), sum.second += u, sum.count += 1, sum.labels += u * y;
    });
    return sum;
  });
  result_.active = static_cast<std::size_t>(sums.count);
  active_weight_ = sums.second;
  active_labels_ = sums.labels;
  mean_ = result_.active > 0 ? sums.first / sums.second : 0;
  exact_.begin_sum(false);
  fast_.begin_sum(true);
  const bool through = for_own([&](std::size_t b) {
    const std::span<const float> slack = slacks(b);
    std::vector<double> coefficients;
    std::vector<float> weights;
    each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
      if (!(slack[k] > 0)) return;
      const double u = weight(i, j, p);
      coefficients.push_back(u * (pairs_.label(i, j, p) * slack[k] - mean_));
      weights.push_back(static_cast<float>(u));
    });
    exact_.add(b, active_, coefficients.data());
    fast_.add(b, active_, weights.data());
    if (!options_.weights.equal()) weights_[shares_.index(b)] = std::move(weights);
  });
  if (!through || !exact_.end_sum(gradient_) || !fast_.end_sum(active_sum_)) return false;
  for (std::size_t k = 0; k < gradient_.size(); ++k)
    gradient_[k] = result_.w[k] - 2 * options_.cost * gradient_[k];
  return true;
}

/// out = H v with H = I + 2C sum_A u (Phi - mean)(Phi - mean)'.
bool NewtonByWeights::hessian_product(const std::vector<double>& v, std::vector<double>& out) {
  const auto mean = static_cast<float>(dot(active_sum_.data(), v.data(), v.size()) / divisor());
  if (!fast_.set_point(v)) return false;
  fast_.begin_sum(false);
  const bool through = for_own([&](std::size_t b) {
    std::vector<float> f(active_.start(shares_.end(b)) - active_.start(shares_.first(b)));
    fast_.values(b, active_, f.data());
    const std::vector<float>& weights = weights_[shares_.index(b)];
    const auto same = static_cast<float>(options_.weights.same);
    for (std::size_t k = 0; k < f.size(); ++k)
      f[k] = (weights.empty() ? same : weights[k]) * (f[k] - mean);
    fast_.add(b, active_, f.data());
  });
  if (!through || !fast_.end_sum(out)) return false;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = v[k] + 2 * options_.cost * out[k];
  ++result_.products;
  return true;
}

/// Conjugate gradients for H s = -gradient, until the residual is `reduction` times as large.
bool NewtonByWeights::direction(double reduction) {
  preconditioner_.update(active_weight_, fast_.degrees(), active_sum_);
  std::vector<double> residual(gradient_.size()), z, image;
  const double goal = reduction * norm(gradient_);
  for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = -gradient_[k];
  direction_.assign(residual.size(), 0);
  preconditioner_.apply(residual, z);
  std::vector<double> p = z;
  double rho = dot(residual.data(), z.data(), z.size());
  for (std::size_t k = 0; k < options_.most_products && norm(residual) > goal; ++k) {
    if (!hessian_product(p, image)) return false;
    const double alpha = rho / dot(p.data(), image.data(), p.size());
    add_scaled(alpha, p.data(), direction_.data(), p.size());
    add_scaled(-alpha, image.data(), residual.data(), p.size());
    preconditioner_.apply(residual, z);
    const double before = rho;
    rho = dot(residual.data(), z.data(), z.size());
    if (!(rho > 0)) break;  // rounding has taken over
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + rho / before * p[i];
  }
  return true;
}

/// Moves to the minimum along the direction, with the corresponding bias.
bool NewtonByWeights::move() {
  const double shift = -dot(active_sum_.data(), direction_.data(), direction_.size()) / divisor();
  if (!fast_.set_point(direction_)) return false;
  const bool through = for_own([&](std::size_t b) {
    const std::span<float> step = steps(b);
    fast_.values(b, pairs_.table, step.data());
    each(b, [&](std::size_t i, std::size_t j, std::size_t p, std::size_t k) {
      step[k] = static_cast<float>(pairs_.label(i, j, p) * (step[k] + shift));
    });
  });
  if (!through) return false;
  const std::vector<double>&w = result_.w, &s = direction_;
  const double ws = dot(w.data(), s.data(), w.size()), ss = dot(s.data(), s.data(), w.size());
  const double t = line_minimum(1, [&](double at) {
    const auto sums = reduce<Totals>([&](std::size_t b) {
      Totals sum;
      const std::span<const float> slacks = this->slacks(b), steps = this->steps(b);
      each_weight(b, [&](std::size_t k, double u) {
        const double change = steps[k], slack = slacks[k] - at * change;
        if (!(slack > 0)) return;
        sum.first -= u * (slack * change), sum.second += u * (change * change);
      });
      return sum;
    });
    return Slopes{ws + at * ss + 2 * options_.cost * sums.first,
                  ss + 2 * options_.cost * sums.second};
  });
  add_scaled(t, s.data(), result_.w.data(), s.size());
  result_.bias += t * shift;
  return true;
}

/// The dual objective at t gamma is t a - t^2 b, with a = sum y_p gamma_p and b = 1/2 |sum gamma_p
/// Phi_p|^2 + sum gamma_p^2 / 4uC: at most a^2 / 4b. The gammas must sum to 0, so their mean is
/// subtracted.
void NewtonByWeights::bound() {
  const double c = options_.cost;
  const auto sums = reduce<Totals>([&](std::size_t b) {
    Totals sum;
    const std::span<const float> slacks = this->slacks(b);
    each_weight(b, [&](std::size_t k, double u) {
      const double slack = slacks[k];
      if (!(slack > 0)) return;
      sum.first += u * (2 * c * slack), sum.second += u * (c * slack * slack);
    });
    return sum;
  });
  const double a = sums.first - 2 * c * mean_ * active_labels_;
  const double losses = sums.second - c * mean_ * mean_ * active_weight_;
  double square = 0;
  for (std::size_t k = 0; k < gradient_.size(); ++k) {
    const double x = result_.w[k] - gradient_[k];
    square += x * x;
  }
  const double b = square / 2 + losses;
  if (b > 0) result_.dual = std::max(result_.dual, a * a / (4 * b));
}

bool NewtonByWeights::iterate() {
  for (;; ++result_.iterations) {
    if (!evaluate() || !gradient()) return false;
    const double length = norm(gradient_);
    if (result_.iterations == 0) start_norm_ = length;
    result_.gradient_norm = start_norm_ > 0 ? length / start_norm_ : 0;
    bound();
    if (result_.is_last(options_, context_)) return true;
    if (!direction(std::min(0.1, std::sqrt(result_.gradient_norm))) || !move()) return false;
  }
}

}  // namespace

NewtonSolution minimise_by_weights(const PairSpace& space, const LabelledPairs& pairs,
                                   const PairShares& shares, const NewtonOptions& options,
                                   Context& context) {
  use_one_blas_thread();
  return NewtonByWeights(space, pairs, shares, options, context).run();
}

}  // namespace semblance::pairs
