// SPDX-License-Identifier: MIT
#include "study/check_pipeline.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "pipeline/check_nodes.hpp"
#include "pipeline/held_out.hpp"
#include "pipeline/pipeline.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/specification/former_names.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "study/combinations.hpp"
#include "study/selection.hpp"
#include "study/study_checks.hpp"
#include "study/study_specification.hpp"
#include "study/tree_edits.hpp"

namespace semblance {

namespace {

const char* const fewer_folds = "set folds: 10 in select, which trains again for every fold";

/// Whether it takes all samples, independent of their number and content: then it makes the same
/// choice without any one of them.
bool takes_all_rows(const Basis& basis) {
  constexpr std::size_t rows = 1 << 20, classes = 2;
  try {
    return !basis.uses_rows() && basis.count(rows, classes) == rows &&
           basis.count(rows - 1, classes) == rows - 1;
  } catch (const Error&) {
    return false;
  }
}

class Checker {
 public:
  Checker(const StudySpecification& select, const Pipeline& pipeline, const YamlNode& tree,
          const Catalogue& catalogue, Problems& problems)
      : select_(select),
        pipeline_(pipeline),
        tree_(tree),
        catalogue_(catalogue),
        problems_(problems) {}

  void check() {
    for (const PipelineNode& node : pipeline_.nodes) {
      const auto component = catalogue_.create(node.component);
      if (node.inputs.empty() || dynamic_cast<const Feature*>(component.get())) continue;
      if (const auto* basis = dynamic_cast<const Basis*>(component.get()))
        check_basis(node, *basis);
      else if (const auto* similarity = dynamic_cast<const Similarity*>(component.get()))
        check_similarity(node, *similarity);
      else if (const auto* learner = dynamic_cast<const Learner*>(component.get()))
        check_solver(node, learner->leaves_one_out());
      else if (const auto* evaluator = dynamic_cast<const Evaluator*>(component.get()))
        check_evaluator(node, *evaluator);
      else
        refuse(node, "learns from the training rows", fewer_folds);
    }
    if (pipeline_.nodes.back().info().kind() == "solver")
      problems_.error(select_.metric_place,
                      "with 'folds: leave_one_out' the metric must be a figure of an evaluator: "
                      "a solver's own are of its training on all rows",
                      "name an evaluator of " + quote(select_.metric_node));
  }

 private:
  void refuse(const PipelineNode& node, const std::string& why, const std::string& help) {
    const YamlEntry* nodes = tree_.find("nodes");
    const YamlEntry* entry = nodes ? nodes->value.find(node.name) : nullptr;
    problems_.error(entry ? entry->key.place : select_.folds_place,
                    not_left_out(node.name, node.component.id) + why, help);
  }

  void check_basis(const PipelineNode& node, const Basis& basis) {
    if (!takes_all_rows(basis))
      refuse(node, "does not take all training rows, so it would choose others without one of them",
             std::string("take all of them, or ") + fewer_folds);
  }

  void check_similarity(const PipelineNode& node, const Similarity& similarity) {
    if (similarity.learns_from_bases())
      refuse(node, "learns from all its bases, so it would differ without one of them",
             std::string(
                 "give what it learns (a width, gamma) a number, or say as: negative where it is "
                 "a distance; or ") +
                 fewer_folds);
    const auto index = static_cast<std::size_t>(&node - pipeline_.nodes.data());
    for (const PipelineNode& consumer : pipeline_.nodes)
      for (const PipelineInput& input : consumer.inputs)
        if (std::ranges::find(input.nodes, index) != input.nodes.end() &&
            consumer.info().kind() != "solver")
          refuse(consumer,
                 "works on similarities to all training rows, of which the one left out is one",
                 std::string("connect the solver to ") + quote(node.name) + " directly, or " +
                     fewer_folds);
  }

  void check_solver(const PipelineNode& node, bool leaves_out) {
    if (!leaves_out)
      return refuse(
          node, "would have to be trained for each row",
          std::string("use a solver that can leave a row out, such as nearest neighbours, or ") +
              fewer_folds);
    const auto& from = node.inputs.front().nodes;
    if (from.size() != 1 || pipeline_.nodes[from[0]].info().kind() != "similarity")
      refuse(node, "must have one similarity to all training rows as its only input",
             std::string("connect it to a similarity, or ") + fewer_folds);
  }

  void check_evaluator(const PipelineNode& node, const Evaluator& evaluator) {
    if (evaluator.needs().probes || evaluator.needs().shares)
      refuse(node, "asks for scores of other samples",
             std::string("use another, or ") + fewer_folds);
  }

  const StudySpecification& select_;
  const Pipeline& pipeline_;
  const YamlNode& tree_;
  const Catalogue& catalogue_;
  Problems& problems_;
};

/// The part of a pipeline that node `name` depends on, itself included.
Pipeline needed_for(const std::string& name, const Pipeline& pipeline) {
  std::vector<char> needed(pipeline.nodes.size());
  for (std::size_t i = pipeline.nodes.size(); i-- > 0;) {
    if (pipeline.nodes[i].name == name) needed[i] = 1;
    if (!needed[i]) continue;
    for (const PipelineInput& input : pipeline.nodes[i].inputs)
      for (const std::size_t from : input.nodes) needed[from] = 1;
  }
  Pipeline part = pipeline;
  part.nodes.clear();
  std::vector<std::size_t> places(pipeline.nodes.size());
  for (std::size_t i = 0; i < pipeline.nodes.size(); ++i) {
    if (!needed[i]) continue;
    places[i] = part.nodes.size();
    PipelineNode node = pipeline.nodes[i];
    for (PipelineInput& input : node.inputs)
      for (std::size_t& from : input.nodes) from = places[from];
    node.origin = places[node.origin];
    part.nodes.push_back(std::move(node));
  }
  return part;
}

/// Checks that every training sample can be left out in turn without training anything for each
/// one. Between the source and the metric's evaluator only these are allowed: features, one
/// similarity to all training samples, and a solver that can compute its result without a sample.
/// Reports other nodes; `tree` knows their places. `pipeline` is needed_for() the metric's node.
void check_leave_one_out(const StudySpecification& select, const Pipeline& pipeline,
                         const YamlNode& tree, const Catalogue& catalogue, Problems& problems) {
  Checker(select, pipeline, tree, catalogue, problems).check();
}

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
    selection_.halving = specification_.halving;
    Study& trials = selection_.trials;
    trials.name = pipeline_.name;
    trials.counts_repeats = false;
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
    metric_.apply_to(selection_.trials);
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
    const auto described = described_choices(specification_, selection_.trials.slots, choices);
    for (const Repeat& repeat : specification_.repeats)
      selection_.trials.variants.push_back({name.empty() ? repeat.name : name + "," + repeat.name,
                                            described,
                                            combination,
                                            repeat.fold,
                                            {held_out(*tried, repeat.fold), nullptr}});
    selection_.candidates.push_back(*std::move(candidate));
  }

  static bool calibrates(const Pipeline& pipeline) {
    return std::ranges::any_of(pipeline.nodes,
                               [](const auto& node) { return node.info().kind() == "calibrator"; });
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
    use_current_names(*root, catalogue, problems, options.of_model);
    apply_overrides(overrides, catalogue, *root, problems);
    result.pipeline =
        check_pipeline_tree(*root, file_name, catalogue, options, problems, overrides);
  }
  result.diagnostics = problems.take();
  if (!options.warns)
    std::erase_if(result.diagnostics,
                  [](const Diagnostic& d) { return d.severity == Severity::warning; });
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
