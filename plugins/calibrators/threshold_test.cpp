// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "calibrator_testing.hpp"
#include "semblance/predicted_class.hpp"

namespace threshold_test {

using namespace semblance;
using namespace semblance::calibrators;
using namespace semblance::calibrators::testing;

namespace {

Parameters with_costs(const NamedValues& costs) { return {{"costs", Value(costs)}}; }

Parameters with_recall(double recall, const std::string& of) {
  return {{"recall", recall}, {"of", of}};
}

/// The mean cost if these numbers are added to the scores.
double cost_of(const Sample& sample, const std::vector<float>& shifts,
               const std::vector<double>& costs) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.labels.size(); ++i) {
    std::vector<float> row(sample.scores.view().row_span(i).begin(),
                           sample.scores.view().row_span(i).end());
    for (std::size_t c = 0; c < row.size(); ++c) row[c] += shifts[c];
    if (predicted_class(row) != sample.labels[i])
      sum += costs[static_cast<std::size_t>(sample.labels[i])];
  }
  return sum / static_cast<double>(sample.labels.size());
}

std::string refused(const Parameters& parameters) {
  return refusal([&] { Fitted("calibrator/threshold", known_sample(2), parameters); });
}

}  // namespace

// By trying all thresholds with numpy.
TEST_CASE("of two classes the threshold of least cost is found") {
  const Fitted fitted("calibrator/threshold", known_sample(2),
                      with_costs({{"b", std::int64_t{5}}}));
  CHECK(fitted.report.numbers.at("held_out_cost") == doctest::Approx(0.2666666667));
  CHECK(fitted.report.numbers.at("threshold") == doctest::Approx(-1.21875));
  CHECK(fitted.report.numbers.at("held_out_cost_before") ==
        doctest::Approx(cost_of(known_sample(2), {0, 0}, {1, 5})));
  // A higher cost of one class is equivalent to a lower cost of the other.
  const Fitted mirrored("calibrator/threshold", known_sample(2), with_costs({{"a", 0.2}}));
  CHECK(mirrored.report.numbers.at("threshold") == doctest::Approx(1.21875));
}

TEST_CASE("of two classes the largest precision at a recall is found") {
  const Fitted fitted("calibrator/threshold", known_sample(2), with_recall(0.9, "b"));
  CHECK(fitted.report.numbers.at("held_out_precision") == doctest::Approx(0.7037037037));
  CHECK(fitted.report.numbers.at("held_out_recall") == doctest::Approx(0.9344262295));
  CHECK(fitted.report.numbers.at("threshold") == doctest::Approx(-0.90625));
  const Fitted all("calibrator/threshold", known_sample(2), with_recall(1, "b"));
  CHECK(all.report.numbers.at("held_out_recall") == 1);
}

TEST_CASE("one class of three is moved against the rest") {
  const Fitted costs("calibrator/threshold", known_sample(3), with_costs({{"c", 4.0}}));
  CHECK(costs.report.numbers.at("held_out_cost") == doctest::Approx(0.4833333333));
  CHECK(costs.report.numbers.at("threshold") == doctest::Approx(-1.84375));
  const Fitted recall("calibrator/threshold", known_sample(3), with_recall(0.8, "c"));
  CHECK(recall.report.numbers.at("held_out_precision") == doctest::Approx(0.5087719298));
  CHECK(recall.report.numbers.at("held_out_recall") == doctest::Approx(0.8055555556));
}

TEST_CASE("with costs of several classes no single class can be moved to advantage") {
  const Sample sample = known_sample(3);
  const std::vector<double> costs = {1, 3, 8};
  const Fitted fitted("calibrator/threshold", sample, with_costs({{"b", 3.0}, {"c", 8.0}}));
  const auto& found = fitted.report.tables.at("shifts").values;
  const std::vector<float> shifts(found.begin(), found.end());
  const double least = cost_of(sample, shifts, costs);
  CHECK(fitted.report.numbers.at("held_out_cost") == doctest::Approx(least));
  CHECK(least < cost_of(sample, {0, 0, 0}, costs));
  for (const std::size_t c : {1, 2})
    for (int step = -160; step <= 160; ++step) {
      auto moved = shifts;
      moved[c] += static_cast<float>(step) / 32 + 1.0F / 64;
      CHECK(cost_of(sample, moved, costs) >= least - 1e-9);
    }
}

