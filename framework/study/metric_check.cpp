// SPDX-License-Identifier: MIT
#include "study/metric_check.hpp"

#include "registry/figures.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// The evaluator, solver or calibrator that the metric names; reports where there is none.
const PipelineNode* metric_node(const StudySpecification& study, const Pipeline& pipeline,
                                Problems& problems) {
  std::vector<std::string> names;
  for (const PipelineNode& node : pipeline.nodes) {
    const auto kind = node.info().kind();
    if (kind != "evaluator" && kind != "solver" && kind != "calibrator") continue;
    if (node.name == study.metric_node) return &node;
    names.push_back(node.name);
  }
  const std::string suggestion = did_you_mean(study.metric_node, names);
  problems.error(study.metric_place, "unknown evaluator or solver " + quote(study.metric_node),
                 suggestion.empty() ? "figures are reported by " + enumerate(names) : suggestion);
  return nullptr;
}

std::string more_or_less(Better better) { return std::string(name(better)) + " is better"; }

}  // namespace

void MetricCheck::check(const StudySpecification& study, const Pipeline& pipeline,
                        Problems& problems) {
  if (study.metric_node.empty()) return;
  const PipelineNode* node = metric_node(study, pipeline, problems);
  if (!node) return;
  const FigureInfo* figure = figure_named(node->figures, study.metric);
  const auto known = comparable_figures(node->figures);
  if (figure && figure->name.find('.') == std::string::npos)
    return check_direction(study, *node, *figure, problems);
  const std::string suggestion = did_you_mean(study.metric, known);
  problems.error(study.metric_place,
                 "node " + quote(node->name) + " (" + node->component.id + ") reports no figure " +
                     quote(study.metric),
                 !suggestion.empty() ? suggestion
                 : known.empty()     ? "it reports none"
                                     : "it reports " + enumerate(known));
}

void MetricCheck::check_direction(const StudySpecification& study, const PipelineNode& node,
                                  const FigureInfo& figure, Problems& problems) {
  FigureInfo settled = figure;
  if (study.better != Better::none) settled.better = study.better;
  if (settled.better == Better::none)
    return problems.error(study.metric_place,
                          node.component.id + " does not say which of two values of " +
                              quote(study.metric) + " is better",
                          "add better: lower, or better: higher");
  if (figure.better != Better::none && figure.better != settled.better)
    return problems.error(study.better_place,
                          "of " + quote(study.metric) + " " + more_or_less(figure.better) +
                              ", as " + node.component.id + " declares it",
                          "omit 'better'");
  if (!first_) {
    first_ = settled;
    first_component_ = node.component.id;
  } else if (first_->better != settled.better) {
    problems.error(study.metric_place,
                   "of " + quote(study.metric) + " " + more_or_less(first_->better) + " in " +
                       first_component_ + " and " + more_or_less(settled.better) + " in " +
                       node.component.id,
                   "these cannot be compared: choose a figure that means the same in both");
  }
}

void MetricCheck::tell(Study& study) const {
  if (!first_) return;
  study.unit = first_->unit;
  study.higher_is_better = first_->better == Better::higher;
}

}  // namespace semblance
