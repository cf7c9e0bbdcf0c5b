// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/recorded_report.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::conformance {
namespace {

/// Points of the plane, for evaluators that request scores of rows other than the test samples.
class PlaneDataset final : public Dataset {
 public:
  PlaneDataset() : labels_(outline_.rows()) {
    for (std::size_t i = 0; i < labels_.size(); ++i)
      labels_[i] = static_cast<std::int32_t>(i % sample_classes);
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      Random random = Random::stream(3, first + i);
      for (float& x : out.row_span(i)) x = static_cast<float>(random.uniform(-1, 1));
    }
  }
  std::size_t bytes() const noexcept override { return labels_.size() * sizeof(std::int32_t); }

 private:
  Outline outline_{Layout::vector(2), sample_rows, sample_rows, {"one", "two", "three"}};
  std::vector<std::int32_t> labels_;
};

/// Scores that are right for most samples.
FloatMatrix scores_for(std::span<const std::int32_t> labels, std::size_t rows) {
  Random random(21);
  FloatMatrix scores(rows, sample_classes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < sample_classes; ++c) {
      const bool right = !labels.empty() && labels[i] == static_cast<std::int32_t>(c);
      scores.view().row(i)[c] = static_cast<float>(random.normal() + (right ? 2 : 0));
    }
  return scores;
}

/// The same scores as probabilities, by the softmax.
void make_probabilities(FloatMatrix& scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.view().row_span(i);
    float sum = 0;
    for (float& score : row) sum += score = std::exp(score);
    for (float& score : row) score /= sum;
  }
}

/// n x 2, as from a solver with two local models per class.
FloatMatrix shares_for(std::size_t rows) {
  FloatMatrix shares(rows, 2);
  Random random(22);
  for (std::size_t i = 0; i < rows; ++i) {
    shares.view().row(i)[0] = static_cast<float>(random.uniform());
    shares.view().row(i)[1] = 1 - shares.view().row(i)[0];
  }
  return shares;
}

/// The report of a linear solver on one similarity map.
Lineage lineage() {
  Lineage lineage{"solver/linear_svm", 24, sample_rows, {}, {}, {}};
  lineage.maps.push_back({"map", "similarity/rbf", 24, 6, 20, "samples", "bases"});
  lineage.figures = {{"objective", 12.5}, {"train_seconds", 0.5}};
  lineage.tables.push_back({"problems",
                            "problem",
                            "",
                            {"one", "two", "three"},
                            {"objective", "squared norm"},
                            {1, 4, 2, 5, 3, 6}});
  return lineage;
}

void judge_scores(const Evaluator& evaluator, bool labels_known, Report& report, Context& context) {
  const PlaneDataset data;
  auto labels =
      std::vector<std::int32_t>(data.labels().begin(), data.labels().begin() + sample_rows);
  FloatMatrix scores = scores_for(labels, labels.size());
  if (evaluator.wants_probabilities()) make_probabilities(scores);
  if (!labels_known) std::ranges::fill(std::span(labels).first(labels.size() / 2), -1);
  Scored test{std::as_const(scores).view(), labels, data.outline().classes, lineage()};
  test.probabilities = evaluator.wants_probabilities();
  FloatMatrix probes, probe_scores, shares, probe_shares;
  if (evaluator.wants_probes()) {
    probes = evaluator.probes(data, context);
    require(probes.cols == data.outline().layout.size(), "probes() gives rows of " +
                                                             std::to_string(probes.cols) +
                                                             " values for samples of 2 values");
    probe_scores = scores_for({}, probes.rows);
    test.data = &data;
    test.probes = std::as_const(probes).view();
    test.probe_scores = std::as_const(probe_scores).view();
  }
  if (evaluator.wants_shares()) {
    shares = shares_for(labels.size());
    probe_shares = shares_for(probes.rows);
    test.shares = std::as_const(shares).view();
    test.probe_shares = std::as_const(probe_shares).view();
  }
  if (evaluator.wants_samples()) {
    test.data = &data;
    test.nearest_bases = [&](std::size_t row, std::size_t count) {
      std::vector<NearBasis> near;
      for (std::size_t k = 0; k < std::min(count, sample_rows); ++k)
        near.push_back({0, (row + k) % sample_rows, 1 / static_cast<float>(k + 1)});
      return near;
    };
  }
  evaluator.evaluate(test, report, context);
}

void judge_samples(const SampleEvaluator& evaluator, const ComponentInfo& info, Report& report,
                   Context& context) {
  const SampleSet samples = std::move(sample_sets(info.inputs.at(0).layouts).front());
  const testing::MemoryRows rows(samples.values);
  TrainingSet training{rows, samples.layout, samples.labels, samples.classes};
  training.bases = samples.bases;
  evaluator.evaluate(training, report, context);
}

void judge_pairs(const PairEvaluator& evaluator, bool labels_known, Report& report,
                 Context& context) {
  std::vector<Pair> pairs;
  std::vector<std::int32_t> labels;
  std::vector<float> good, poor;
  Random random(23);
  for (std::int32_t k = 0; k < 400; ++k) {
    const std::int32_t label = k % 4 == 0 ? 1 : -1;
    pairs.push_back({k % 37, (k * 7 + 1) % 41, label});
    labels.push_back(labels_known || k % 2 == 0 ? label : 0);
    good.push_back(static_cast<float>(label + 0.8 * random.normal()));
    poor.push_back(static_cast<float>(label + 3 * random.normal()));
  }
  const PairSet set = PairSet::listed(pairs);
  const std::vector<ScoredPairs> tests = {{"good", good, set, labels}, {"poor", poor, set, labels}};
  evaluator.evaluate(tests, report, context);
}

std::string evaluated(const Subject& subject, const ComponentConfig& config, bool labels_known,
                      const Setting& setting) {
  TrialContext context(setting);
  RecordedReport report = subject.report(config);
  const PortType input = subject.info().inputs.at(0).type;
  if (input == PortType::samples)
    judge_samples(*subject.create_as<SampleEvaluator>(config), subject.info(), report, context);
  else if (input == PortType::pair_scores)
    judge_pairs(*subject.create_as<PairEvaluator>(config), labels_known, report, context);
  else
    judge_scores(*subject.create_as<Evaluator>(config), labels_known, report, context);
  return report.text();
}

Outcome evaluator_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting) {
  return {{}, evaluated(subject, config, true, setting)};
}

void reports(const Subject& subject) {
  require(!evaluated(subject, subject.config(), true, {}).empty(), "it reports nothing");
}

void unknown_labels(const Subject& subject) {
  if (subject.info().inputs.at(0).type == PortType::samples)
    throw NotApplicable("training rows have their labels");
  try {
    evaluated(subject, subject.config(), false, {});
  } catch (const Error&) {
  }
}

}  // namespace

void add_evaluator_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"it reports something, and no name twice", [&subject] { reports(subject); }});
  checks.push_back({"test rows whose labels are unknown", [&subject] { unknown_labels(subject); }});
  add_repetition_checks(checks, subject, evaluator_trial);
}

}  // namespace semblance::conformance