TEST_CASE("without costs there are the fewest errors") {
  for (const std::size_t classes : {2, 3}) {
    Sample sample = known_sample(classes);
    // The first class is far too likely.
    for (std::size_t i = 0; i < sample.labels.size(); ++i) sample.scores.view().row(i)[0] += 2;
    const Fitted fitted("calibrator/threshold", sample);
    std::size_t errors = 0;
    for (std::size_t i = 0; i < sample.labels.size(); ++i)
      errors += predicted_class(fitted.given.view().row_span(i)) != sample.labels[i];
    CHECK(fitted.report.numbers.at("held_out_cost") ==
          doctest::Approx(static_cast<double>(errors) / 120));
    CHECK(fitted.report.numbers.at("held_out_cost") <
          fitted.report.numbers.at("held_out_cost_before"));
    CHECK(!fitted.report.numbers.contains("threshold"));
  }
}

TEST_CASE("equal costs that nothing can improve change nothing") {
  const Sample sample = rows_of(2, {1, 0, 2, 0, 0, 1, 0, 3}, {0, 0, 1, 1});
  const Fitted fitted("calibrator/threshold", sample, with_costs({{"b", 7.0}}));
  CHECK(fitted.given.values == sample.scores.values);
  CHECK(fitted.report.integers.at("held_out_changed") == 0);
}

TEST_CASE("the scores of a saved one are the same") {
  Fitted fitted("calibrator/threshold", known_sample(2), with_costs({{"b", 5.0}}));
  CHECK(fitted.of({1, 0, 0, 1}, 2).size() == 4);
  CHECK(!fitted.component->gives_probabilities());
}

TEST_CASE("goals that do not go together are refused") {
  CHECK(refused({{"recall", 0.9}}) == "'recall' needs a class; add of: CLASS");
  CHECK(refused({{"of", std::string("b")}}) ==
        "'of' names a class, but no goal for it; add recall: 0.9, for example");
  auto both = with_costs({{"b", 2.0}});
  both.emplace_back("recall", 0.9);
  CHECK(refused(both) == "'costs' and 'recall' are two goals; give one of them");
  CHECK(refused(with_costs({{"b", -1.0}})) == "the cost of 'b' must be a number above 0");
  CHECK(refused(with_costs({{"b", std::string("much")}})) ==
        "the cost of 'b' must be a number above 0");
  CHECK(refused(with_costs({{"fraud", 2.0}})) ==
        "'costs' names the class 'fraud', but the classes are 'a', 'b'");
  CHECK(refused(with_recall(0.5, "fraud")) ==
        "'of' names the class 'fraud', but the classes are 'a', 'b'");
}

TEST_CASE("a row of weight 3 counts as three rows, one of weight 0 not at all") {
  check_weights_repeat_rows("calibrator/threshold", with_costs({{"b", 4.0}}));
}

TEST_CASE("the recall is that of weighted rows") {
  const Repeated rows(known_sample(2));
  const Fitted weighted("calibrator/threshold", rows.weighted, with_recall(0.9, "b"));
  const Fitted repeated("calibrator/threshold", rows.repeated, with_recall(0.9, "b"));
  CHECK(weighted.report.numbers == repeated.report.numbers);
  CHECK(weighted.report.numbers.at("held_out_recall") >= 0.9);
}

TEST_CASE("a boundary between two neighbouring float32 values separates them") {
  // Rows of class b have the larger score of a by one float32 step, those of class a by two.
  const float one = std::nextafter(1.0F, 2.0F), two = std::nextafter(one, 2.0F);
  const Sample sample = rows_of(2, {one, 1, one, 1, two, 1, two, 1}, {1, 1, 0, 0});
  const Fitted fitted("calibrator/threshold", sample);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(predicted_class(fitted.given.view().row_span(i)) == sample.labels[i]);
  CHECK(fitted.report.numbers.at("held_out_cost") == 0);
}

}  // namespace threshold_test
