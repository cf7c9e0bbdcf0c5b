// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "pipeline/specification/overrides.hpp"
#include "pipeline/yaml/diagnostic.hpp"
#include "pipeline/yaml/problems.hpp"
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

  /// Reports the figures to be shown beside the metric that no checked pipeline has.
  void check_further(const StudySpecification& study, Problems& problems) const;

  /// Sets the findings in the study; does nothing without findings.
  void apply_to(Study& study) const;

 private:
  void find_further(const StudySpecification& study, const Pipeline& pipeline);
  void check_direction(const StudySpecification& study, const PipelineNode& node,
                       const FigureInfo& figure, Problems& problems);

  std::optional<FigureInfo> first_;  ///< with the direction determined
  std::string first_component_;
  std::vector<std::optional<StudyFigure>> further_;  ///< as far as they were found
  std::vector<Diagnostic> missing_;                  ///< why the first pipeline lacks each of them
};

/// Reports `folds` by group of sources whose samples have no groups, and leave-one-out on samples
/// that have groups.
void check_fold_groups(const StudySpecification& specification, const Pipeline& pipeline,
                       const Catalogue& catalogue, Problems& problems);

/// Warns of changes from the command line without effect, since all alternatives of a slot change
/// the same place afterwards. `where` names the slots in the message: "select.parameters".
void warn_of_idle_changes(const std::vector<Override>& given, const std::vector<Slot>& slots,
                          const std::string& where, Problems& problems);

/// The problems of variants, each reported once, with the number of variants that have it.
class VariantProblems {
 public:
  void add(const std::vector<Diagnostic>& diagnostics, const std::string& variant);

  /// Whether there are more different errors than anyone reads.
  bool enough() const;

  /// All problems, by position, with those of overrides last.
  std::vector<Diagnostic> take();

 private:
  struct Item {
    Diagnostic diagnostic;
    std::string variant;
    std::size_t count;
  };
  /// Many files that are missing for the same reason become one problem.
  void gather_missing_files();

  std::vector<Item> items_;
  std::map<std::tuple<std::string, int, int, std::string>, std::size_t> seen_;
  std::size_t variants_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace semblance
