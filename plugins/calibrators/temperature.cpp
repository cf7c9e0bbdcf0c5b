// SPDX-License-Identifier: MIT
#include <cmath>

#include "probability_calibrator.hpp"
#include "quality.hpp"
#include "scaled_softmax.hpp"
#include "semblance/declaration.hpp"

namespace semblance::calibrators {
namespace {

class Temperature final : public ProbabilityCalibrator {
 public:
  static Declaration<Temperature> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override;
  void map(std::span<const float> scores, std::span<float> probabilities) const override;

  double temperature_ = 1;
  bool of_probabilities_ = false;  ///< whether its input is already probabilities
};

Declaration<Temperature> Temperature::declare() {
  return Declaration<Temperature>("calibrator/temperature",
                                  "Probabilities by the softmax of the scores over one temperature")
      .documentation(
          "The probability of a class is exp(s / T) for its score s, divided by the sum over the "
          "classes. The one number T, the temperature, makes the true classes of the held-out rows "
          "likeliest. Scores that are already probabilities are replaced by their logarithms.\n"
          "\n"
          "The order of the classes stays that of the scores, and so does the predicted class: a "
          "probability that float32 could not tell from the largest one is lowered by two of its "
          "steps. There is no offset: where one class's scores are too large compared with "
          "another's, as they are where classes differ much in size and large-margin solvers learn "
          "them one against the rest, calibrator/platt does better.\n"
          "\n"
          "Where all held-out rows are right, the lower the temperature the likelier they are; it "
          "is then such that their mean probability is (n + 1) / (n + 2) for n rows, with a "
          "warning. Where scores say nothing about the classes, all become about equally probable, "
          "also with a warning.")
      .reference(
          "Guo, Pleiss, Sun and Weinberger, On calibration of modern neural networks, 2017, "
          "section 4.2")
      .takes_weights()
      .complexity("rows x classes for each of about 60 halvings of an interval")
      .reports(
          {"temperature", "T: what scores are divided by", FigureUnit::plain, Better::none, true})
      .reports(quality_figures())
      .example(R"(
        points:    {is: source/rings, classes: 3, noise: 0.3}
        bases:     {is: basis/all, from: points}
        rbf:       {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:       {is: solver/linear_svm, C: 1, from: rbf}
        calibrate: {is: calibrator/temperature, from: svm}
        test:      {is: evaluator/calibration, from: calibrate})");
}

void Temperature::learn(const HeldOutScores& held_out, Report& report, Context& context) {
  const FittedTemperature fitted = fit_temperature(held_out, context);
  temperature_ = fitted.temperature;
  of_probabilities_ = held_out.probabilities;
  if (fitted.end == FittedTemperature::End::separated)
    context.log(LogLevel::warning,
                "all held-out rows get the right class, so that no temperature is low enough: the "
                "probabilities are bounded by the number of rows");
  if (fitted.end == FittedTemperature::End::hopeless)
    context.log(LogLevel::warning,
                "the scores of held-out rows say nothing about their classes: all classes become "
                "about equally probable");
  report.number("temperature", temperature_);
}

void Temperature::map(std::span<const float> scores, std::span<float> probabilities) const {
  scaled_softmax(scores, of_probabilities_, temperature_, probabilities);
}

Formula::Value Temperature::write(Formula& formula, Formula::Value in) const {
  return scaled_softmax(formula, in, of_probabilities_, temperature_);
}

void Temperature::save(StateWriter& state) const {
  state.number("temperature", temperature_);
  state.integer("of_probabilities", of_probabilities_ ? 1 : 0);
}

void Temperature::load(const StateReader& state, Context&) {
  temperature_ = state.number("temperature");
  of_probabilities_ = state.integer("of_probabilities") != 0;
  if (!std::isfinite(temperature_) || temperature_ <= 0)
    throw Error("the state has a temperature of " + std::to_string(temperature_) +
                "; it must be above 0");
}

}  // namespace

ComponentEntry declare_temperature() { return Temperature::declare().entry(); }

}  // namespace semblance::calibrators
