// SPDX-License-Identifier: MIT
// The checks of novelty detectors, which learn from the samples of one class: the others are novel.
#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/novelty_detector.hpp"

namespace semblance::conformance {
namespace {

struct Judged {
  std::vector<float> usual;  ///< scores of the samples that it learned from
  std::vector<float> novel;  ///< scores of the samples of other classes
};

Judged judged(const Subject& subject) {
  if (!subject.create_as<NoveltyDetector>()->uses_rows())
    throw NotApplicable("it learns nothing from the values of its rows");
  if (subject.info().columns_are_rows)
    throw NotApplicable("each value of its samples belongs to a training row");
  const SampleSet samples = samples_for(subject, subject.config());
  std::vector<double> first_class;
  for (const std::int32_t label : samples.labels) first_class.push_back(label == 0 ? 1 : 0);
  const ReadyTransform ready =
      make_ready(subject, subject.config(), repeated(samples, first_class), {});
  testing::TestContext context;
  const FloatMatrix scores = mapped(ready, samples.values.view(), context);
  Judged found;
  for (std::size_t i = 0; i < scores.rows; ++i)
    (samples.labels[i] == 0 ? found.usual : found.novel).push_back(scores.view().row(i)[0]);
  return found;
}

/// The probability that a usual sample has a larger score than a novel one; by chance, one half.
void recognizes(const Subject& subject) {
  const Judged found = judged(subject);
  double right = 0;
  for (const float usual : found.usual)
    for (const float novel : found.novel) right += usual > novel ? 1 : usual == novel ? 0.5 : 0;
  right /= static_cast<double>(found.usual.size() * found.novel.size());
  require(3 * right > 2,
          "a sample of the class that it has learned has a larger score than one of "
          "another, well-separated class with a probability of only " +
              to_text(Value(right)));
}

/// By a parameter, a share of the training samples may be novel, but not most of them.
void threshold(const Subject& subject) {
  const Judged found = judged(subject);
  std::size_t usual = 0;
  for (const float score : found.usual) usual += score >= 0;
  require(4 * usual >= found.usual.size(),
          "only " + std::to_string(usual) + " of the " + std::to_string(found.usual.size()) +
              " samples that it learned from have a score of at least 0, which means usual");
}

}  // namespace

void add_novelty_detector_checks(std::vector<Check>& checks, const Subject& subject) {
  const auto add = [&](const char* name, void (*check)(const Subject&)) {
    checks.push_back({name, [&subject, check] { check(subject); }});
  };
  add("novel samples have smaller scores", recognizes);
  add("its training samples are usual", threshold);
}

}  // namespace semblance::conformance
