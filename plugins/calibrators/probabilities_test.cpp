// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "calibrator_testing.hpp"
#include "semblance/random.hpp"

namespace probabilities_test {

using namespace semblance;
using namespace semblance::calibrators::testing;

namespace {

constexpr const char* id = "calibrator/probabilities";

}  // namespace

TEST_CASE("the figures compare what was before and after") {
  const Fitted fitted(id, known_sample(3));
  const auto& numbers = fitted.report.numbers;
  // -ln p by numpy, of the softmax of the scores.
  CHECK(numbers.at("held_out_log_loss_before") == doctest::Approx(0.7139332146));
  double loss = 0;
  const Sample sample = known_sample(3);
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    loss -= std::log(
        double{fitted.given.view().row_span(i)[static_cast<std::size_t>(sample.labels[i])]});
  CHECK(numbers.at("held_out_log_loss") == doctest::Approx(loss / 120));
}

TEST_CASE("scores that can only be compared within a row are reported") {
  Sample sample = known_sample(3);
  CHECK(Fitted(id, sample).context.lines.empty());
  semblance::Random random(6);
  for (std::size_t i = 0; i < sample.labels.size(); ++i) {
    const auto offset = static_cast<float>(8 * random.normal());
    for (float& score : sample.scores.view().row_span(i)) score += offset;
  }
  const Fitted fitted(id, sample);
  REQUIRE(!fitted.context.lines.empty());
  CHECK(fitted.context.lines.back().find("use method: temperature") != std::string::npos);
}

TEST_CASE("held-out rows on the border of two bins are in the lower one") {
  // 0.8, which float32 rounds up, is in the bin of 0.75.
  const Fitted fitted(id, rows_of(2, {0.2F, 0.8F, 0.25F, 0.75F}, {0, 1}), {}, true);
  CHECK(fitted.report.numbers.at("held_out_calibration_error_before") ==
        doctest::Approx(0.275).epsilon(1e-6));
}

TEST_CASE("whatever the scores, all methods give probabilities, also once loaded") {
  for (const std::string method : {"sigmoid", "isotonic", "temperature"})
    for (const std::size_t classes : {2, 3}) {
      CAPTURE(method);
      const Sample sample = known_sample(classes);
      Fitted fitted(id, sample, {{"method", method}});
      for (const float factor : {1.0F, 1e4F, -1e4F}) {
        FloatMatrix scores = sample.scores;
        for (float& score : scores.values) score *= factor;
        scores.values = fitted.of(scores.values, classes);
        CHECK(are_probabilities(scores));
      }
    }
}

TEST_CASE("a row of weight 3 counts as three rows, one of weight 0 not at all") {
  for (const std::string method : {"sigmoid", "isotonic", "temperature"}) {
    CAPTURE(method);
    check_weights_repeat_rows(id, {{"method", method}});
  }
}

}  // namespace probabilities_test
