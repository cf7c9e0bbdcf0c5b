// SPDX-License-Identifier: MIT
#include "sigmoid.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::calibrators {
namespace {

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

}  // namespace

double log_sigmoid(const Sigmoid& sigmoid, double score) noexcept {
  return -softplus(sigmoid.slope * score + sigmoid.offset);
}

double log_against(const Sigmoid& sigmoid, double score) noexcept {
  return -softplus(-(sigmoid.slope * score + sigmoid.offset));
}

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

}  // namespace semblance::calibrators
