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

Outcome basis_trial(const Subject& subject, const ComponentConfig& config, const Setting& setting) {
  static const SampleSet samples = many_samples();
  const testing::MemoryRows rows(samples.values);
  TrialContext context(setting);
  const auto basis = subject.create_as<Basis>(config);
  TrainingSet training{rows, samples.layout, samples.labels, samples.classes};
  const auto chosen = basis->select(training, context);
  check_bases(chosen, rows.rows(), basis->count(rows.rows(), samples.classes.size()));
  Outcome outcome;
  for (const std::int64_t row : chosen) outcome.text += std::to_string(row) + "\n";
  return outcome;
}

}  // namespace

void add_basis_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"as many rows as declared, none twice",
                    [&subject] { basis_trial(subject, subject.config(), {}); }});
  add_repetition_checks(checks, subject, basis_trial);
}

}  // namespace semblance::conformance
