// SPDX-License-Identifier: MIT
// Scores of samples without themselves, by ridge machines: beside fits without each sample.
#include "left_out_testing.hpp"
#include "regression_testing.hpp"
#include "row_weights_testing.hpp"

namespace semblance::linear::left_out_test {
namespace {

using namespace common::testing;

AllSamples classified(std::size_t rows, std::size_t cols, std::size_t classes, bool weighted) {
  Data data = clouds(rows, cols, classes);
  if (weighted) data.weights = integer_weights(rows);
  return {data.values, data.labels, data.classes, {}, {}, data.weights};
}

/// The solver with the penalty that it has chosen.
std::function<std::unique_ptr<Learner>(const MemoryReport*)> with_penalty(
    const char* id, const Parameters& parameters, const Parameters& chosen_from) {
  return [=](const MemoryReport* report) -> std::unique_ptr<Learner> {
    const Parameters choice =
        report ? Parameters{{"penalty", report->numbers.at("penalty")}} : chosen_from;
    return make_component<Learner>(id, and_also(parameters, choice));
  };
}

TEST_CASE("ridge classifier: scores of samples left out are those of fits without them") {
  for (const std::size_t classes : {2, 3})
    for (const std::size_t cols : {4, 40})
      for (const bool weighted : {false, true})
        for (const bool intercept : {true, false})
          for (const bool balanced : {true, false}) {
            CAPTURE(classes);
            CAPTURE(cols);
            CAPTURE(weighted);
            CAPTURE(intercept);
            CAPTURE(balanced);
            check_left_out(classified(31, cols, classes, weighted), 1e-6,
                           with_penalty("solver/ridge_classifier",
                                        {{"intercept", intercept}, {"balanced", balanced}},
                                        {{"penalties", std::vector<double>{0.1, 1, 10}}}));
          }
  check_left_out(
      classified(40, 3, 3, false), 1e-6,
      with_penalty("solver/ridge_classifier", {}, {{"choose_by", std::string("errors")}}));
}

TEST_CASE("ridge: estimates of samples left out are those of fits without them") {
  for (const std::size_t cols : {3, 40})
    for (const bool weighted : {false, true}) {
      CAPTURE(cols);
      CAPTURE(weighted);
      const NumberData data = linear_numbers(25, cols, 2);
      AllSamples all{data.values, {}, {}, data.targets, data.names, {}};
      if (weighted) all.weights = integer_weights(25);
      check_left_out(
          all, 1e-6,
          with_penalty("solver/ridge", {}, {{"penalties", std::vector<double>{0.1, 1, 10}}}));
      check_left_out(all, 1e-6, with_penalty("solver/ridge", {}, {{"penalty", 0.5}}));
    }
}

TEST_CASE("ridge: a single sample cannot be left out") {
  const NumberData one = linear_numbers(1, 3, 1);
  const AllSamples all{one.values, {}, {}, one.targets, one.names, {}};
  FloatMatrix found(1, 1);
  const auto solver = make_component<Learner>("solver/ridge", {});
  CHECK_THROWS_WITH_AS(train_on(*solver, all, found.view()),
                       "leave-one-out scores need two samples with a weight, but there is one; "
                       "give more rows",
                       Error);
}

}  // namespace
}  // namespace semblance::linear::left_out_test
