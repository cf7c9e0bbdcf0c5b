// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "probability_calibrator.hpp"
#include "quality.hpp"
#include "semblance/declaration.hpp"
#include "sigmoid.hpp"

namespace semblance::calibrators {
namespace {

class Platt final : public ProbabilityCalibrator {
 public:
  static Declaration<Platt> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override;
  void map(std::span<const float> scores, std::span<float> probabilities) const override;

  std::vector<Sigmoid> sigmoids_;  ///< one per problem
};

Declaration<Platt> Platt::declare() {
  return Declaration<Platt>("calibrator/platt",
                            "Probabilities by a sigmoid of each class's score (Platt)")
      .documentation(
          "The probability of a class is 1 / (1 + exp(slope f + offset)) of its score f. Slope and "
          "offset are those of largest likelihood on the held-out rows, where a row of the class "
          "counts as one with the probability (N + 1) / (N + 2) and another as one with 1 / (M + "
          "2), for N rows of the class and M others: so no probability becomes 0 or 1 where all "
          "rows are right.\n"
          "\n"
          "With two classes there is one sigmoid, of the difference of their scores. With more, "
          "each class has its own, against all others, and the probabilities of a row are divided "
          "by their sum. The most probable class can then differ from that of the largest score: "
          "held_out_changed and changed_predictions count such rows. It does not suit solvers that "
          "learn all classes together, such as solver/ml3: their scores can only be compared "
          "within a row. calibrator/temperature does.\n"
          "\n"
          "It has two parameters per class, so a few hundred rows are enough. It suits scores of "
          "large-margin solvers, whose distortion has about this form.")
      .reference(
          "Platt, Probabilistic outputs for support vector machines and comparisons to regularized "
          "likelihood methods, 1999; Lin, Lin and Weng, A note on Platt's probabilistic outputs "
          "for support vector machines, 2007, algorithm 1")
      .takes_weights()
      .complexity("rows x classes for each of about 10 Newton steps")
      .reports(quality_figures())
      .reports({"sigmoids.slope", "factor of the score"})
      .reports({"sigmoids.offset", "what is added to it"})
      .example(R"(
        points:    {is: source/rings, classes: 2, noise: 0.4}
        bases:     {is: basis/all, from: points}
        rbf:       {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:       {is: solver/linear_svm, C: 1, from: rbf}
        calibrate: {is: calibrator/platt, from: svm}
        test:      {is: evaluator/calibration, from: calibrate})");
}

void Platt::learn(const HeldOutScores& held_out, Report& report, Context& context) {
  const std::size_t count = held_out.classes.size();
  Table table{"sigmoids", "class", "", {}, {"slope", "offset"}, {}};
  sigmoids_.clear();
  std::string reversed;
  for (std::size_t p = 0; p < problem_count(count); ++p) {
    sigmoids_.push_back(fit_sigmoid(problem_of(held_out, p), context));
    const std::string& name = held_out.classes[class_of_problem(p, count)];
    table.rows.push_back(name);
    table.values.insert(table.values.end(), {sigmoids_.back().slope, sigmoids_.back().offset});
    if (sigmoids_.back().slope > 0) reversed += (reversed.empty() ? "'" : ", '") + name + "'";
  }
  if (!reversed.empty())
    context.log(LogLevel::warning,
                "held-out rows with a larger score are less likely to be of the class (" +
                    reversed + "): the solver says nothing about it, or there are too few rows");
  report.table(table);
}

void Platt::map(std::span<const float> scores, std::span<float> probabilities) const {
  if (scores.size() == 2) {
    const double f = problem_score(scores, 0);
    probabilities[0] = static_cast<float>(std::exp(log_against(sigmoids_[0], f)));
    probabilities[1] = static_cast<float>(std::exp(log_sigmoid(sigmoids_[0], f)));
    return;
  }
  // Divided by the largest, so that not all of them can become 0.
  thread_local std::vector<double> shares;
  shares.resize(scores.size());
  for (std::size_t c = 0; c < shares.size(); ++c)
    shares[c] = log_sigmoid(sigmoids_[c], problem_score(scores, c));
  const double largest = *std::ranges::max_element(shares);
  for (double& share : shares) share = std::isfinite(largest) ? std::exp(share - largest) : 0;
  normalize(shares, probabilities);
}

/// ln of the sigmoid of x, written down: -ln(1 + exp x).
Formula::Value log_of_sigmoid(Formula& formula, Formula::Value x) {
  const auto zero = formula.number(0, x), one = formula.number(1, x);
  const auto small = formula.exponential(formula.subtract(zero, formula.absolute(x)));
  const auto softplus =
      formula.add(formula.maximum(x, zero), formula.logarithm(formula.add(one, small)));
  return formula.subtract(zero, softplus);
}

Formula::Value Platt::write(Formula& formula, Formula::Value in) const {
  std::vector<double> slopes, offsets;
  for (const Sigmoid& sigmoid : sigmoids_) {
    slopes.push_back(sigmoid.slope);
    offsets.push_back(sigmoid.offset);
  }
  const auto x = formula.add(formula.multiply(problem_scores(formula, in),
                                              formula.constant(std::span<const double>(slopes))),
                             formula.constant(std::span<const double>(offsets)));
  if (classes() != 2)
    return normalized(formula, shares_of_logarithms(formula, log_of_sigmoid(formula, x)));
  const auto against = formula.subtract(formula.number(0, x), x);
  const Formula::Value both[] = {formula.exponential(log_of_sigmoid(formula, against)),
                                 formula.exponential(log_of_sigmoid(formula, x))};
  return formula.narrow(formula.concatenate(both));
}

void Platt::save(StateWriter& state) const {
  std::vector<double> slopes, offsets;
  for (const Sigmoid& sigmoid : sigmoids_) {
    slopes.push_back(sigmoid.slope);
    offsets.push_back(sigmoid.offset);
  }
  state.doubles("slopes", slopes);
  state.doubles("offsets", offsets);
}

void Platt::load(const StateReader& state, Context&) {
  const auto slopes = state.doubles("slopes"), offsets = state.doubles("offsets");
  if (slopes.size() != problem_count(classes()) || offsets.size() != slopes.size())
    throw Error("the state has sigmoids for a different number of classes");
  sigmoids_.clear();
  for (std::size_t p = 0; p < slopes.size(); ++p) {
    if (!std::isfinite(slopes[p]) || !std::isfinite(offsets[p]))
      throw Error("the state has a sigmoid that is not finite");
    sigmoids_.push_back({slopes[p], offsets[p]});
  }
}

}  // namespace

ComponentEntry declare_platt() { return Platt::declare().entry(); }

}  // namespace semblance::calibrators
