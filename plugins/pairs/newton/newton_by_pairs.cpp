// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/pair_sums.hpp"
#include "newton/double_products.hpp"
#include "newton/line_minimum.hpp"
#include "newton/newton.hpp"
#include "newton/pair_gram.hpp"
#include "semblance/collectives.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t pairs_a_part = 1 << 14;

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

PairColumns columns(const PairTable& table) {
  std::vector<std::int32_t> first, second;
  first.reserve(table.size()), second.reserve(table.size());
  for (std::size_t i = 0; i < table.examples(); ++i)
    for (std::size_t p = table.start(i); p < table.start(i + 1); ++p) {
      first.push_back(static_cast<std::int32_t>(i));
      second.push_back(static_cast<std::int32_t>(table.other(i, p)));
    }
  return {std::move(first), std::move(second)};
}

/// multiple w + sum_A x_p Phi_p, with its values at the pairs of A and its inner product with w.
struct Vector {
  double multiple = 0;
  std::vector<double> x, values;
  double with_w = 0;

  double norm_square() const { return inner(x, values) + multiple * with_w; }
};

class NewtonByPairs {
 public:
  NewtonByPairs(const PairKernelSum& sum, MatrixView standard, const LabelledPairs& pairs,
                const NewtonOptions& options, Context& context)
      : options_(options),
        context_(context),
        columns_(columns(pairs.table)),
        exact_(sum, standard, columns_),
        gram_(sum, standard, context),
        f_(columns_.size()),
        change_(columns_.size()) {
    result_.coefficients.assign(columns_.size(), 0);
    for (std::size_t i = 0; i < pairs.table.examples(); ++i)
      for (std::size_t p = pairs.table.start(i); p < pairs.table.start(i + 1); ++p)
        labels_.push_back(pairs.label(i, pairs.table.other(i, p), p) > 0 ? 1 : -1);
  }

  NewtonSolution run() {
    if (!iterate()) result_.certificate = stop_certificate(context_);
    return std::move(result_);
  }

 private:
  double weight(std::size_t p) const { return options_.weights.of(labels_[p]); }
  double slack(std::size_t p) const { return 1 - labels_[p] * (f_[p] + result_.bias); }
  /// All ranks learn of a request here and nowhere else.
  bool stopped() {
    if (context_.collectives().ranks() > 1) context_.collectives().any(false);
    return context_.stop_requested() != StopReason::none;
  }

  /// Sums of body(p) for all pairs, by pieces, added up in order.
  template <class Body>
  Slopes sum(const Body& body) const {
    std::vector<Slopes> parts((f_.size() + pairs_a_part - 1) / pairs_a_part);
    context_.parallel_for(parts.size(), [&](std::size_t b) {
      const std::size_t end = std::min(f_.size(), (b + 1) * pairs_a_part);
      for (std::size_t p = b * pairs_a_part; p < end; ++p) body(p, parts[b]);
    });
    Slopes total;
    for (const Slopes& part : parts) total.first += part.first, total.second += part.second;
    return total;
  }

  bool iterate();
  void evaluate();
  void find_active();
  bool bound();
  bool direction(double reduction);
  bool move();

  const NewtonOptions& options_;
  Context& context_;
  PairColumns columns_;
  PairSums exact_;
  PairGram gram_;
  std::vector<signed char> labels_;
  std::vector<double> f_, change_;     // <w, Phi_p>, and <step, Phi_p>
  std::vector<std::uint32_t> active_;  // A: the pairs with a loss
  std::vector<double> w_values_;       // f of A
  std::vector<double> weights_;        // u of A
  double total_weight_ = 0;            // of A
  std::vector<double> residual_;       // 2C u y slack of A: the gradient is w - sum_A residual Phi
  std::vector<double> residual_values_;
  double square_ = 0;  // |w|^2
  Vector step_;
  double start_norm_ = 0;  // of the first gradient
  NewtonSolution result_;
};

/// The best bias, and the objective.
void NewtonByPairs::evaluate() {
  result_.bias = line_minimum(result_.bias, [&](double t) {
    return sum([&](std::size_t p, Slopes& s) {
      const double y = labels_[p], slack = 1 - y * (f_[p] + t);
      if (slack > 0) s.first -= weight(p) * (y * slack), s.second += weight(p);
    });
  });
  const Slopes sums = sum([&](std::size_t p, Slopes& s) {
    s.first += result_.coefficients[p] * f_[p];
    if (const double loss = slack(p); loss > 0) s.second += weight(p) * (loss * loss);
  });
  square_ = sums.first;
  result_.objective = square_ / 2 + options_.cost * sums.second;
}

void NewtonByPairs::find_active() {
  active_.clear();
  w_values_.clear(), residual_.clear(), weights_.clear();
  total_weight_ = 0;
  std::vector<std::int32_t> first, second;
  double total = 0;
  for (std::uint32_t p = 0; p < f_.size(); ++p) {
    const double loss = slack(p);
    if (!(loss > 0)) continue;
    active_.push_back(p);
    first.push_back(columns_.first()[p]);
    second.push_back(columns_.second()[p]);
    w_values_.push_back(f_[p]);
    weights_.push_back(weight(p));
    total_weight_ += weights_.back();
    residual_.push_back(weights_.back() * (2 * options_.cost * labels_[p] * loss));
    total += residual_.back();
  }
  result_.active = active_.size();
  // The best bias makes this mean 0, but for rounding.
  for (std::size_t k = 0; k < residual_.size(); ++k)
    residual_[k] -= weights_[k] * (total / total_weight_);
  gram_.set_pairs(std::move(first), std::move(second));
}

