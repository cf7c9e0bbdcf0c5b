// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "conformance/recorded_report.hpp"
#include "conformance/sample_set.hpp"
#include "conformance/subject.hpp"

namespace semblance::conformance {

/// A feature, normalizer, similarity or solver that has learned and can map samples.
struct ReadyTransform {
  std::unique_ptr<Transform> transform;
  Layout output;
  std::string report;  ///< of a solver
};

/// The number of bases of a similarity: the first samples.
inline constexpr std::size_t base_count = 20;

ReadyTransform make_ready(const Subject& subject, const ComponentConfig& config,
                          const SampleSet& samples, const Setting& setting);

/// Whether the component's parameters that are components accept this layout too, where samples
/// differ in size; if not, a pipeline is refused.
bool parts_take(const Subject& subject, const ComponentConfig& config, const Layout& layout);

/// The samples that the component accepts, at least one set; throws Failed with its message if it
/// accepts none.
std::vector<SampleSet> samples_taken(const Subject& subject, const ComponentConfig& config);

/// The first of these sets.
SampleSet samples_for(const Subject& subject, const ComponentConfig& config);

/// A matrix for the output of apply() on the rows.
FloatMatrix room_for(const ReadyTransform& ready, MatrixView rows);

/// apply() on all rows, into a matrix filled with NaN.
FloatMatrix mapped(const ReadyTransform& ready, MatrixView rows, Context& context);

/// make_ready() and mapped().
Outcome transform_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting);

}  // namespace semblance::conformance
