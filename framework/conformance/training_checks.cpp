// SPDX-License-Identifier: MIT
// What components learn from: rows, targets and weights.
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/basis.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/solver.hpp"

namespace semblance::conformance {
namespace {

void check_bases(const std::vector<std::int64_t>& bases, std::size_t rows, std::size_t announced) {
  require(bases.size() == announced, "it chose " + std::to_string(bases.size()) +
                                         " bases; count() said " + std::to_string(announced));
  auto sorted = bases;
  std::ranges::sort(sorted);
  require(std::ranges::adjacent_find(sorted) == sorted.end(), "it chose a row twice");
  require(
      sorted.empty() || (sorted.front() >= 0 && sorted.back() < static_cast<std::int64_t>(rows)),
      "it chose a row that is not a training row");
}

std::vector<std::int64_t> selected(const Subject& subject, const ComponentConfig& config,
                                   const SampleSet& samples, const Setting& setting) {
  TrialContext context(setting);
  const auto basis = subject.create_as<Basis>(config);
  const SampleTraining training(samples);
  auto chosen = basis->select(training.set(), context);
  check_bases(chosen, samples.values.rows,
              basis->count(samples.values.rows, samples.classes.size()));
  return chosen;
}

Outcome basis_trial(const Subject& subject, const ComponentConfig& config, const Setting& setting) {
  static const SampleSet with_classes = many_samples();
  const bool classes = subject.info().takes(TargetKind::classes);
  const auto chosen =
      selected(subject, config, classes ? with_classes : with_numbers(with_classes), setting);
  Outcome outcome;
  for (const std::int64_t row : chosen) outcome.text += std::to_string(row) + "\n";
  return outcome;
}

void other_targets(const Subject& subject) {
  const ComponentInfo& info = subject.info();
  const bool numbers = info.takes(TargetKind::numbers), none = info.takes(TargetKind::none);
  if (!numbers && !none) throw NotApplicable("it is declared to learn from classes");
  if (numbers) selected(subject, subject.config(), with_numbers(many_samples()), {});
  if (none) selected(subject, subject.config(), without_target(many_samples()), {});
}

}  // namespace

void add_basis_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"as many rows as declared, none twice",
                    [&subject] { basis_trial(subject, subject.config(), {}); }});
  checks.push_back(
      {"samples with other targets than classes", [&subject] { other_targets(subject); }});
  add_repetition_checks(checks, subject, basis_trial);
}

namespace {

/// Calls the body with the samples and each target other than classes that the component takes.
template <class Body>
void for_each_target(const Subject& subject, const SampleSet& samples, const Body& body) {
  if (subject.info().takes(TargetKind::numbers))
    body(with_numbers(samples), "with numbers as their target");
  if (subject.info().takes(TargetKind::none)) body(without_target(samples), "without a target");
}

void transform_with_other_targets(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const auto values = [&](const SampleSet& learned) {
    return Prepared(subject, learned).all.values;
  };
  // What a novelty detector learns from may depend on the classes, by a parameter.
  const bool ignores = subject.info().targets.empty() && subject.info().kind() != "solver";
  for_each_target(subject, samples, [&](const SampleSet& other, const std::string& with) {
    const Outcome found{values(other), ""};
    require_finite(found.values,
                   "having learned from samples " + with + ", it gives values that are not finite");
    if (!ignores) return;
    const std::string what = difference({values(samples), ""}, found);
    require(what.empty(), "samples " + with + " instead of classes: " + what +
                              "; if it learns from classes, .learns_from() must say so");
  });
}

}  // namespace

void add_target_checks(std::vector<Check>& checks, const Subject& subject) {
  const ComponentInfo& info = subject.info();
  const bool classes = info.takes(TargetKind::classes);
  if (!classes || (!info.takes(TargetKind::numbers) && !info.takes(TargetKind::none))) return;
  checks.push_back({"samples with other targets than classes",
                    [&subject] { transform_with_other_targets(subject); }});
}

namespace {

struct Learned {
  double objective = 0;
  bool converged = false;
  std::vector<float> values;  ///< that it gives for the original samples
};

/// Trains on the present rows of `samples`, and scores those of `asked`.
Learned learned(const Subject& subject, const ComponentConfig& config, const SampleSet& samples,
                std::span<const double> weights, const SampleSet& asked) {
  ReadyTransform ready{subject.create_as<Learner>(config), learned_output(subject.info(), samples),
                       ""};
  testing::TestContext context;
  const RecordedReport report =
      train(subject, config, dynamic_cast<Learner&>(*ready.transform), samples, context, weights);
  ready.transform->bind(samples.layout);
  return {report.number_of("objective"),
          report.text_of("certificate") == name(Certificate::converged),
          mapped(ready, asked.values.view(), context).values};
}

/// Samples of a class have different weights.
std::vector<double> every_third(std::size_t rows, double first, double second, double third) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows; ++i)
    weights.push_back(i / 3 % 3 == 0 ? first : i / 3 % 3 == 1 ? second : third);
  return weights;
}

