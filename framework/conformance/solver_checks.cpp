// SPDX-License-Identifier: MIT
// The checks of classifiers.
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {
namespace {

/// The classes are far apart: guessing gets two thirds wrong.
void learns(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  const FloatMatrix scores = mapped(ready, samples.values.view(), context);
  std::size_t right = 0;
  for (std::size_t i = 0; i < scores.rows; ++i)
    right += predicted_class(scores.view().row_span(i)) == samples.labels[i];
  require(right * 3 > scores.rows * 2, "only " + std::to_string(right) + " of " +
                                           std::to_string(scores.rows) +
                                           " training rows of three well-separated classes get the "
                                           "largest score for the right class");
}

void probabilities(const Subject& subject) {
  if (!subject.create_as<Solver>()->gives_probabilities())
    throw NotApplicable("it does not say that its scores are probabilities");
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  const FloatMatrix scores = mapped(ready, samples.values.view(), context);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    double sum = 0;
    for (const float score : scores.view().row_span(i)) {
      require(score >= 0, "row " + std::to_string(i) + " has a score of " + std::to_string(score));
      sum += double{score};
    }
    require(std::abs(sum - 1) < 1e-5,
            "the scores of row " + std::to_string(i) + " add up to " + std::to_string(sum));
  }
}

void one_class(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.labels, 0);
  learns_or_refuses(subject, samples);
}

}  // namespace

void add_solver_checks(std::vector<Check>& checks, const Subject& subject) {
  const auto add = [&](const char* name, void (*check)(const Subject&)) {
    checks.push_back({name, [&subject, check] { check(subject); }});
  };
  add("separates classes that are far apart", learns);
  add("probabilities, if it says so, that add up to 1", probabilities);
  add("training rows of a single class", one_class);
}

}  // namespace semblance::conformance
