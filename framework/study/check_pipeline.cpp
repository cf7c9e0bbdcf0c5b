// SPDX-License-Identifier: MIT
#include "study/check_pipeline.hpp"

#include <algorithm>
#include <set>

#include "pipeline/check_nodes.hpp"
#include "pipeline/held_out.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "study/combinations.hpp"
#include "study/fold_groups.hpp"
#include "study/idle_changes.hpp"
#include "study/leave_one_out.hpp"
#include "study/metric_check.hpp"
#include "study/selection.hpp"
#include "study/variant_problems.hpp"
#include "study/varied_tree.hpp"

namespace semblance {
namespace {

class SelectionChecker {
 public:
  SelectionChecker(const YamlNode& base, const StudySpecification& specification,
                   const Pipeline& pipeline, const Catalogue& catalogue,
                   const CheckOptions& options)
      : base_(base),
        specification_(specification),
        pipeline_(pipeline),
        catalogue_(catalogue),
        options_(options) {}

  Selection check(const std::vector<std::vector<std::size_t>>& combinations, Problems& problems) {
    describe(combinations.size());
    for (std::size_t c = 0; c < combinations.size() && !found_.enough(); ++c)
      add(combinations[c], c);
    problems.add(found_.take());
    return std::move(selection_);
  }

 private:
  void describe(std::size_t combinations) {
    selection_.leave_one_out = specification_.leave_one_out;
    Study& trials = selection_.trials;
    trials.name = pipeline_.name;
    trials.seed = pipeline_.seed;
    trials.file = pipeline_.file;
    describe_choices(specification_, combinations, trials);
  }

  void add(const std::vector<std::size_t>& choices, std::size_t combination) {
    Problems problems;
    std::set<std::string> used;
    const YamlNode tree =
        varied_tree(base_, specification_, choices, {}, catalogue_, used, problems);
    auto candidate = check_nodes(tree, pipeline_.file.string(), catalogue_, options_, problems);
    if (candidate) metric_.check(specification_, *candidate, problems);
    metric_.tell(selection_.trials);
    const std::string name = combination_name(specification_, choices);
    std::optional<Pipeline> tried = candidate;
    if (candidate && problems.errors() == 0)
      check_fold_groups(specification_, *candidate, catalogue_, problems);
    const bool sound = candidate && problems.errors() == 0;
    // A metric before a calibrator need not pay for the calibrator.
    if (sound && (specification_.leave_one_out || calibrates(*candidate)))
      tried = needed_for(specification_.metric_node, *candidate);
    if (sound && specification_.leave_one_out)
      check_leave_one_out(specification_, *tried, tree, catalogue_, problems);
    found_.add(problems.take(), name);
    if (!candidate) return;
    for (const Repeat& repeat : specification_.repeats)
      selection_.trials.variants.push_back({name.empty() ? repeat.name : name + "," + repeat.name,
                                            choices,
                                            combination,
                                            repeat.fold,
                                            {held_out(*tried, repeat.fold), nullptr}});
    selection_.candidates.push_back(*std::move(candidate));
  }

  static bool calibrates(const Pipeline& pipeline) {
    return std::ranges::any_of(pipeline.nodes, [](const auto& node) { return folds_of(node) > 0; });
  }

  Pipeline held_out(Pipeline pipeline, std::size_t fold) const {
    Fold held_out{fold, specification_.folds, specification_.leave_one_out ? 0 : pipeline.seed,
                  specification_.leave_one_out};
    held_out.by_row = specification_.folds_by == FoldsBy::row;
    for (PipelineNode& node : pipeline.nodes)
      if (node.inputs.empty()) node.fold = held_out;
    return pipeline;
  }

  const YamlNode& base_;
  const StudySpecification& specification_;
  const Pipeline& pipeline_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  VariantProblems found_;
  MetricCheck metric_;
  Selection selection_;
};

}  // namespace

std::optional<SelectingPipeline> check_pipeline_tree(
    const YamlNode& root, const std::string& file_name, const Catalogue& catalogue,
    const CheckOptions& options, Problems& problems, const std::vector<Override>& changes) {
  const YamlEntry* entry = root.is_mapping() ? root.find("select") : nullptr;
  const auto checked = [&](const YamlNode& tree) -> std::optional<SelectingPipeline> {
    auto pipeline = check_nodes(tree, file_name, catalogue, options, problems);
    if (!pipeline) return std::nullopt;
    return SelectingPipeline{*std::move(pipeline), nullptr};
  };
  if (!entry) return checked(root);
  const StudySpecification specification = read_selection(*entry, problems);
  warn_of_idle_changes(changes, specification.slots, "select.parameters", problems);
  const auto all = combinations(specification, problems);
  YamlNode base = root;
  std::erase_if(base.entries, [](const YamlEntry& e) { return e.key.text == "select"; });
  auto pipeline = checked(base);
  if (!pipeline) return std::nullopt;
  SelectionChecker checker(base, specification, *pipeline, catalogue, options);
  auto selection = std::make_shared<Selection>(checker.check(all, problems));
  if (problems.errors() > 0) return std::nullopt;
  pipeline->selection = std::move(selection);
  return pipeline;
}

PipelineCheck check_pipeline(const std::string& text, const std::string& file_name,
                             const Catalogue& catalogue, const CheckOptions& options) {
  const SourceText source(file_name, without_byte_order_mark(text));
  const auto arguments = override_sources(options.overrides);

  Problems problems;
  PipelineCheck result;
  const auto overrides = parse_overrides(arguments, problems);
  std::optional<YamlNode> root;
  if (check_text(source, problems)) root = parse_yaml(source, problems);
  if (root) {
    apply_overrides(overrides, catalogue, *root, problems);
    result.pipeline =
        check_pipeline_tree(*root, file_name, catalogue, options, problems, overrides);
  }
  result.diagnostics = problems.take();
  return result;
}

PipelineCheck load_pipeline(const std::filesystem::path& file, const Catalogue& catalogue,
                            const CheckOptions& options) {
  const PipelineFile content = read_pipeline_file(file);
  if (!content.problem) return check_pipeline(content.text, file.string(), catalogue, options);
  PipelineCheck result;
  result.diagnostics.push_back(*content.problem);
  return result;
}

}  // namespace semblance
