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
                                           std::size_t background, std::size_t) {
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

/// The report of a solver on one similarity map.
Lineage lineage(const char* solver) {
  Lineage lineage{solver, 24, sample_rows, {}, {}, {}};
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

/// What is judged.
struct Asked {
  PortType type = PortType::scores;
  bool known = true;        ///< the classes, numbers or labels of all samples; else of half of them
  std::size_t numbers = 1;  ///< of estimates and intervals: target numbers
  bool grouped = false;     ///< samples belong to groups, some of which are unknown

  bool of_numbers() const { return type == PortType::estimates || type == PortType::intervals; }
};

/// Estimates with a tenth of the numbers' deviation as errors, intervals around them, some of which
/// do not contain the number, or scores of a detector that has learned the first class.
FloatMatrix outputs_of(const Asked& asked, std::span<const std::int32_t> labels,
                       std::span<const double> targets, const Needs& needs) {
  if (asked.type == PortType::scores) {
    FloatMatrix scores = scores_for(labels, labels.size());
    if (needs.probabilities) make_probabilities(scores);
    return scores;
  }
  Random random(25);
  if (asked.type == PortType::novelty) {
    FloatMatrix scores(labels.size(), 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
      scores.values[i] = static_cast<float>((labels[i] == 0 ? 1 : -1) + random.normal());
    return scores;
  }
  const std::size_t ends = asked.type == PortType::intervals ? 3 : 1;
  FloatMatrix outputs(labels.size(), ends * asked.numbers);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const double estimate = targets[k] + 0.5 * random.normal();
    for (std::size_t end = 0; end < ends; ++end)
      outputs.values[ends * k + end] =
          static_cast<float>(ends == 1 ? estimate : estimate + 0.6 * (double(end) - 1));
  }
  return outputs;
}

void check_announced(const Evaluator& evaluator, const Outline& outline) {
  try {
    evaluator.check_scores(
        {"node", "solver/one_class_svm", outline.classes, false, false, PortType::novelty});
  } catch (const Error& refusal) {
    throw NotApplicable(
        std::string("it refuses the classes one, two and three; set its parameters by --set: ") +
        refusal.what());
  }
}

/// Adds what it needs besides the results, and has them judged.
void judge_with_needs(const Evaluator& evaluator, Results test, const Dataset& data, Report& report,
                      Context& context) {
  const Needs needs = evaluator.needs();
  if (!needs.rows_alone()) test.data = &data;
  if (needs.samples) test.nearest_bases = some_bases;
  if (needs.explanations) test.explain = some_explanations;
  FloatMatrix probes, probe_scores, shares, probe_shares;
  if (needs.probes) {
    probes = evaluator.probes(data, context);
    require(probes.cols == data.outline().layout.size(), "probes() gives rows of " +
                                                             std::to_string(probes.cols) +
                                                             " values for samples of 2 values");
    probe_scores = scores_for({}, probes.rows);
    test.probes = std::as_const(probes).view();
    test.probe_scores = std::as_const(probe_scores).view();
    using enum ComparedSample::As;
    test.compared = {{0, margin_vector}, {1, bounded_vector}, {2, basis}};
  }
  if (needs.shares) {
    shares = shares_for(test.labels.size());
    probe_shares = shares_for(probes.rows);
    test.shares = std::as_const(shares).view();
    test.probe_shares = std::as_const(probe_shares).view();
  }
  evaluator.evaluate(test, report, context);
}

void judge_outputs(const Evaluator& evaluator, const Asked& asked, Report& report,
                   Context& context) {
  std::vector<std::string> names = {"height", "weight"};
  names.resize(asked.of_numbers() ? asked.numbers : 0);
  const PlaneDataset data(std::move(names));
  const Outline& outline = data.outline();
  std::vector<std::int32_t> labels(sample_rows);
  std::ranges::copy(data.labels().last(sample_rows), labels.begin());
  const std::size_t count = sample_rows * outline.targets.size();
  std::vector<double> targets(count);
  std::ranges::copy(data.targets().last(count), targets.begin());
  const FloatMatrix outputs = outputs_of(asked, labels, targets, evaluator.needs());
  if (!asked.known) {
    std::ranges::fill(std::span(labels).first(sample_rows / 2), -1);
    std::ranges::fill(std::span(targets).first(count / 2),
                      std::numeric_limits<double>::quiet_NaN());
  }
  if (asked.type == PortType::novelty) check_announced(evaluator, outline);
  Results test{outputs.view(), labels, outline.classes,
               lineage(asked.of_numbers()                ? "solver/ridge"
                       : asked.type == PortType::novelty ? "solver/one_class_svm"
                                                         : "solver/linear_svm")};
  test.type = asked.type;
  test.probabilities = evaluator.needs().probabilities;
  test.sets = evaluator.needs().sets;
  std::vector<std::int32_t> groups;
  for (std::size_t i = 0; asked.grouped && i < sample_rows; ++i)
    groups.push_back(i % 10 == 9 ? -1 : static_cast<std::int32_t>(i / 7));
  test.groups = groups;
  test.targets = targets;
  test.target_names = outline.targets;
  test.training_targets = data.targets().first(count);
  judge_with_needs(evaluator, std::move(test), data, report, context);
}

void judge_pairs(const Evaluator& evaluator, const Asked& asked, Report& report, Context& context) {
  std::vector<Pair> pairs;
  std::vector<std::int32_t> labels;
  std::vector<float> good, poor;
  Random random(23);
  for (std::int32_t k = 0; k < 400; ++k) {
    const std::int32_t label = k % 4 == 0 ? 1 : -1;
    pairs.push_back({k % 37, (k * 7 + 1) % 41, label});
    labels.push_back(asked.known || k % 2 == 0 ? label : 0);
    good.push_back(static_cast<float>(label + 0.8 * random.normal()));
    poor.push_back(static_cast<float>(label + 3 * random.normal()));
  }
  const PairSet set = PairSet::listed(pairs);
  const std::vector<ScoredPairs> tests = {{"good", good, set, labels}, {"poor", poor, set, labels}};
  evaluator.evaluate({.type = asked.type, .pairs = tests}, report, context);
}

void judge_samples(const Evaluator& evaluator, const SampleSet& samples, Report& report,
                   Context& context) {
  const SampleTraining training(samples);
  evaluator.evaluate({.type = PortType::samples, .training = &training.set()}, report, context);
}

SampleSet samples_to_judge(const ComponentInfo& info) {
  SampleSet samples = std::move(sample_sets(info.inputs.at(0).layouts).front());
  return info.takes(TargetKind::classes) ? samples : with_numbers(std::move(samples));
}

std::string evaluated(const Subject& subject, const ComponentConfig& config, const Asked& asked,
                      const Setting& setting = {}) {
  TrialContext context(setting);
  RecordedReport report = subject.report(config);
  const auto evaluator = subject.create_as<Evaluator>(config);
  if (asked.type == PortType::samples)
    judge_samples(*evaluator, samples_to_judge(subject.info()), report, context);
  else if (asked.type == PortType::pair_scores)
    judge_pairs(*evaluator, asked, report, context);
  else
    judge_outputs(*evaluator, asked, report, context);
  return report.text();
}

/// The reports of all kinds of results that it judges.
Outcome evaluator_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting) {
  std::string text;
  for (const PortInfo& port : subject.info().inputs)
    for (const bool grouped : {false, true})
      text += evaluated(subject, config, {port.type, true, 1, grouped}, setting);
  return {{}, text};
}

void reports(const Subject& subject) {
  for (const PortInfo& port : subject.info().inputs)
    require(!evaluated(subject, subject.config(), {port.type}).empty(),
            "it reports nothing of " + std::string(name(port.type)));
}

void unknown_labels(const Subject& subject) {
  if (subject.info().inputs.at(0).type == PortType::samples)
    throw NotApplicable("training rows have their labels");
  for (const PortInfo& port : subject.info().inputs) {
    try {
      evaluated(subject, subject.config(), {port.type, false});
    } catch (const Error&) {
    }
  }
}

void evaluator_of_other_targets(const Subject& subject) {
  const ComponentInfo& info = subject.info();
  const bool numbers = info.takes(TargetKind::numbers), none = info.takes(TargetKind::none);
  if (!numbers && !none) throw NotApplicable("it is declared to learn from classes");
  const auto judge = [&](const SampleSet& samples) {
    testing::TestContext context;
    RecordedReport report = subject.report(subject.config());
    judge_samples(*subject.create_as<Evaluator>(), samples, report, context);
  };
  const SampleSet samples = std::move(sample_sets(info.inputs.at(0).layouts).front());
  if (numbers) judge(with_numbers(samples));
  if (none) judge(without_target(samples));
}

}  // namespace

void add_evaluator_checks(std::vector<Check>& checks, const Subject& subject) {
  for (const PortInfo& port : subject.info().inputs) {
    const Asked of_two{port.type, true, 2};
    if (of_two.of_numbers())
      checks.push_back({"two target numbers",
                        [&subject, of_two] { evaluated(subject, subject.config(), of_two); }});
    if (port.type == PortType::samples)
      checks.push_back({"samples with other targets than classes",
                        [&subject] { evaluator_of_other_targets(subject); }});
  }
  checks.push_back({"it reports something, and no name twice", [&subject] { reports(subject); }});
  for (const PortInfo& port : subject.info().inputs) {
    if (port.type == PortType::samples || port.type == PortType::pair_scores) continue;
    const Asked of_groups{port.type, true, 1, true};
    checks.push_back({"test rows that belong to groups",
                      [&subject, of_groups] { evaluated(subject, subject.config(), of_groups); }});
  }
  checks.push_back({"test rows whose labels are unknown", [&subject] { unknown_labels(subject); }});
  add_repetition_checks(checks, subject, evaluator_trial);
}

}  // namespace semblance::conformance
