// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "study/study.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// The meaning of a study's metric, according to the components that declare the figure: all
/// variants must agree on which of two values is better.
class MetricCheck {
 public:
  /// Reports a metric that is not a comparable figure of a node of the pipeline, and a metric for
  /// which it is unclear or contradictory which of two values is better.
  void check(const StudySpecification& study, const Pipeline& pipeline, Problems& problems);

  /// Sets the findings in the study; does nothing without findings.
  void tell(Study& study) const;

 private:
  void check_direction(const StudySpecification& study, const PipelineNode& node,
                       const FigureInfo& figure, Problems& problems);

  std::optional<FigureInfo> first_;  ///< with the direction determined
  std::string first_component_;
};

}  // namespace semblance
