// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "semblance/calibrator.hpp"

namespace semblance::conformance {
namespace {

void calibrated_probabilities(const Subject& subject) {
  if (!subject.create_as<Calibrator>()->gives_probabilities())
    throw NotApplicable("it does not say that it gives probabilities");
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  // Includes scores far outside of the training scores.
  for (const float factor : {1.0F, 1e4F, -1e4F}) {
    FloatMatrix scores = samples.values;
    for (float& score : scores.values) score *= factor;
    const FloatMatrix given = mapped(ready, std::as_const(scores).view(), context);
    for (std::size_t i = 0; i < given.rows; ++i) {
      double sum = 0;
      for (const float p : given.view().row_span(i)) {
        require(p >= 0, "row " + std::to_string(i) + " has a probability of " + std::to_string(p));
        sum += double{p};
      }
      require(std::abs(sum - 1) < 1e-5,
              "the probabilities of row " + std::to_string(i) + " add up to " +
                  std::to_string(sum) + (factor == 1 ? "" : ", for scores that are far outside"));
    }
  }
}

void reports_something(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  require(!make_ready(subject, subject.config(), samples, {}).report.empty(),
          "it does not report what it has learned");
}

/// Estimates, or intervals whose ends stay in order, multiplied by a number.
void scale(FloatMatrix& given, bool intervals, float factor) {
  for (float& value : given.values) value *= factor;
  for (std::size_t k = 0; intervals && factor < 0 && k < given.values.size(); k += 3)
    std::swap(given.values[k], given.values[k + 2]);
}

/// Infinite ends are in order, too.
void ordered(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  const bool intervals = subject.info().inputs.front().type == PortType::intervals;
  testing::TestContext context;
  for (const float factor : {1.0F, 1e4F, -1e4F}) {
    FloatMatrix before = samples.values;
    scale(before, intervals, factor);
    const FloatMatrix given = mapped(ready, std::as_const(before).view(), context);
    for (std::size_t k = 0; 3 * k < given.values.size(); ++k) {
      const float* const ends = given.values.data() + 3 * k;
      require(ends[1] == before.values[intervals ? 3 * k + 1 : k],
              "the value in the middle is not the estimate");
      require(ends[0] <= ends[1] && ends[1] <= ends[2],
              "an interval from " + std::to_string(ends[0]) + " to " + std::to_string(ends[2]) +
                  " does not contain the estimate " + std::to_string(ends[1]));
    }
  }
}

/// What is more usual stays so.
void same_order(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  const FloatMatrix given = mapped(ready, samples.values.view(), context);
  for (std::size_t i = 0; i < given.rows; ++i)
    for (std::size_t j = 0; j < given.rows; ++j)
      require(
          samples.values.values[i] > samples.values.values[j] || given.values[i] <= given.values[j],
          "a sample with a smaller score than another gets a larger one");
}

/// A small class may be like this: all samples have the right class, by a wide margin.
void all_rows_right(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  for (std::size_t i = 0; i < samples.values.rows; ++i)
    for (std::size_t c = 0; c < samples.values.cols; ++c)
      samples.values.view().row(i)[c] =
          static_cast<std::size_t>(samples.labels[i]) == c ? 100.0F : -100.0F;
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  for (const float given : mapped(ready, samples.values.view(), context).values)
    require(std::isfinite(given), "what it gives is then not finite");
}

/// The scores of a solver that learns nothing.
void equal_scores(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.values.values, 0.0F);
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  for (const float given : mapped(ready, samples.values.view(), context).values)
    require(std::isfinite(given), "what it gives is then not finite");
}

}  // namespace

void add_calibrator_checks(std::vector<Check>& checks, const Subject& subject) {
  const auto add = [&](const char* name, void (*check)(const Subject&)) {
    checks.push_back({name, [&subject, check] { check(subject); }});
  };
  add("it reports what it has learned", reports_something);
  if (subject.info().output->type == PortType::intervals)
    return add("the ends of intervals are in order, with the estimate between them", ordered);
  if (subject.info().output->type == PortType::novelty) {
    add("the order of the scores stays the same", same_order);
    return add("scores that are all equal", equal_scores);
  }
  add("probabilities, if it says so, that add up to 1", calibrated_probabilities);
  add("held-out rows that are all right", all_rows_right);
  add("scores that are all equal", equal_scores);
}

}  // namespace semblance::conformance
