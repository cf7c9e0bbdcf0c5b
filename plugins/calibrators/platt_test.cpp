// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

#include "calibrator_testing.hpp"
#include "semblance/random.hpp"
#include "sigmoid.hpp"

namespace platt_test {

using namespace semblance;
using namespace semblance::calibrators;
using namespace semblance::calibrators::testing;

// sklearn.calibration._SigmoidCalibration (scikit-learn 1.2.1), which stops at a gradient of 1e-5.
TEST_CASE("two classes have the sigmoid that scikit-learn finds") {
  const Fitted fitted("calibrator/platt", known_sample(2));
  CHECK(begins_with(fitted.given,
                    {0.05676615, 0.94323385, 0.82579565, 0.17420435, 0.27266013, 0.72733987,
                     0.97931365, 0.02068635, 0.71239513, 0.28760487},
                    2e-5));
  const Table& table = fitted.report.tables.at("sigmoids");
  CHECK(table.rows == std::vector<std::string>{"b"});
  CHECK(table.values[0] == doctest::Approx(-0.94410645).epsilon(1e-4));
  CHECK(table.values[1] == doctest::Approx(0.02194534).epsilon(1e-3));
}

TEST_CASE("each of three classes has its own, and a row's probabilities add up to 1") {
  const Fitted fitted("calibrator/platt", known_sample(3));
  CHECK(begins_with(fitted.given,
                    {0.15247508, 0.79142477, 0.05610016, 0.24706023, 0.62901591, 0.12392386,
                     0.46822195, 0.46703163, 0.06474642, 0.41739132, 0.24347705, 0.33913163},
                    2e-5));
  CHECK(are_probabilities(fitted.given));
}

TEST_CASE("the likelihood is the largest there is") {
  // Moved a little in any direction, the cross-entropy with Platt's targets grows.
  const Sample sample = known_sample(2);
  const Problem problem = problem_of(sample.held_out(), 0);
  const TestContext context;
  const Sigmoid best = fit_sigmoid(problem, context);
  double positives = 0, negatives = 0;
  for (const char positive : problem.positive) ++(positive ? positives : negatives);
  const auto loss = [&](const Sigmoid& s) {
    double sum = 0;
    for (std::size_t i = 0; i < problem.scores.size(); ++i) {
      const double target =
          problem.positive[i] ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
      sum -= target * log_sigmoid(s, problem.scores[i]) +
             (1 - target) * log_against(s, problem.scores[i]);
    }
    return sum;
  };
  for (const double d : {-1e-4, 1e-4}) {
    CHECK(loss({best.slope + d, best.offset}) > loss(best));
    CHECK(loss({best.slope, best.offset + d}) > loss(best));
  }
}

TEST_CASE("where all rows are right no probability is 0 or 1") {
  Fitted fitted("calibrator/platt", rows_of(2, {1, 0, 2, 0, 0, 1, 0, 3}, {0, 0, 1, 1}));
  // Targets of (2 + 1) / (2 + 2) and 1 / (2 + 2).
  for (const float p : fitted.of({1, 0, 0, 3}, 2)) CHECK(std::abs(p - 0.5F) < 0.4F);
}

TEST_CASE("scores far outside of all that was seen leave probabilities") {
  Fitted fitted("calibrator/platt", known_sample(3));
  const auto given = fitted.of({-4000, -4000, -5000, 4000, 3000, -4000}, 3);
  for (const float p : given) CHECK(std::isfinite(p));
  CHECK(given[0] + given[1] + given[2] == doctest::Approx(1));
  CHECK(given[3] + given[4] + given[5] == doctest::Approx(1));
  const float huge = std::numeric_limits<float>::max();
  const auto lowest = fitted.of({-huge, -huge, -huge}, 3);
  CHECK(lowest[0] + lowest[1] + lowest[2] == doctest::Approx(1));
}

TEST_CASE("a class that is less likely where its score is larger is reported") {
  Sample sample = known_sample(2);
  for (auto& label : sample.labels) label = 1 - label;
  const Fitted fitted("calibrator/platt", sample);
  REQUIRE(fitted.context.lines.size() == 1);
  CHECK(fitted.context.lines[0].find("('b')") != std::string::npos);
}

TEST_CASE("the figures compare what was before and after") {
  const Fitted fitted("calibrator/platt", known_sample(3));
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
  CHECK(Fitted("calibrator/platt", sample).context.lines.empty());
  semblance::Random random(6);
  for (std::size_t i = 0; i < sample.labels.size(); ++i) {
    const auto offset = static_cast<float>(8 * random.normal());
    for (float& score : sample.scores.view().row_span(i)) score += offset;
  }
  const Fitted fitted("calibrator/platt", sample);
  REQUIRE(!fitted.context.lines.empty());
  CHECK(fitted.context.lines.back().find("use calibrator/temperature") != std::string::npos);
}

TEST_CASE("a damaged state is refused") {
  MemoryState state;
  state.doubles("slopes", std::vector<double>{1, 2});
  state.doubles("offsets", std::vector<double>{1, 2});
  const auto platt = make_component<Calibrator>("calibrator/platt");
  TestContext context;
  platt->bind(Layout::vector(3));
  CHECK(refusal([&] { platt->load(state, context); }) ==
        "the state has sigmoids for a different number of classes");
}

TEST_CASE("a row of weight 3 counts as three rows, one of weight 0 not at all") {
  check_weights_repeat_rows("calibrator/platt");
}

}  // namespace platt_test
