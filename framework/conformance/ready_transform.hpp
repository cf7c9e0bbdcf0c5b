// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "conformance/recorded.hpp"
#include "conformance/sample_set.hpp"
#include "conformance/subject.hpp"
#include "semblance/solver.hpp"

namespace semblance::conformance {

/// A feature, normalizer, similarity or solver that has learned and can map samples.
struct ReadyTransform {
  std::unique_ptr<Transform> transform;
  Layout output;
  std::string report;  ///< of a solver or calibrator
};

/// The number of bases of a similarity: the first samples.
inline constexpr std::size_t base_count = 20;

ReadyTransform make_ready(const Subject& subject, const ComponentConfig& config,
                          const SampleSet& samples, const Setting& setting);

/// Creates a component that learns, and lets it learn from the samples.
void learn(const Subject& subject, const ComponentConfig& config, const SampleSet& samples,
           Context& context);

/// The output of a solver or calibrator that has learned from the samples.
Layout learned_output(const ComponentInfo& info, const SampleSet& samples);

/// Whether the component's parameters that are components accept this layout too, where samples
/// differ in size; if not, a pipeline is refused.
bool parts_take(const Subject& subject, const ComponentConfig& config, const Layout& layout);

/// The samples that the component accepts, at least one set; throws Failed with its message if it
/// accepts none. Their target is numbers if the component does not learn from classes.
std::vector<SampleSet> samples_taken(const Subject& subject, const ComponentConfig& config);

/// The first of these sets.
SampleSet samples_for(const Subject& subject, const ComponentConfig& config);

/// Trains a new solver, and returns its report.
RecordedReport train(const Subject& subject, const ComponentConfig& config, Learner& learner,
                     const SampleSet& samples, Context& context,
                     std::span<const double> weights = {});

/// For unusual samples, which a component may refuse by an Error. Otherwise its output is finite.
void learns_or_refuses(const Subject& subject, const SampleSet& samples);

/// A matrix for the output of apply() on the rows.
FloatMatrix room_for(const ReadyTransform& ready, MatrixView rows);

/// apply() on all rows, into a matrix filled with NaN.
FloatMatrix mapped(const ReadyTransform& ready, MatrixView rows, Context& context);

/// The component with its defaults, ready, and what it gives.
struct Prepared {
  explicit Prepared(const Subject& subject)
      : Prepared(subject, samples_for(subject, subject.config())) {}
  Prepared(const Subject& subject, SampleSet learned)
      : samples(std::move(learned)),
        ready(make_ready(subject, subject.config(), samples, {})),
        all(mapped(ready, samples.values.view(), context)) {}

  testing::TestContext context;
  SampleSet samples;
  ReadyTransform ready;
  FloatMatrix all;  ///< the output of apply() for all samples at once
};

void require_finite(std::span<const float> values, const std::string& otherwise);

/// make_ready() and mapped().
Outcome transform_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting);

}  // namespace semblance::conformance