/// The dual objective at t residual is t a - t^2 b, with a = sum |residual_p| and b = 1/2 |sum
/// residual_p Phi_p|^2 + sum residual_p^2 / 4uC: at most a^2 / 4b. And the gradient's length.
bool NewtonByPairs::bound() {
  std::fill(change_.begin(), change_.end(), 0.0);
  if (!exact_.add(active_, residual_, change_, context_, true)) return false;
  residual_values_.clear();
  for (const std::uint32_t p : active_) residual_values_.push_back(change_[p]);
  double a = 0, losses = 0;
  for (std::size_t k = 0; k < residual_.size(); ++k) {
    a += std::abs(residual_[k]);
    losses += residual_[k] * residual_[k] / weights_[k];
  }
  const double square = inner(residual_, residual_values_);
  const double b = square / 2 + losses / (4 * options_.cost);
  if (b > 0) result_.dual = std::max(result_.dual, a * a / (4 * b));
  const double length =
      std::sqrt(std::max(0.0, square_ - 2 * inner(residual_, w_values_) + square));
  if (result_.iterations == 0) start_norm_ = length;
  result_.gradient_norm = start_norm_ > 0 ? length / start_norm_ : 0;
  return !stopped();
}

/// Conjugate gradients for H step = -gradient with H = I + 2C sum_A u (Phi - mean)(Phi - mean)',
/// until the residual is `reduction` times as large.
bool NewtonByPairs::direction(double reduction) {
  const std::size_t count = active_.size();
  Vector r{-1, residual_, std::vector<double>(count), inner(residual_, w_values_) - square_};
  for (std::size_t k = 0; k < count; ++k) r.values[k] = residual_values_[k] - w_values_[k];
  Vector p = r;
  step_ = {0, std::vector<double>(count), {}, 0};
  std::vector<double> image(count);
  double rho = r.norm_square();
  const double goal = reduction * reduction * rho;
  for (std::size_t k = 0; k < options_.most_products && rho > goal; ++k) {
    double mean = 0, spread = 0;
    for (std::size_t i = 0; i < count; ++i) mean += weights_[i] * p.values[i] / total_weight_;
    for (std::size_t i = 0; i < count; ++i) {
      const double from_mean = p.values[i] - mean;
      image[i] = p.x[i] + 2 * options_.cost * (weights_[i] * from_mean);
      spread += weights_[i] * (from_mean * from_mean);
    }
    const double alpha = rho / (p.norm_square() + 2 * options_.cost * spread);
    step_.multiple += alpha * p.multiple;
    add_scaled(alpha, p.x.data(), step_.x.data(), count);
    r.multiple -= alpha * p.multiple;
    add_scaled(-alpha, image.data(), r.x.data(), count);
    gram_.multiply(r.x, r.values);
    if (stopped()) return false;
    ++result_.products;
    add_scaled(r.multiple, w_values_.data(), r.values.data(), count);
    r.with_w = inner(r.x, w_values_) + r.multiple * square_;
    const double before = rho;
    rho = r.norm_square();
    if (!(rho > 0)) break;  // rounding has taken over
    const double beta = rho / before;
    p.multiple = r.multiple + beta * p.multiple;
    p.with_w = r.with_w + beta * p.with_w;
    for (std::size_t i = 0; i < count; ++i) {
      p.x[i] = r.x[i] + beta * p.x[i];
      p.values[i] = r.values[i] + beta * p.values[i];
    }
  }
  return true;
}

/// Moves to the minimum along the step, with the corresponding bias.
bool NewtonByPairs::move() {
  std::fill(change_.begin(), change_.end(), 0.0);
  if (!exact_.add(active_, step_.x, change_, context_, true)) return false;
  const double multiple = step_.multiple, with_w = inner(step_.x, w_values_);
  double square = 2 * multiple * with_w + multiple * multiple * square_, shift = 0;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    square += step_.x[k] * change_[active_[k]];
    shift -= weights_[k] * (change_[active_[k]] + multiple * w_values_[k]);
  }
  if (!active_.empty()) shift /= total_weight_;
  for (std::size_t p = 0; p < f_.size(); ++p) change_[p] += multiple * f_[p];
  const double ws = with_w + multiple * square_;
  const double t = line_minimum(1, [&](double at) {
    const Slopes sums = sum([&](std::size_t p, Slopes& s) {
      const double u = labels_[p] * (change_[p] + shift), loss = slack(p) - at * u;
      if (loss > 0) s.first -= weight(p) * (loss * u), s.second += weight(p) * (u * u);
    });
    return Slopes{ws + at * square + 2 * options_.cost * sums.first,
                  square + 2 * options_.cost * sums.second};
  });
  if (stopped()) return false;
  for (std::size_t p = 0; p < f_.size(); ++p) {
    f_[p] += t * change_[p];
    result_.coefficients[p] *= 1 + t * multiple;
  }
  for (std::size_t k = 0; k < active_.size(); ++k)
    result_.coefficients[active_[k]] += t * step_.x[k];
  result_.bias += t * shift;
  return true;
}

bool NewtonByPairs::iterate() {
  for (;; ++result_.iterations) {
    evaluate();
    find_active();
    if (stopped() || !bound()) return false;
    if (result_.is_last(options_, context_)) return true;
    if (!direction(std::min(0.1, std::sqrt(result_.gradient_norm))) || !move()) return false;
  }
}

}  // namespace

NewtonSolution minimise_by_pairs(const PairKernelSum& sum, MatrixView standard,
                                 const LabelledPairs& pairs, const NewtonOptions& options,
                                 Context& context) {
  return NewtonByPairs(sum, standard, pairs, options, context).run();
}

}  // namespace semblance::pairs
