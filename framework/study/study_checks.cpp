// SPDX-License-Identifier: MIT
#include "study/study_checks.hpp"

#include <algorithm>
#include <string_view>

#include "pipeline/graph.hpp"
#include "registry/figures.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

namespace {

/// The evaluator, solver or calibrator of this name; reports where there is none.
const PipelineNode* metric_node(const std::string& wanted, const Place& place,
                                const Pipeline& pipeline, Problems& problems) {
  std::vector<std::string> names;
  for (const PipelineNode& node : pipeline.nodes) {
    const auto kind = node.info().kind();
    if (kind != "evaluator" && kind != "solver" && kind != "calibrator") continue;
    if (node.name == wanted) return &node;
    names.push_back(node.name);
  }
  const std::string suggestion = did_you_mean(wanted, names);
  problems.error(place, "unknown evaluator or solver " + quote(wanted),
                 suggestion.empty() ? "figures are reported by " + enumerate(names) : suggestion);
  return nullptr;
}

/// What the node declares about the figure; reports a figure that cannot be compared.
const FigureInfo* comparable_figure(const PipelineNode& node, const std::string& wanted,
                                    const Place& place, Problems& problems) {
  const FigureInfo* figure = figure_named(node.figures, wanted);
  if (figure && figure->name.find('.') == std::string::npos) return figure;
  const auto known = comparable_figures(node.figures);
  const std::string suggestion = did_you_mean(wanted, known);
  problems.error(place,
                 "node " + quote(node.name) + " (" + node.component.id + ") reports no figure " +
                     quote(wanted),
                 !suggestion.empty() ? suggestion
                 : known.empty()     ? "it reports none"
                                     : "it reports " + enumerate(known));
  return nullptr;
}

std::string more_or_less(Better better) { return std::string(name(better)) + " is better"; }

/// Whether `change` sets what `given` sets, or something that contains it.
bool covers(const Override& change, const Override& given) {
  const auto same_text = [](const YamlNode& a, const YamlNode& b) { return a.text == b.text; };
  return !change.path.empty() && change.path.size() <= given.path.size() &&
         std::equal(change.path.begin(), change.path.end(), given.path.begin(), same_text);
}

bool covers(const Slot& slot, const Override& given) {
  const auto alternative_covers = [&](const Alternative& alternative) {
    return std::ranges::any_of(alternative.changes,
                               [&](const Override& change) { return covers(change, given); });
  };
  return !slot.alternatives.empty() && std::ranges::all_of(slot.alternatives, alternative_covers);
}

constexpr std::size_t most_errors = 100;
constexpr std::size_t most_files_named = 3;
constexpr std::string_view no_such_file = " does not exist";

/// One remedy for several missing files: what all say; or, where known data sets are missing, the
/// command that gets all of them; or the first.
std::string joint_remedy(const std::vector<std::string>& helps) {
  if (std::ranges::all_of(helps, [&](const auto& help) { return help == helps.front(); }))
    return helps.front();
  constexpr std::string_view command = "semblance data get ";
  std::string sets;
  for (const std::string& help : helps) {
    const std::size_t at = help.find(command);
    if (at == std::string::npos) return helps.front();
    const std::size_t begin = at + command.size();
    const std::string set = help.substr(begin, help.find_first_of(") ", begin) - begin) + " ";
    if (sets.find(" " + set) == std::string::npos) sets += (sets.empty() ? " " : "") + set;
  }
  return "set the data folder with --data DIR or $SEMBLANCE_DATA, or download these data sets: " +
         std::string(command) + sets.substr(1, sets.size() - 2);
}

}  // namespace

void MetricCheck::check(const StudySpecification& study, const Pipeline& pipeline,
                        Problems& problems) {
  if (study.metric_node.empty()) return;
  find_further(study, pipeline);
  const PipelineNode* node = metric_node(study.metric_node, study.metric_place, pipeline, problems);
  const FigureInfo* figure =
      node ? comparable_figure(*node, study.metric, study.metric_place, problems) : nullptr;
  if (figure) check_direction(study, *node, *figure, problems);
}

void MetricCheck::find_further(const StudySpecification& study, const Pipeline& pipeline) {
  further_.resize(study.further.size());
  for (std::size_t i = 0; i < study.further.size(); ++i) {
    const FurtherMetric& wanted = study.further[i];
    Problems own;
    const PipelineNode* node = metric_node(wanted.node, wanted.place, pipeline, own);
    const FigureInfo* figure =
        node ? comparable_figure(*node, wanted.figure, wanted.place, own) : nullptr;
    if (missing_.size() == i) missing_.emplace_back();
    if (!figure) {
      if (missing_[i].message.empty()) missing_[i] = own.take().front();
    } else if (!further_[i]) {
      further_[i] = StudyFigure{wanted.node, wanted.figure, figure->unit, figure->better};
    } else if (further_[i]->better != figure->better) {
      further_[i]->better = Better::none;  // no value is marked as the best
    }
  }
}

