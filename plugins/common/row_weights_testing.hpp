// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "solver_testing.hpp"

/// Sample weights: a sample of weight 2 is equivalent to the sample twice, weight 0 to omitting it,
/// and weights of 1 to no weights.
namespace semblance::common::testing {

inline std::vector<double> integer_weights(std::size_t rows) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(i * 7 % 11 % 4));
  return weights;
}

inline Parameters and_also(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

/// What a machine learned from weighted rows.
struct WeightedOutcome {
  double objective;
  std::string bits;
  FloatMatrix scores;
};

inline void check_alike(const WeightedOutcome& one, const WeightedOutcome& other, double tolerance,
                        double of_scores) {
  CHECK(one.objective == doctest::Approx(other.objective).epsilon(tolerance));
  for (std::size_t k = 0; k < one.scores.values.size(); ++k)
    REQUIRE(one.scores.values[k] ==
            doctest::Approx(other.scores.values[k]).epsilon(of_scores).scale(1));
}

/// Checks that hold for every learner: learn(data, more parameters).
template <class Learn>
void check_weights_of(Data data, double tolerance, double of_scores, const Learn& learn) {
  const WeightedOutcome none = learn(data, Parameters{});
  data.weights.assign(data.labels.size(), 1);
  CHECK(learn(data, Parameters{}).bits == none.bits);
  data.weights.assign(data.labels.size(), 2);
  const WeightedOutcome twice = learn(data, Parameters{});
  check_alike(twice, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  data.weights.clear();
  check_alike(twice, learn(data, Parameters{{"C", 2.0}}), tolerance, of_scores);
  data.weights = integer_weights(data.labels.size());
  const WeightedOutcome weighted = learn(data, Parameters{});
  check_alike(weighted, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  CHECK(weighted.bits != none.bits);
  // A class's weight times the sample's own.
  const WeightedOutcome classes =
      learn(data, Parameters{{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}});
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    if (data.labels[i] == 1) data.weights[i] *= 3;
  check_alike(classes, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  // Balanced: the weights of all classes have the same sum.
  const WeightedOutcome balanced = learn(data, Parameters{{"balanced", true}});
  std::vector<double> sums(3);
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    sums[static_cast<std::size_t>(data.labels[i])] += data.weights[i];
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    data.weights[i] *=
        (sums[0] + sums[1] + sums[2]) / (3 * sums[static_cast<std::size_t>(data.labels[i])]);
  check_alike(balanced, learn(data, Parameters{}), tolerance, of_scores);
}

}  // namespace semblance::common::testing
