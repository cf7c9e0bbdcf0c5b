// SPDX-License-Identifier: MIT
#include "latent/power_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "latent/class_kernels.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {
namespace {

template <int Power>
float raised(float x) {
  float result = x;
  for (int i = 1; i < Power; ++i) result *= x;
  return result;
}

double power_sum(std::span<const float> c, float most, double power) {
  double sum = 0;
  for (const float x : c)
    if (x > 0) sum += std::pow(double{x} / double{most}, power);
  return sum;
}

double power_sum(std::span<const float> c, float most, int power, double exact_power) {
  if (power == 0) return power_sum(c, most, exact_power);
  return double{ml3::power_sum(c.data(), c.size(), most, power)};
}

double root(double sum, int power, double exact_power) {
  if (power == 2) return std::sqrt(sum);
  if (power == 3) return std::cbrt(sum);
  return std::pow(sum, 1 / exact_power);
}

/// The largest error of sums of `count` float32 values, in any order, relative to their magnitudes.
double sum_error(std::size_t size) { return (double(size) + 64) * 0x1p-22; }

template <int Power>
void weigh(std::span<const float> c, float most, float factor, std::span<float> beta) {
  for (std::size_t j = 0; j < c.size(); ++j)
    beta[j] = raised<Power>(std::max(c[j], 0.0f) / most) * factor;
}

}  // namespace

PowerBall::PowerBall(double p)
    : p_(p), q_(p > 1 ? p / (p - 1) : std::numeric_limits<double>::infinity()) {
  if (!(p >= 1) || !std::isfinite(p))
    throw Error("p must be at least 1 and finite, got " + std::to_string(p));
  for (int power = 2; power <= 6; ++power)
    if (std::abs(q_ - power) < 1e-9) power_ = power;
  if (p > 1) below_ = power_ != 0 ? power_ : static_cast<int>(std::min(q_, 6.0));
}

float PowerBall::score(std::span<const float> c) const {
  const float most = largest(c.data(), c.size());
  if (most <= 0 || p_ == 1) return most;
  return most * static_cast<float>(root(power_sum(c, most, power_, q_), power_, q_));
}

float PowerBall::least_score(std::span<const float> c) { return largest(c.data(), c.size()); }

double PowerBall::score_error(std::size_t size) { return 2e-5 + 4 * sum_error(size); }

void PowerBall::compare(std::span<const float> products, std::size_t models,
                        ComparedScores& compared) const {
  compared.models = models;
  compared.most = largest(products.data(), products.size());
  compared.sums.resize(products.size() / models);
  const float scale = compared.most > std::numeric_limits<float>::min() ? 1 / compared.most : 0;
  power_sums({products.data(), models, compared.sums.size()}, scale, below_, compared.sums.data());
}

double PowerBall::least_sum(const ComparedScores& compared, double limit) const {
  // Norms fall as the exponent grows, so that most sum^(1 / power) is at least the score.
  const double ratio = limit / double{compared.most};
  double raised = ratio;
  for (int k = 1; k < below_; ++k) raised *= ratio;
  const double more = 1 + double(below_ + 1) * score_error(compared.models);
  // Powers that are much smaller may have vanished.
  return ratio > 0 && raised > 1e-30 ? raised / more * (1 - 1e-9) : 0;
}

float PowerBall::weights(std::span<const float> c, std::span<float> beta) const {
  const float most = largest(c.data(), c.size());
  if (most <= 0 || p_ == 1) {
    std::fill(beta.begin(), beta.end(), 0.0f);
    if (most > 0)
      beta[static_cast<std::size_t>(std::find(c.begin(), c.end(), most) - c.begin())] = 1;
    return most;
  }
  const double norm = root(power_sum(c, most, power_, q_), power_, q_);
  double power = norm;  // q - 1, where that is whole
  for (int k = 2; k < power_; ++k) power *= norm;
  const auto factor = static_cast<float>(1 / power);
  switch (power_) {
    case 2:
      weigh<1>(c, most, factor, beta);
      break;
    case 3:
      weigh<2>(c, most, factor, beta);
      break;
    case 4:
      weigh<3>(c, most, factor, beta);
      break;
    case 5:
      weigh<4>(c, most, factor, beta);
      break;
    case 6:
      weigh<5>(c, most, factor, beta);
      break;
    default:
      for (std::size_t j = 0; j < c.size(); ++j)
        beta[j] =
            c[j] > 0 ? static_cast<float>(std::pow(double{c[j]} / double{most} / norm, q_ - 1)) : 0;
  }
  return most * static_cast<float>(norm);
}

void PowerBall::draw(Random& random, std::span<float> beta) const {
  double most = 0;
  for (float& b : beta) {
    // Above 0, so that the norm is.
    b = static_cast<float>(1e-6 - std::log(1.0 - random.uniform()));
    most = std::max(most, double{b});
  }
  double sum = 0;
  for (const float b : beta) {
    const double r = double{b} / most;
    sum += p_ == 1.5 ? r * std::sqrt(r) : std::pow(r, p_);
  }
  const double scale = 1 / (most * std::pow(sum, 1 / p_));
  for (float& b : beta) b = static_cast<float>(double{b} * scale);
}

}  // namespace semblance::ml3
