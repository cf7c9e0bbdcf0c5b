// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

#include "calibrator_testing.hpp"

namespace sigmoid_test {

using namespace semblance;
using namespace semblance::calibrators::testing;

namespace {

/// Its method is `sigmoid` unless another is given.
constexpr const char* id = "calibrator/probabilities";

}  // namespace

// sklearn.calibration._SigmoidCalibration (scikit-learn 1.2.1), which stops at a gradient of 1e-5.
TEST_CASE("two classes have the sigmoid that scikit-learn finds") {
  const Fitted fitted(id, known_sample(2));
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
  const Fitted fitted(id, known_sample(3));
  CHECK(begins_with(fitted.given,
                    {0.15247508, 0.79142477, 0.05610016, 0.24706023, 0.62901591, 0.12392386,
                     0.46822195, 0.46703163, 0.06474642, 0.41739132, 0.24347705, 0.33913163},
                    2e-5));
  CHECK(are_probabilities(fitted.given));
}

TEST_CASE("the likelihood is the largest there is") {
  // Moved a little in any direction, the cross-entropy with Platt's targets grows.
  const Sample sample = known_sample(2);
  const Fitted fitted(id, sample);
  const auto& best = fitted.report.tables.at("sigmoids").values;
  double positives = 0, negatives = 0;
  for (const std::int32_t label : sample.labels) ++(label == 1 ? positives : negatives);
  const auto loss = [&](double slope, double offset) {
    double sum = 0;
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
      const auto row = sample.scores.view().row_span(i);
      const double x = slope * (double{row[1]} - double{row[0]}) + offset;
      const double target =
          sample.labels[i] == 1 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
      sum += target * std::log1p(std::exp(x)) + (1 - target) * std::log1p(std::exp(-x));
    }
    return sum;
  };
  const double least = loss(best[0], best[1]);
  for (const double d : {-1e-4, 1e-4}) {
    CHECK(loss(best[0] + d, best[1]) > least);
    CHECK(loss(best[0], best[1] + d) > least);
  }
}

TEST_CASE("where all rows are right no probability is 0 or 1") {
  Fitted fitted(id, rows_of(2, {1, 0, 2, 0, 0, 1, 0, 3}, {0, 0, 1, 1}));
  // Targets of (2 + 1) / (2 + 2) and 1 / (2 + 2).
  for (const float p : fitted.of({1, 0, 0, 3}, 2)) CHECK(std::abs(p - 0.5F) < 0.4F);
}

TEST_CASE("scores far outside of all that was seen leave probabilities") {
  Fitted fitted(id, known_sample(3));
  const auto given = fitted.of({-4000, -4000, -5000, 4000, 3000, -4000}, 3);
  for (const float p : given) CHECK(std::isfinite(p));
  CHECK(given[0] + given[1] + given[2] == doctest::Approx(1));
  CHECK(given[3] + given[4] + given[5] == doctest::Approx(1));
  const float huge = std::numeric_limits<float>::max();
  const auto lowest = fitted.of({-huge, -huge, -huge}, 3);
  CHECK(lowest[0] + lowest[1] + lowest[2] == doctest::Approx(1));
}

TEST_CASE("a class that is less likely where its score is larger gets its share of rows") {
  Sample sample = known_sample(2);
  for (auto& label : sample.labels) label = 1 - label;
  const Fitted fitted(id, sample);
  REQUIRE(fitted.context.lines.size() == 1);
  CHECK(fitted.context.lines[0].find("('b'), so they all get its share") != std::string::npos);
  const auto all = static_cast<double>(sample.labels.size());
  const auto of_b = static_cast<double>(std::ranges::count(sample.labels, 1));
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    CHECK(double{fitted.given.values[2 * i + 1]} == doctest::Approx((of_b + 1) / (all + 2)));
}

TEST_CASE("a damaged state is refused") {
  MemoryState state;
  state.doubles("slopes", std::vector<double>{1, 2});
  state.doubles("offsets", std::vector<double>{1, 2});
  const auto calibrator = make_component<Calibrator>(id);
  TestContext context;
  calibrator->bind(Layout::vector(3));
  CHECK(refusal([&] { calibrator->load(state, context); }) ==
        "the state has sigmoids for a different number of classes");
}

}  // namespace sigmoid_test
