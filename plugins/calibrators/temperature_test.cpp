// SPDX-License-Identifier: MIT
#include "temperature.hpp"

#include <doctest/doctest.h>

#include "calibrator_testing.hpp"
#include "semblance/predicted_class.hpp"

namespace temperature_test {

using namespace semblance;
using namespace semblance::calibrators;
using namespace semblance::calibrators::testing;

namespace {

Fitted fitted_to(const Sample& sample, bool probabilities = false) {
  return {
      "calibrator/probabilities", sample, {{"method", std::string("temperature")}}, probabilities};
}

}  // namespace

// scipy.optimize.minimize_scalar on the mean log loss.
TEST_CASE("the temperature is the one of least log loss") {
  const Fitted three = fitted_to(known_sample(3));
  CHECK(three.report.numbers.at("temperature") == doctest::Approx(0.98977666).epsilon(1e-6));
  CHECK(three.report.numbers.at("held_out_log_loss") ==
        doctest::Approx(0.7139108704).epsilon(1e-7));
  CHECK(three.report.numbers.at("held_out_log_loss_before") ==
        doctest::Approx(0.7139332146).epsilon(1e-7));
  CHECK(three.report.numbers.at("held_out_calibration_error") ==
        doctest::Approx(0.0911613276).epsilon(1e-6));
  const Fitted two = fitted_to(known_sample(2));
  CHECK(two.report.numbers.at("temperature") == doctest::Approx(0.95524284).epsilon(1e-6));
  CHECK(two.report.numbers.at("held_out_log_loss") == doctest::Approx(0.4173402105).epsilon(1e-7));
  CHECK(are_probabilities(three.given));
}

TEST_CASE("the predicted class stays that of the scores") {
  const Sample sample = known_sample(3);
  const Fitted fitted = fitted_to(sample);
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    CHECK(predicted_class(fitted.given.view().row_span(i)) ==
          predicted_class(sample.scores.view().row_span(i)));
  CHECK(fitted.report.integers.at("held_out_changed") == 0);
}

TEST_CASE("a class that loses by one float32 still loses") {
  // The output of solver/nearest_neighbour if two classes share four votes equally.
  const float less = std::nextafter(0.5F, 0.0F), least = std::nextafter(0.25F, 0.0F);
  Sample sample = rows_of(3, {less, 0.5F, 0, 0.5F, less, 0, 0.25F, 0.25F, 0.5F}, {1, 0, 1});
  const Fitted fitted = fitted_to(sample, true);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(predicted_class(fitted.given.view().row_span(i)) == std::int32_t(1 - i));
  CHECK(fitted.report.integers.at("held_out_changed") == 0);
  CHECK(are_probabilities(fitted.given));
  // Also if a large temperature makes all classes about equal, and for more than two classes.
  for (const bool probabilities : {true, false})
    for (const double temperature : {0.01, 1.0, 1.7, 1e6})
      for (const std::vector<float>& scores :
           {std::vector{less, 0.5F, 0.0F}, {least, least, 0.25F}, {0.2F, 0.3F, 0.5F}}) {
        std::vector<float> given(3);
        scaled_softmax(scores, probabilities, temperature, given);
        CHECK(predicted_class(given) == predicted_class(scores));
      }
  std::vector<float> equal(3);
  scaled_softmax(std::vector{0.4F, 0.4F, 0.2F}, true, 1.3, equal);
  CHECK(equal[0] == equal[1]);
}

TEST_CASE("scores in other units make the same probabilities") {
  const Sample sample = known_sample(3);
  Sample scaled = sample;
  for (float& score : scaled.scores.values) score *= 1024;
  const Fitted a = fitted_to(sample), b = fitted_to(scaled);
  CHECK(b.report.numbers.at("temperature") ==
        doctest::Approx(1024 * a.report.numbers.at("temperature")));
  for (std::size_t i = 0; i < a.given.values.size(); ++i)
    CHECK(std::abs(a.given.values[i] - b.given.values[i]) < 1e-6F);
}

TEST_CASE("where every row is right it stays below certainty, and says so") {
  const Fitted fitted = fitted_to(rows_of(2, {1, 0, 2, 0, 0, 1, 0, 3}, {0, 0, 1, 1}));
  double right = 0;
  for (std::size_t i = 0; i < 4; ++i)
    right += double{fitted.given.view().row_span(i)[i < 2 ? 0 : 1]} / 4;
  CHECK(right == doctest::Approx(5.0 / 6));
  REQUIRE(fitted.context.lines.size() == 1);
  CHECK(fitted.context.lines[0].find("all held-out rows get the right class") == 0);
}

TEST_CASE("scores that say nothing make equal probabilities, and it says so") {
  Sample sample = known_sample(2);
  for (auto& label : sample.labels) label = 1 - label;
  const Fitted fitted = fitted_to(sample);
  for (const float p : fitted.given.values) CHECK(std::abs(p - 0.5F) < 1e-3F);
  REQUIRE(fitted.context.lines.size() == 1);
  CHECK(fitted.context.lines[0].find("say nothing about their classes") != std::string::npos);
  const Fitted constant = fitted_to(rows_of(2, {1, 1, 1, 1}, {0, 1}));
  for (const float p : constant.given.values) CHECK(p == 0.5F);
}

TEST_CASE("probabilities are scaled by their logarithms") {
  // Said with 0.9, right in three of four: (ln 9) / T = ln 3.
  const Sample sample = rows_of(2, {0.9F, 0.1F, 0.9F, 0.1F, 0.9F, 0.1F, 0.9F, 0.1F}, {0, 0, 0, 1});
  const Fitted fitted = fitted_to(sample, true);
  CHECK(fitted.report.numbers.at("temperature") == doctest::Approx(2).epsilon(1e-5));
  CHECK(fitted.given.values[0] == doctest::Approx(0.75));
  CHECK(fitted.report.numbers.at("held_out_log_loss_before") ==
        doctest::Approx(-(3 * std::log(0.9) + std::log(0.1)) / 4));
}

}  // namespace temperature_test
