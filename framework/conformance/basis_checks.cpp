// SPDX-License-Identifier: MIT
#include <algorithm>

#include "conformance/checks.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/basis.hpp"

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

}  // namespace semblance::conformance
