// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/checks.hpp"
#include "conformance/recorded.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::conformance {
namespace {

/// Points of the plane, for evaluators that look at the samples or request scores of others. Their
/// target is classes, or the given numbers.
class PlaneDataset final : public Dataset {
 public:
  explicit PlaneDataset(std::vector<std::string> numbers = {}) : labels_(outline_.rows(), -1) {
    outline_.targets = std::move(numbers);
    if (!outline_.targets.empty()) outline_.classes.clear();
    for (std::size_t i = 0; i < labels_.size() && outline_.targets.empty(); ++i)
      labels_[i] = static_cast<std::int32_t>(i % sample_classes);
    Random random(24);
    for (std::size_t i = 0; i < labels_.size(); ++i)
      for (std::size_t t = 0; t < outline_.targets.size(); ++t)
        targets_.push_back(static_cast<double>(i % 17) + 100 * static_cast<double>(t) +
                           random.normal());
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return targets_; }
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
  std::vector<double> targets_;
};

std::vector<NearBasis> some_bases(std::size_t test_row, std::size_t count) {
  std::vector<NearBasis> near;
  for (std::size_t k = 0; k < std::min(count, sample_rows); ++k)
    near.push_back({0, (test_row + k) % sample_rows, 1 / static_cast<float>(k + 1)});
  return near;
}

/// A sum of three examples with shares of both columns.
std::vector<Explanation> some_explanations(std::span<const std::size_t> test_rows,
                                           std::size_t background) {
  std::vector<Explanation> made;
  for (const std::size_t row : test_rows) {
    Explanation each{.predicted = "one", .explained = "one", .against = "two", .value = 0.5};
    for (std::size_t k = 0; k < 3; ++k)
      each.examples.push_back({"map", k, static_cast<std::int64_t>((row + k) % sample_rows), "two",
                               1, k == 1 ? -0.5 : 0.5, k == 1 ? -0.5 : 0.5});
    each.method = ShareMethod::exact;
    each.background = background;
    each.shares = {{"x", 0, 1, 1.0, 0.75}, {"y", 1, 1, 2.0, -0.25}};
    made.push_back(std::move(each));
  }
  return made;
}

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

/// What an evaluator of scores or estimates reads of the test samples.
template <class Test>
void add_samples(const Evaluator& evaluator, const Dataset& data, Test& test) {
  if (evaluator.wants_samples() || evaluator.wants_explanations()) test.data = &data;
  if (evaluator.wants_samples()) test.nearest_bases = some_bases;
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
  test.sets = evaluator.wants_sets();
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
    using enum ComparedSample::As;
    test.compared = {{0, margin_vector}, {1, bounded_vector}, {2, basis}};
  }
  if (evaluator.wants_shares()) {
    shares = shares_for(labels.size());
    probe_shares = shares_for(probes.rows);
    test.shares = std::as_const(shares).view();
    test.probe_shares = std::as_const(probe_shares).view();
  }
  add_samples(evaluator, data, test);
  test.explain = some_explanations;
  evaluator.evaluate(test, report, context);
}

/// Estimates of `numbers` numbers, with a tenth of their deviation as errors.
void judge_estimates(const Evaluator& evaluator, std::size_t numbers, bool targets_known,
                     Report& report, Context& context) {
  std::vector<std::string> names = {"height", "weight"};
  names.resize(numbers);
  const PlaneDataset data(std::move(names));
  const auto of_tests = data.targets().last(sample_rows * numbers);
  std::vector<double> targets(of_tests.begin(), of_tests.end());
  FloatMatrix estimates(sample_rows, numbers);
  Random random(25);
  for (std::size_t k = 0; k < targets.size(); ++k)
    estimates.values[k] = static_cast<float>(targets[k] + 0.5 * random.normal());
  if (!targets_known)
    std::ranges::fill(std::span(targets).first(targets.size() / 2),
                      std::numeric_limits<double>::quiet_NaN());
  Estimated test{std::as_const(estimates).view(), targets, data.outline().targets, lineage()};
  test.lineage.solver = "solver/ridge";
  test.training_targets = data.targets().first(sample_rows * numbers);
  add_samples(evaluator, data, test);
  test.explain = [](std::span<const std::size_t> rows, std::size_t, std::size_t background) {
    return some_explanations(rows, background);
  };
  evaluator.evaluate_estimates(test, report, context);
}

/// Intervals around estimates of `numbers` numbers, some of which do not contain the true one.
void judge_intervals(const Evaluator& evaluator, std::size_t numbers, bool targets_known,
                     Report& report, Context& context) {
  SampleSet samples = estimate_samples(numbers);
  FloatMatrix intervals(sample_rows, 3 * numbers);
  for (std::size_t k = 0; k < samples.values.values.size(); ++k)
    for (std::size_t end = 0; end < 3; ++end)
      intervals.values[3 * k + end] =
          samples.values.values[k] + 0.6F * (static_cast<float>(end) - 1);
  if (!targets_known)
    std::ranges::fill(std::span(samples.targets).first(samples.targets.size() / 2),
                      std::numeric_limits<double>::quiet_NaN());
  Intervals test{std::as_const(intervals).view(), samples.targets, samples.target_names, lineage()};
  test.lineage.solver = "solver/ridge";
  evaluator.evaluate_intervals(test, report, context);
}