/// Where classes are far apart, no sample may have a loss, and then no weight matters.
SampleSet overlapping(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  constexpr std::size_t one_in = 7;
  if (samples.classes.empty()) {
    for (std::size_t k = 0; k < samples.targets.size(); k += one_in) samples.targets[k] += 1;
    return samples;
  }
  for (std::size_t i = 0; i < samples.labels.size(); i += one_in)
    samples.labels[i] = (samples.labels[i] + 1) % static_cast<std::int32_t>(sample_classes);
  return samples;
}

void require_rows(const Subject& subject) {
  if (!subject.create_as<Learner>()->uses_rows())
    throw NotApplicable("it minimizes nothing over its rows");
}

void require_same_optimum(const Learned& one, const Learned& other, const std::string& what) {
  if (!one.converged || !other.converged)
    throw NotApplicable("it does not converge on these samples, so there is no optimum to compare");
  constexpr double tolerance = 0.03;  // for solvers that stop in one of several optima
  require(std::abs(one.objective - other.objective) <=
              tolerance * std::max(std::abs(one.objective), std::abs(other.objective)),
          what + ": the objectives are " + to_text(Value(one.objective)) + " and " +
              to_text(Value(other.objective)));
}

void weights_of_one(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const std::vector<double> ones(samples.labels.size(), 1);
  const Learned without = learned(subject, subject.config(), samples, {}, samples);
  const Learned with = learned(subject, subject.config(), samples, ones, samples);
  require(without.values == with.values, "weights of 1 change the last bits of its values");
}

/// The number 1 for each parameter that would be chosen on held-out samples: where a sample is
/// repeated, its copies are on both sides, so that another value may be chosen.
ComponentConfig without_choices(const Subject& subject) {
  ComponentConfig config = subject.config();
  for (auto& [name, value] : config.values)
    if (const std::string* word = std::get_if<std::string>(&value); word && *word == "automatic")
      if (is_number_or_word(*subject.info().parameter(name))) value = 1.0;
  return config;
}

void weights_are_repetitions(const Subject& subject) {
  require_rows(subject);
  const SampleSet samples = overlapping(subject);
  const auto weights = every_third(samples.labels.size(), 1, 3, 2);
  const ComponentConfig config = without_choices(subject);
  const Learned weighted = learned(subject, config, samples, weights, samples);
  require(weighted.values != learned(subject, config, samples, {}, samples).values,
          "weights 1, 2 and 3 give the same model as no weights, to the last bit");
  require_same_optimum(weighted, learned(subject, config, repeated(samples, weights), {}, samples),
                       "weights 1, 2 and 3 give another model than repeated rows");
}

void weight_of_zero(const Subject& subject) {
  require_rows(subject);
  const SampleSet samples = overlapping(subject);
  const auto weights = every_third(samples.labels.size(), 1, 0, 1);
  require_same_optimum(learned(subject, subject.config(), samples, weights, samples),
                       learned(subject, subject.config(), repeated(samples, weights), {}, samples),
                       "rows of weight 0 change the model");
}

void weights_times_cost(const Subject& subject) {
  require_rows(subject);
  const ParameterInfo* cost = subject.info().parameter("C");
  if (!cost || !std::holds_alternative<double>(cost->fallback))
    throw NotApplicable("it has no parameter C");
  const SampleSet samples = overlapping(subject);
  ComponentConfig doubled = subject.config();
  const auto given =
      std::ranges::find(doubled.values, "C", [](const auto& named) { return named.first; });
  const double value = given == doubled.values.end() ? std::get<double>(cost->fallback)
                                                     : std::get<double>(given->second);
  std::erase_if(doubled.values, [](const auto& named) { return named.first == "C"; });
  doubled.values.emplace_back("C", 2 * value);
  const std::vector<double> twos(samples.labels.size(), 2);
  require_same_optimum(learned(subject, subject.config(), samples, twos, samples),
                       learned(subject, doubled, samples, {}, samples),
                       "weights of 2 give another model than twice the C");
}

}  // namespace

void add_weight_checks(std::vector<Check>& checks, const Subject& subject) {
  if (!subject.info().takes_weights) return;
  add(checks, subject,
      {{"weights of 1 change nothing", weights_of_one},
       {"whole weights are repetitions of rows", weights_are_repetitions},
       {"rows of weight 0 are ignored", weight_of_zero},
       {"twice the weights are twice the C", weights_times_cost}});
}

}  // namespace semblance::conformance