void MetricCheck::check_further(const StudySpecification& study, Problems& problems) const {
  for (std::size_t i = 0; i < study.further.size() && i < further_.size(); ++i)
    if (!further_[i]) problems.add({missing_[i]});
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

void MetricCheck::apply_to(Study& study) const {
  if (!first_) return;
  study.unit = first_->unit;
  study.higher_is_better = first_->better == Better::higher;
  study.further.clear();
  for (const auto& figure : further_)
    if (figure) study.further.push_back(*figure);
}

void check_fold_groups(const StudySpecification& specification, const Pipeline& pipeline,
                       const Catalogue& catalogue, Problems& problems) {
  if (specification.folds_by == FoldsBy::row) return;
  const bool by_group = specification.folds_by == FoldsBy::group;
  if (!by_group && !specification.leave_one_out) return;
  for (const PipelineNode& node : pipeline.nodes) {
    if (!node.inputs.empty()) continue;
    const bool grouped = gives_groups(node.component, catalogue);
    if (by_group && !grouped)
      problems.error(
          specification.folds_place,
          "'folds' are by group, but the rows of " + quote(node.name) + " have no groups",
          no_groups_help(node.name));
    else if (grouped && specification.leave_one_out)
      problems.error(specification.folds_place,
                     "rows of " + quote(node.name) +
                         " have groups, and leave_one_out leaves out one row at a time, so that "
                         "others of its group would classify it",
                     "set folds: {count: 10, by: group}, or {count: leave_one_out, by: row} to "
                     "ignore the groups");
  }
}

void warn_of_idle_changes(const std::vector<Override>& given, const std::vector<Slot>& slots,
                          const std::string& where, Problems& problems) {
  for (const Override& change : given)
    for (const Slot& slot : slots)
      if (covers(slot, change))
        problems.warning(
            change.path.back().place,
            "this change has no effect: '" + where + "." + slot.name + "' tries values of its own",
            "change those values instead");
}

void VariantProblems::add(const std::vector<Diagnostic>& diagnostics, const std::string& variant) {
  ++variants_;
  for (const Diagnostic& d : diagnostics) {
    const auto [place, fresh] = seen_.emplace(
        std::tuple(d.file, d.position.line, d.position.column, d.message), items_.size());
    if (fresh) items_.push_back({d, variant, 0});
    ++items_[place->second].count;
    errors_ += fresh && d.severity == Severity::error;
  }
}

bool VariantProblems::enough() const { return errors_ >= most_errors; }

void VariantProblems::gather_missing_files() {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].diagnostic.message.ends_with(no_such_file)) missing.push_back(i);
  if (missing.size() <= most_files_named) return;
  std::string names;
  std::vector<std::string> helps;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const Diagnostic& one = items_[missing[i]].diagnostic;
    helps.push_back(one.help);
    if (i < most_files_named)
      names +=
          (i > 0 ? ", " : "") + one.message.substr(0, one.message.size() - no_such_file.size());
  }
  Item& first = items_[missing.front()];
  first.diagnostic.message = (enough() ? "at least " : "") + std::to_string(missing.size()) +
                             " files or folders do not exist: " + names + " and " +
                             std::to_string(missing.size() - most_files_named) + " more";
  first.diagnostic.help = joint_remedy(helps);
  first.count = variants_;  // all of them are meant, not those of the first file
  std::vector<Item> kept;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (i == missing.front() || std::ranges::find(missing, i) == missing.end())
      kept.push_back(std::move(items_[i]));
  items_ = std::move(kept);
}

std::vector<Diagnostic> VariantProblems::take() {
  gather_missing_files();
  std::vector<Diagnostic> result;
  for (Item& item : items_) {
    if (item.count < variants_)
      item.diagnostic.message += " (in " + std::to_string(item.count) + " of " +
                                 std::to_string(variants_) + " variants, first " +
                                 quote(item.variant) + ")";
    result.push_back(std::move(item.diagnostic));
  }
  std::ranges::stable_sort(result, {}, [](const Diagnostic& d) {
    return std::tuple(d.file == "--set", d.position.line, d.position.column);
  });
  return result;
}

}  // namespace semblance
