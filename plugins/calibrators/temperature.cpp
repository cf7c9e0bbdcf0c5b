// SPDX-License-Identifier: MIT
#include "temperature.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "probability_method.hpp"

namespace semblance::calibrators {
namespace {

/// Reads the values of a row to be scaled.
void read_logits(std::span<const float> scores, bool probabilities, std::vector<double>& logits) {
  logits.assign(scores.begin(), scores.end());
  if (probabilities)
    for (double& p : logits) p = std::log(std::max(p, least_probability));
  const double largest = *std::ranges::max_element(logits);
  for (double& z : logits) z -= largest;
}

/// The likelihood of the true classes as a function of 1 / temperature, which is concave.
class Fit {
 public:
  Fit(const HeldOutScores& held_out, const Context& context)
      : held_out_(held_out), context_(context) {
    std::vector<double> logits;
    for (std::size_t i = 0; i < held_out.scores.rows; ++i) {
      read_logits(held_out.scores.row_span(i), held_out.probabilities, logits);
      spread_ = std::max(spread_, -*std::ranges::min_element(logits));
      rows_ += held_out.weight(i);
    }
  }

  double spread() const noexcept { return spread_; }
  double rows() const noexcept { return rows_; }

  /// The derivative of the negative log-likelihood, which is nondecreasing.
  double slope(double inverse) const {
    double sum = 0;
    each_row(inverse, [&](const auto& logits, const auto& parts, double all, std::size_t i) {
      double mean = 0;
      for (std::size_t c = 0; c < logits.size(); ++c) mean += parts[c] * logits[c];
      sum += held_out_.weight(i) * (mean / all - logits[label(i)]);
    });
    return sum;
  }

  /// The mean probability of the wrong classes.
  double doubt(double inverse) const {
    double sum = 0;
    each_row(inverse, [&](const auto&, const auto& parts, double all, std::size_t i) {
      sum += held_out_.weight(i) * (all - parts[label(i)]) / all;
    });
    return sum / rows_;
  }

  bool all_right() const {
    bool right = true;
    each_row(1, [&](const auto& logits, const auto&, double, std::size_t i) {
      right = right && (held_out_.weight(i) == 0 || logits[label(i)] == 0);
    });
    return right;
  }

 private:
  std::size_t label(std::size_t i) const { return static_cast<std::size_t>(held_out_.labels[i]); }

  template <class Body>
  void each_row(double inverse, const Body& body) const {
    context_.check_stop();
    std::vector<double> logits, parts;
    for (std::size_t i = 0; i < held_out_.scores.rows; ++i) {
      read_logits(held_out_.scores.row_span(i), held_out_.probabilities, logits);
      parts.resize(logits.size());
      double all = 0;
      for (std::size_t c = 0; c < logits.size(); ++c)
        all += parts[c] = std::exp(inverse * logits[c]);
      body(logits, parts, all, i);
    }
  }

  const HeldOutScores& held_out_;
  const Context& context_;
  double spread_ = 0;
  double rows_ = 0;  ///< by their weights
};

/// The point where a function that increases with 1 / temperature becomes positive, by bisection on
/// a logarithmic scale to the last digits.
template <class Function>
double crossing(double low, double high, const Function& function) {
  for (int n = 0; n < 200 && high / low > 1 + 1e-13; ++n) {
    const double middle = std::sqrt(low * high);
    (function(middle) > 0 ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

void scaled_softmax(std::span<const float> scores, bool probabilities, double temperature,
                    std::span<float> out) {
  thread_local std::vector<double> logits;
  read_logits(scores, probabilities, logits);
  double all = 0;
  for (double& z : logits) {
    if (z < 0) z = std::min(z / temperature, -float32_apart);
    all += z = std::exp(z);
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<float>(logits[c] / all);
}

Formula::Value scaled_softmax(Formula& formula, Formula::Value scores, bool probabilities,
                              double temperature) {
  Formula::Value logits = formula.widen(scores);
  if (probabilities)
    logits = formula.logarithm(formula.maximum(logits, formula.number(least_probability, logits)));
  const auto below = formula.subtract(logits, formula.largest(logits));
  const auto divided = formula.divide(below, formula.number(temperature, logits));
  const auto scaled = formula.where_greater(
      formula.number(0, logits), below,
      formula.minimum(divided, formula.number(-float32_apart, logits)), divided);
  return normalized(formula, formula.exponential(scaled));
}

FittedTemperature fit_temperature(const HeldOutScores& held_out, const Context& context) {
  using enum FittedTemperature::End;
  const Fit fit(held_out, context);
  if (fit.spread() == 0) return {1, hopeless};
  // The largest difference between two scores of a row is then 0.001, or 100 million.
  const double low = 1e-3 / fit.spread(), high = 1e8 / fit.spread();
  if (fit.slope(low) >= 0) return {1 / low, hopeless};
  if (fit.slope(high) <= 0 && fit.all_right()) {
    const double wanted = 1 / (fit.rows() + 2);
    return {1 / crossing(low, high, [&](double x) { return wanted - fit.doubt(x); }), separated};
  }
  return {1 / crossing(low, high, [&](double x) { return fit.slope(x); }), optimum};
}

namespace {

class Temperature final : public ProbabilityMethod {
 public:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override {
    const FittedTemperature fitted = fit_temperature(held_out, context);
    temperature_ = fitted.temperature;
    of_probabilities_ = held_out.probabilities;
    if (fitted.end == FittedTemperature::End::separated)
      context.log(LogLevel::warning,
                  "all held-out rows get the right class, so that no temperature is low enough: "
                  "the probabilities are bounded by the number of rows");
    if (fitted.end == FittedTemperature::End::hopeless)
      context.log(LogLevel::warning,
                  "the scores of held-out rows say nothing about their classes: all classes become "
                  "about equally probable");
    report.number("temperature", temperature_);
  }

  void map(std::span<const float> scores, std::span<float> probabilities) const override {
    scaled_softmax(scores, of_probabilities_, temperature_, probabilities);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return scaled_softmax(formula, in, of_probabilities_, temperature_);
  }

  void save(StateWriter& state) const override {
    state.number("temperature", temperature_);
    state.integer("of_probabilities", of_probabilities_ ? 1 : 0);
  }

  void load(const StateReader& state, std::size_t) override {
    temperature_ = state.number("temperature");
    of_probabilities_ = state.integer("of_probabilities") != 0;
    if (!std::isfinite(temperature_) || temperature_ <= 0)
      throw Error("the state has a temperature of " + std::to_string(temperature_) +
                  "; it must be above 0");
  }

 private:
  double temperature_ = 1;
  bool of_probabilities_ = false;  ///< whether its input is already probabilities
};

}  // namespace

std::unique_ptr<ProbabilityMethod> make_temperature() { return std::make_unique<Temperature>(); }

}  // namespace semblance::calibrators
