// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "report/study_record.hpp"
#include "runtime/run/study_session.hpp"

namespace semblance {

/// The figure by which a study or selection compares variants, for one variant.
struct VariantFigure {
  std::optional<double> value;
  std::string error;       ///< why there is none
  bool undefined = false;  ///< its node was judged, and does not report it
};

/// The node whose figure is compared, in the session's graph.
std::size_t metric_place(const StudyVariant& variant, const Study& study, const StudySession& open,
                         std::size_t place);

/// The figure of `variant` of `study`, which is variant number `place` of the session.
VariantFigure figure_of(const StudyVariant& variant, const Study& study, const StudySession& open,
                        std::size_t place);

/// The results of variant `v`, with its nodes under the names that they have in its own pipeline.
VariantRecord variant_record(const Study& study, const StudySession& open, std::size_t v);

/// The compared figure of all variants, with the test samples that each classified right. A variant
/// that does not report the figure gets an error saying so.
ResultTable result_table(const Study& study, const StudySession& open,
                         std::vector<VariantRecord>& variants);

/// Writes metrics.json, report.html, pipeline.yaml and predictions/ of a variant into its folder.
/// `run` is the study's, without its nodes: copied for each of many variants, these would take
/// longer than all else. As nodes are shared, the variant's wall_seconds are the sum of its nodes'.
void write_variant(const Study& study, const StudySession& open, RunRecord run,
                   const VariantRecord& variant, std::size_t v,
                   const std::filesystem::path& folder);

}  // namespace semblance
