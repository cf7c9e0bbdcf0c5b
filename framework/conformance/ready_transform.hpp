// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "conformance/recorded_report.hpp"
#include "conformance/sample_set.hpp"
#include "conformance/trial.hpp"

namespace semblance::conformance {

/// A feature, normalizer, similarity or solver that has learned and can map samples.
struct ReadyTransform {
  std::unique_ptr<Transform> transform;
  Layout output;
  std::string report;  ///< of a solver
};

/// Bases that a similarity is given: the first rows of the samples.
inline constexpr std::size_t base_count = 20;

ReadyTransform make_ready(const Subject& subject, const ComponentConfig& config,
                          const SampleSet& samples, const Setting& setting);

/// Whether the components that it is given as parameters take samples of this layout too, where
/// samples differ in size; a pipeline is refused where not.
bool parts_take(const Subject& subject, const ComponentConfig& config, const Layout& layout);

/// The samples that the component takes, at least one set; Failed with its words where it takes
/// none.
std::vector<SampleSet> samples_taken(const Subject& subject, const ComponentConfig& config);

/// The first of these.
SampleSet samples_for(const Subject& subject, const ComponentConfig& config);

/// Room for what apply() makes of the rows.
FloatMatrix room_for(const ReadyTransform& ready, MatrixView rows);

/// apply() on all rows, into a matrix that held NaN before.
FloatMatrix mapped(const ReadyTransform& ready, MatrixView rows, Context& context);

/// make_ready() and mapped().
Outcome transform_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting);

}  // namespace semblance::conformance
