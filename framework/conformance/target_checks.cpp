// SPDX-License-Identifier: MIT
// The promises about targets: a component learns from the kinds of targets that its declaration
// says, and works with all others if it says nothing.
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"

namespace semblance::conformance {
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

}  // namespace semblance::conformance