/// Scores of a detector that has learned the first class.
void judge_novelty(const Evaluator& evaluator, bool labels_known, Report& report,
                   Context& context) {
  const PlaneDataset data;
  std::vector<std::int32_t> labels(data.labels().begin(), data.labels().begin() + sample_rows);
  FloatMatrix scores(sample_rows, 1);
  Random random(26);
  for (std::size_t i = 0; i < sample_rows; ++i)
    scores.values[i] = static_cast<float>((labels[i] == 0 ? 1 : -1) + random.normal());
  if (!labels_known) std::ranges::fill(std::span(labels).first(labels.size() / 2), -1);
  try {
    evaluator.check_scores(
        {"node", "solver/one_class_svm", data.outline().classes, false, false, PortType::novelty});
  } catch (const Error& refusal) {
    throw NotApplicable(
        std::string("it refuses the classes one, two and three; set its parameters by --set: ") +
        refusal.what());
  }
  Scored test{std::as_const(scores).view(), labels, data.outline().classes, lineage()};
  test.lineage.solver = "solver/one_class_svm";
  test.novelty = true;
  add_samples(evaluator, data, test);
  test.explain = some_explanations;
  evaluator.evaluate(test, report, context);
}

SampleSet samples_to_judge(const ComponentInfo& info) {
  SampleSet samples = std::move(sample_sets(info.inputs.at(0).layouts).front());
  return info.takes(TargetKind::classes) ? samples : with_numbers(std::move(samples));
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

std::string evaluated(const Subject& subject, const ComponentConfig& config, PortType input,
                      bool labels_known, const Setting& setting) {
  TrialContext context(setting);
  RecordedReport report = subject.report(config);
  if (input == PortType::samples)
    subject.create_as<SampleEvaluator>(config)->evaluate(
        SampleTraining(samples_to_judge(subject.info())).set(), report, context);
  else if (input == PortType::pair_scores)
    judge_pairs(*subject.create_as<PairEvaluator>(config), labels_known, report, context);
  else {
    const auto evaluator = subject.create_as<Evaluator>(config);
    if (input == PortType::estimates)
      judge_estimates(*evaluator, 1, labels_known, report, context);
    else if (input == PortType::intervals)
      judge_intervals(*evaluator, 1, labels_known, report, context);
    else if (input == PortType::novelty)
      judge_novelty(*evaluator, labels_known, report, context);
    else
      judge_scores(*evaluator, labels_known, report, context);
  }
  return report.text();
}

/// The reports of all kinds of results that it judges.
std::string evaluated(const Subject& subject, const ComponentConfig& config, bool labels_known,
                      const Setting& setting) {
  std::string text;
  for (const PortInfo& port : subject.info().inputs)
    text += evaluated(subject, config, port.type, labels_known, setting);
  return text;
}

Outcome evaluator_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting) {
  return {{}, evaluated(subject, config, true, setting)};
}

void reports(const Subject& subject) {
  for (const PortInfo& port : subject.info().inputs)
    require(!evaluated(subject, subject.config(), port.type, true, {}).empty(),
            "it reports nothing of " + std::string(name(port.type)));
}

void unknown_labels(const Subject& subject) {
  if (subject.info().inputs.at(0).type == PortType::samples)
    throw NotApplicable("training rows have their labels");
  for (const PortInfo& port : subject.info().inputs) {
    try {
      evaluated(subject, subject.config(), port.type, false, {});
    } catch (const Error&) {
    }
  }
}

void estimates_of_two_numbers(const Subject& subject) {
  testing::TestContext context;
  RecordedReport report = subject.report(subject.config());
  judge_estimates(*subject.create_as<Evaluator>(), 2, true, report, context);
}

void intervals_of_two_numbers(const Subject& subject) {
  testing::TestContext context;
  RecordedReport report = subject.report(subject.config());
  judge_intervals(*subject.create_as<Evaluator>(), 2, true, report, context);
}

void evaluator_of_other_targets(const Subject& subject) {
  const ComponentInfo& info = subject.info();
  const bool numbers = info.takes(TargetKind::numbers), none = info.takes(TargetKind::none);
  if (!numbers && !none) throw NotApplicable("it is declared to learn from classes");
  const auto judge = [&](const SampleSet& samples) {
    testing::TestContext context;
    RecordedReport report = subject.report(subject.config());
    subject.create_as<SampleEvaluator>()->evaluate(SampleTraining(samples).set(), report, context);
  };
  const SampleSet samples = std::move(sample_sets(info.inputs.at(0).layouts).front());
  if (numbers) judge(with_numbers(samples));
  if (none) judge(without_target(samples));
}

}  // namespace

void add_evaluator_checks(std::vector<Check>& checks, const Subject& subject) {
  for (const PortInfo& port : subject.info().inputs) {
    if (port.type == PortType::estimates)
      checks.push_back({"two target numbers", [&subject] { estimates_of_two_numbers(subject); }});
    if (port.type == PortType::intervals)
      checks.push_back({"two target numbers", [&subject] { intervals_of_two_numbers(subject); }});
    if (port.type == PortType::samples)
      checks.push_back({"samples with other targets than classes",
                        [&subject] { evaluator_of_other_targets(subject); }});
  }
  checks.push_back({"it reports something, and no name twice", [&subject] { reports(subject); }});
  checks.push_back({"test rows whose labels are unknown", [&subject] { unknown_labels(subject); }});
  add_repetition_checks(checks, subject, evaluator_trial);
}

}  // namespace semblance::conformance
