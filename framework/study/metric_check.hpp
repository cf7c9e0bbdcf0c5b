// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "study/study.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// What the metric of a study means, by the declarations of the components whose figure it is: all
/// variants must agree which of two values is better.
class MetricCheck {
 public:
  /// Reports where the metric is no figure of a node of the pipeline that can be compared, or where
  /// it is not clear, or in contradiction, which of two values is better.
  void check(const StudySpecification& study, const Pipeline& pipeline, Problems& problems);

  /// Tells the study what was found; nothing where nothing was.
  void tell(Study& study) const;

 private:
  void check_direction(const StudySpecification& study, const PipelineNode& node,
                       const FigureInfo& figure, Problems& problems);

  std::optional<FigureInfo> first_;  ///< with the direction that was settled
  std::string first_component_;
};

}  // namespace semblance
