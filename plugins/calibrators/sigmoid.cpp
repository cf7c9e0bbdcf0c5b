// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "probability_method.hpp"

namespace semblance::calibrators {
namespace {

/// p(f) = 1 / (1 + exp(slope f + offset)).
struct Sigmoid {
  double slope = 0;
  double offset = 0;
};

/// ln(1 + exp(x)).
double softplus(double x) noexcept { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

/// The likelihood of one problem's targets, its scores divided by the largest.
class Likelihood {
 public:
  explicit Likelihood(const Problem& problem) : problem_(problem) {
    for (const double f : problem.scores) scale_ = std::max(scale_, std::abs(f));
    if (scale_ == 0) scale_ = 1;
    for (std::size_t i = 0; i < problem.scores.size(); ++i)
      (problem.positive[i] ? positives_ : negatives_) += problem.weights[i];
    high_ = (positives_ + 1) / (positives_ + 2);
    low_ = 1 / (negatives_ + 2);
  }

  double scale() const noexcept { return scale_; }
  double rows() const noexcept { return positives_ + negatives_; }
  /// The share of rows in the class, whatever the score.
  Sigmoid start() const noexcept { return {0, std::log((negatives_ + 1) / (positives_ + 1))}; }

  /// Negative, to be minimized: the cross-entropy of targets and probabilities.
  double value(const Sigmoid& s) const {
    double sum = 0;
    for (std::size_t i = 0; i < problem_.scores.size(); ++i) {
      const double x = s.slope * score(i) + s.offset;
      sum += problem_.weights[i] * (target(i) * x + softplus(-x));
    }
    return sum;
  }

  struct Derivatives {
    double slope = 0, offset = 0;
    double slopes = 0, offsets = 0, mixed = 0;
  };
  Derivatives derivatives(const Sigmoid& s) const {
    Derivatives d;
    for (std::size_t i = 0; i < problem_.scores.size(); ++i) {
      const double f = score(i), x = s.slope * f + s.offset;
      const double p = 1 / (1 + std::exp(x)), weight = problem_.weights[i];
      const double curvature = weight * p * (1 - p), residual = weight * (target(i) - p);
      d.slopes += f * f * curvature;
      d.offsets += curvature;
      d.mixed += f * curvature;
      d.slope += f * residual;
      d.offset += residual;
    }
    return d;
  }

 private:
  double score(std::size_t i) const noexcept { return problem_.scores[i] / scale_; }
  double target(std::size_t i) const noexcept { return problem_.positive[i] ? high_ : low_; }

  const Problem& problem_;
  double scale_ = 0;
  double positives_ = 0, negatives_ = 0;
  double high_ = 1, low_ = 0;
};

/// Platt, Probabilistic outputs for support vector machines, 1999: the sigmoid of largest
/// likelihood for the targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2); by Newton's method with
/// backtracking, as Lin, Lin and Weng, A note on Platt's probabilistic outputs for support vector
/// machines, 2007, algorithm 1. Deterministic.
Sigmoid fit_sigmoid(const Problem& problem, const Context& context) {
  constexpr int most_steps = 200;
  constexpr double ridge = 1e-12, smallest_step = 1e-10, enough = 1e-4;
  const Likelihood likelihood(problem);
  const double tolerance = 1e-10 * std::max(1.0, likelihood.rows());
  Sigmoid at = likelihood.start();
  double value = likelihood.value(at);
  for (int n = 0; n < most_steps; ++n) {
    context.check_stop();
    const auto d = likelihood.derivatives(at);
    if (std::abs(d.slope) < tolerance && std::abs(d.offset) < tolerance) break;
    const double slopes = d.slopes + ridge, offsets = d.offsets + ridge;
    const double determinant = slopes * offsets - d.mixed * d.mixed;
    const Sigmoid step = {-(offsets * d.slope - d.mixed * d.offset) / determinant,
                          -(slopes * d.offset - d.mixed * d.slope) / determinant};
    const double descent = d.slope * step.slope + d.offset * step.offset;
    double length = 1;
    for (; length >= smallest_step; length /= 2) {
      const Sigmoid next = {at.slope + length * step.slope, at.offset + length * step.offset};
      const double there = likelihood.value(next);
      if (there < value + enough * length * descent) {
        at = next;
        value = there;
        break;
      }
    }
    // The remaining gain is below rounding.
    if (length < smallest_step) break;
  }
  return {at.slope / likelihood.scale(), at.offset};
}

/// ln of the sigmoid of x, written down: -ln(1 + exp x).
Formula::Value log_of_sigmoid(Formula& formula, Formula::Value x) {
  const auto zero = formula.number(0, x), one = formula.number(1, x);
  const auto small = formula.exponential(formula.subtract(zero, formula.absolute(x)));
  const auto softplus =
      formula.add(formula.maximum(x, zero), formula.logarithm(formula.add(one, small)));
  return formula.subtract(zero, softplus);
}

class Sigmoids final : public ProbabilityMethod {
 public:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override {
    const std::size_t count = held_out.classes.size();
    Table table{"sigmoids", "class", "", {}, {"slope", "offset"}, {}};
    slopes_.clear();
    offsets_.clear();
    std::string reversed;
    for (std::size_t p = 0; p < problem_count(count); ++p) {
      const Problem problem = problem_of(held_out, p);
      Sigmoid found = fit_sigmoid(problem, context);
      const bool falls = found.slope > 0;
      if (falls) found = Likelihood(problem).start();
      slopes_.push_back(found.slope);
      offsets_.push_back(found.offset);
      const std::string& name = held_out.classes[class_of_problem(p, count)];
      table.rows.push_back(name);
      table.values.insert(table.values.end(), {found.slope, found.offset});
      if (falls) reversed += (reversed.empty() ? "'" : ", '") + name + "'";
    }
    if (!reversed.empty())
      context.log(LogLevel::warning,
                  "held-out rows with a larger score are less likely to be of the class (" +
                      reversed +
                      "), so they all get its share of rows as probability: the solver says "
                      "nothing about it, or there are too few rows");
    report.table(table);
  }

  void map(std::span<const float> scores, std::span<float> probabilities) const override {
    if (scores.size() == 2) {
      const double x = argument(scores, 0);
      probabilities[0] = static_cast<float>(std::exp(-softplus(-x)));
      probabilities[1] = static_cast<float>(std::exp(-softplus(x)));
      return;
    }
    // Divided by the largest, so that not all of them can become 0.
    thread_local std::vector<double> shares;
    shares.resize(scores.size());
    for (std::size_t c = 0; c < shares.size(); ++c) shares[c] = -softplus(argument(scores, c));
    const double largest = *std::ranges::max_element(shares);
    for (double& share : shares) share = std::isfinite(largest) ? std::exp(share - largest) : 0;
    normalize(shares, probabilities);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto slopes = formula.constant(std::span<const double>(slopes_)),
               offsets = formula.constant(std::span<const double>(offsets_));
    const auto x = formula.add(formula.multiply(problem_scores(formula, in), slopes), offsets);
    if (formula.width(in) != 2) {
      // Values proportional to the probabilities, 1 for the largest.
      const auto logarithms = log_of_sigmoid(formula, x);
      return normalized(
          formula, formula.exponential(formula.subtract(logarithms, formula.largest(logarithms))));
    }
    const auto against = formula.subtract(formula.number(0, x), x);
    const Formula::Value both[] = {formula.exponential(log_of_sigmoid(formula, against)),
                                   formula.exponential(log_of_sigmoid(formula, x))};
    return formula.narrow(formula.concatenate(both));
  }

  void save(StateWriter& state) const override {
    state.doubles("slopes", slopes_);
    state.doubles("offsets", offsets_);
  }

  void load(const StateReader& state, std::size_t classes) override {
    const auto finite = [](double v) { return std::isfinite(v); };
    slopes_ = state.doubles("slopes");
    offsets_ = state.doubles("offsets");
    if (slopes_.size() != problem_count(classes) || offsets_.size() != slopes_.size())
      throw Error("the state has sigmoids for a different number of classes");
    if (!std::ranges::all_of(slopes_, finite) || !std::ranges::all_of(offsets_, finite))
      throw Error("the state has a sigmoid that is not finite");
  }

 private:
  double argument(std::span<const float> scores, std::size_t problem) const {
    return slopes_[problem] * problem_score(scores, problem) + offsets_[problem];
  }

  std::vector<double> slopes_, offsets_;  ///< one per problem
};

}  // namespace

std::unique_ptr<ProbabilityMethod> make_sigmoid() { return std::make_unique<Sigmoids>(); }

}  // namespace semblance::calibrators
