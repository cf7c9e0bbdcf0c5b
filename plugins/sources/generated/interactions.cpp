// SPDX-License-Identifier: MIT
#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "generated/drawn_source.hpp"

namespace semblance::sources {
namespace {

/// The density at t > 0 of the magnitude of a sum of products of two independent standard normal
/// numbers each: the sum has a variance-gamma distribution.
double magnitude_density(double t, std::size_t products) {
  const double half = static_cast<double>(products) / 2, order = half - 0.5;
  if (t > 700) return 0;  // smaller than any number, and beyond the Bessel function's range
  // Nearer to 0 the Bessel function may overflow; its product with the power is constant there.
  if (order > 0) t = std::max(t, 1e-8);
  return 2 * std::pow(t / 2, order) * std::cyl_bessel_k(order, t) /
         (std::sqrt(std::numbers::pi) * std::tgamma(half));
}

/// The error of the best classifier where a sum f of products means a class with the probability
/// 1 / (1 + exp(-f / scale)): the mean of 1 / (1 + exp(|f| / scale)), by quadrature.
double logistic_error(double scale, std::size_t products) {
  boost::math::quadrature::exp_sinh<double> quadrature;
  const auto integrand = [&](double t) {
    const double density = magnitude_density(t, products);
    return density > 0 ? density / (1 + std::exp(t / scale)) : 0.0;
  };
  return quadrature.integrate(integrand, 0.0, std::numeric_limits<double>::infinity());
}

/// The scale at which the best classifier has this error, which is between 0 and 1/2.
double scale_for(double error, std::size_t products) {
  double low = 1e-6, high = 1e6;  // errors below 1e-5 and of almost 1/2
  for (int step = 0; step < 100; ++step) {
    const double middle = std::sqrt(low * high);
    (logistic_error(middle, products) < error ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

/// What rows are drawn from.
struct InteractionRule {
  std::size_t numeric = 0;
  std::size_t pairs = 0;
  /// For each group of indicators, the share of the rows with one of its first levels.
  std::vector<std::vector<double>> shares;
  double flipped = 0;  ///< the share of labels that are exchanged
  double scale = 0;    ///< of a logistic probability of the classes; 0: the sign decides

  /// Draws the values of a row, and returns its class.
  std::int32_t draw(Random& random, std::span<float> row) const {
    for (std::size_t c = 0; c < numeric; ++c) row[c] = static_cast<float>(random.normal());
    std::vector<double> signs(pairs, 1);
    std::size_t first = numeric;
    for (std::size_t g = 0; g < shares.size(); ++g) {
      const auto indicators = row.subspan(first, shares[g].size());
      std::ranges::fill(indicators, 0.0f);
      const auto level = static_cast<std::size_t>(
          std::ranges::upper_bound(shares[g], random.uniform()) - shares[g].begin());
      indicators[level] = 1;
      if (level % 2 == 1) signs[g % pairs] *= -1;
      first += indicators.size();
    }
    double sum = 0;
    for (std::size_t p = 0; p < pairs; ++p) sum += signs[p] * row[2 * p] * row[2 * p + 1];
    const double drawn = random.uniform();
    if (scale > 0) return drawn < 1 / (1 + std::exp(-sum / scale)) ? 1 : 0;
    return (sum > 0) != (drawn < flipped) ? 1 : 0;
  }
};

/// Two classes that products of columns decide, with a known Bayes error.
class Interactions final : public RowByRowSource {
 public:
  Interactions() : RowByRowSource(1000, 1000) {}

  static Declaration<Interactions> declare() {
    Declaration<Interactions> declaration(
        "source/interactions",
        "Generated rows of two classes that products of columns decide, with a known Bayes error");
    declaration
        .parameter("numeric", &Interactions::numeric_,
                   "numeric columns, of the standard normal distribution", at_least(2),
                   at_most(1e5))
        .parameter("pairs", &Interactions::pairs_,
                   "pairs of numeric columns whose products decide the class", at_least(1),
                   at_most(30))
        .parameter("indicators", &Interactions::indicators_,
                   "levels of each category; a category is a group of columns of which one is 1 "
                   "and the others are 0",
                   at_least(2), at_most(1e5))
        .parameter("bayes_error", &Interactions::bayes_error_,
                   "the error of the best classifier: no other can have less", at_least(0),
                   below(0.5))
        .parameter("noise", &Interactions::noise_,
                   "flipped: each label is exchanged with this probability; logistic: the classes "
                   "overlap near the boundary",
                   choices({"flipped", "logistic"}));
    declare_sizes(declaration, "rows", 1e8);
    return declaration.gives(LayoutKind::vector)
        .random()
        .documentation(
            "The columns are the numeric ones, then those of each category. The class depends on f "
            "= s1 x1 x2 + s2 x3 x4 + ..., a sum over `pairs`; all other numeric columns are "
            "irrelevant. The signs s are 1, except that the first category changes that of the "
            "first pair at its levels 2, 4, 6, ..., the second category that of the second pair, "
            "and so on, from the first pair again after the last. The share of a category's level "
            "k is proportional to 1 / k. f is symmetric about 0 and independent of the categories, "
            "so both classes are equally probable, and the best classifier is the sign of f.\n"
            "\n"
            "With `noise: flipped` class 1 has the probability 1 - bayes_error where f > 0 and "
            "bayes_error elsewhere, so the best classifier has exactly this error. With `noise: "
            "logistic` the probability is 1 / (1 + exp(-f / t)). f has a variance-gamma "
            "distribution, because the product of two normal numbers is a difference of two gamma "
            "variables; t is the number for which the mean of 1 / (1 + exp(|f| / t)) is "
            "bayes_error, by quadrature with a relative error below 1e-6.\n"
            "\n"
            "A row depends only on the seed and its number among the training or test rows, so "
            "that fewer rows are the first of more. Rows are drawn as they are read, so even "
            "millions of them take no memory here.")
        .complexity("memory: 4 bytes per row")
        .example(R"(
        rows: {is: source/interactions, indicators: [4, 6], bayes_error: 0.03, train: 2000}
        svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.1}, C: 3, from: rows}
        test: {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    DrawnSource::check_parameters();
    if (2 * pairs_ > numeric_)
      throw Error(std::to_string(pairs_) + " pairs need " + std::to_string(2 * pairs_) +
                  " numeric columns, and 'numeric' is " + std::to_string(numeric_));
    if (noise_ == "logistic" && bayes_error_ < 0.001)
      throw Error("'noise: logistic' takes a 'bayes_error' of at least 0.001, not " +
                  to_text(Value(bayes_error_)) + "; use 'noise: flipped'");
  }

 protected:
  DrawnShape shape() const override {
    std::int64_t columns = numeric_;
    for (const std::int64_t levels : indicators_) columns += levels;
    DrawnShape shape{Layout::vector(static_cast<std::size_t>(columns)), {"0", "1"}};
    shape.alternates = false;
    shape.stored = false;
    return shape;
  }

  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    InteractionRule rule;
    rule.numeric = static_cast<std::size_t>(numeric_);
    rule.pairs = static_cast<std::size_t>(pairs_);
    for (const std::int64_t levels : indicators_) {
      std::vector<double>& shares = rule.shares.emplace_back();
      double sum = 0;
      for (std::int64_t level = 1; level <= levels; ++level)
        shares.push_back(sum += 1 / static_cast<double>(level));
      for (double& share : shares) share /= sum;  // the last one is 1, above all uniform numbers
    }
    if (noise_ == "logistic")
      rule.scale = scale_for(bayes_error_, rule.pairs);
    else
      rule.flipped = bayes_error_;
    return [rule](std::size_t, Random& stream, std::span<float> row) {
      return double(rule.draw(stream, row));
    };
  }

 private:
  std::int64_t numeric_ = 10;
  std::int64_t pairs_ = 2;
  std::vector<std::int64_t> indicators_;
  double bayes_error_ = 0.05;
  std::string noise_ = "flipped";
};

}  // namespace

ComponentEntry declare_interactions() { return Interactions::declare().entry(); }

}  // namespace semblance::sources
