// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "calibrator_testing.hpp"

namespace isotonic_test {

using namespace semblance;
using namespace semblance::calibrators::testing;

namespace {

constexpr const char* id = "calibrator/probabilities";
const Parameters isotonic = {{"method", std::string("isotonic")}};

}  // namespace

// sklearn.isotonic.IsotonicRegression(out_of_bounds="clip") of scikit-learn 1.2.1, one per class,
// normalized as in sklearn.calibration.
TEST_CASE("two classes have the function that scikit-learn finds") {
  Fitted fitted(id, known_sample(2), isotonic);
  CHECK(begins_with(fitted.given,
                    {0., 1., 0.92307692, 0.07692308, 0.36363636, 0.63636364, 1., 0., 0.57142857,
                     0.42857143, 0.4375, 0.5625, 0.57142857, 0.42857143, 0., 1.},
                    1e-7));
  CHECK(fitted.report.tables.at("pools").values == std::vector<double>{16});
  // Linear between two corners, constant outside.
  const auto given = fitted.of({0, -10, 0, 10, 0, 0.03F, 0, 0.4F}, 2);
  CHECK(given[1] == 0);
  CHECK(given[3] == 1);
  CHECK(given[5] == doctest::Approx(0.49285714));
  CHECK(given[7] == doctest::Approx(0.5625));
}

TEST_CASE("each of three classes has its own, and a row's probabilities add up to 1") {
  const Fitted fitted(id, known_sample(3), isotonic);
  CHECK(begins_with(
      fitted.given,
      {0., 1., 0., 0.46558704, 0.53441296, 0., 0.523918, 0.476082, 0., 0.58252427, 0.18446602,
       0.23300971, 0.20928116, 0.19017288, 0.60054595, 0.58252427, 0.18446602, 0.23300971},
      1e-7));
  CHECK(are_probabilities(fitted.given));
  double sums[3] = {};
  for (std::size_t i = 0; i < fitted.given.values.size(); ++i)
    sums[i % 3] += double{fitted.given.values[i]};
  CHECK(sums[0] == doctest::Approx(44.58021768));
  CHECK(sums[1] == doctest::Approx(41.00080371));
}

TEST_CASE("where no class is possible all are equally probable") {
  const std::vector<float> far = {9, 0, 0, 0, 9, 0, 0, 0, 9};
  Fitted fitted(id, rows_of(3, far, {0, 1, 2}), isotonic);
  CHECK(fitted.of({-1, -1, -1}, 3) == std::vector<float>(3, 1.0F / 3));
}

TEST_CASE("what it learned never falls, whatever the scores") {
  Sample sample = known_sample(2);
  for (auto& label : sample.labels) label = 1 - label;  // the wrong way round
  Fitted fitted(id, sample, isotonic);
  std::vector<float> scores;
  for (int i = -60; i <= 60; ++i) scores.insert(scores.end(), {0, static_cast<float>(i) / 8});
  const auto given = fitted.of(scores, 2);
  for (std::size_t i = 3; i < given.size(); i += 2) CHECK(given[i] >= given[i - 2]);
}

TEST_CASE("a damaged state is refused") {
  TestContext context;
  const auto load = [&](std::vector<std::int64_t> corners, std::vector<double> x,
                        std::vector<double> y) {
    MemoryState state;
    state.integers("corners", corners);
    state.doubles("scores", x);
    state.doubles("probabilities", y);
    const auto calibrator = make_component<Calibrator>(id, isotonic);
    calibrator->bind(Layout::vector(2));
    return refusal([&] { calibrator->load(state, context); });
  };
  CHECK(load({2}, {0, 1}, {0, 1}).empty());
  const std::string refused = "the state has no function that never falls for each of 2 classes";
  CHECK(load({3}, {0, 1}, {0, 1}) == refused);
  CHECK(load({-1}, {0, 1}, {0, 1}) == refused);
  CHECK(load({1, 1}, {0, 1}, {0, 1}) == refused);
  CHECK(load({2}, {1, 0}, {0, 1}) == refused);
  CHECK(load({2}, {0, 1}, {1, 0}) == refused);
  CHECK(load({2}, {0, 1}, {0, 2}) == refused);
  CHECK(load({2}, {0, 1}, {0}) == refused);
  CHECK(load({1}, {0, 1}, {0, 1}) == refused);
}

}  // namespace isotonic_test
