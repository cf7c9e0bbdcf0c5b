// SPDX-License-Identifier: MIT
#include "runtime/session/compile.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "pipeline/held_out.hpp"
#include "pipeline/node_identity.hpp"
#include "registry/parts_of_pairs.hpp"
#include "runtime/graph/compilation.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/node_files.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/sources/folds.hpp"
#include "runtime/sources/open_data.hpp"
#include "runtime/sources/setting_aside.hpp"
#include "runtime/sources/slow_data.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {
namespace {

void connect(Node& node, Compilation& graph) {
  for (const auto& input : node.facts().spec->inputs) {
    for (const std::size_t from : input.nodes)
      graph.node(from).facts().consumers.push_back(node.facts().index);
    if (input.port == "bases")
      node.facts().bases = input.nodes.at(0);
    else if (input.port == "pairs")
      node.facts().pairs = input.nodes.at(0);
    else if (input.port == held_out_port)
      node.facts().held_out = input.nodes;
    else
      node.facts().inputs.insert(node.facts().inputs.end(), input.nodes.begin(), input.nodes.end());
  }
  if (!calibrates_by_column(*node.facts().spec)) return;
  // It sees the rows of its source beside the scores.
  node.facts().inputs.push_back(node.facts().spec->origin);
  graph.node(node.facts().spec->origin).facts().consumers.push_back(node.facts().index);
}

/// The first component in `config` whose sample values each belong to one row of the source's data;
/// `inside` says whether another measure passes the samples on, perhaps a part of their values.
const ComponentInfo* comparing_by_rows(const ComponentConfig& config, const Catalogue& catalogue,
                                       bool& inside) {
  const auto* entry = catalogue.find(config.id);
  if (entry && entry->info.columns_are_rows) return &entry->info;
  if (entry && takes_pairs_only(entry->info)) return nullptr;  // its parts get other rows
  for (const auto& [parameter, part] : config.parts) {
    const auto* found = comparing_by_rows(part, catalogue, inside);
    if (!found) continue;
    inside = inside || (entry && entry->info.kind() == "similarity");
    return found;
  }
  return nullptr;
}

/// Where values are those of a matrix with a column for each row of the data, the numbers must
/// agree: one extra column shifts all others, and nothing else would detect it. The matrix may also
/// be a map that this run computes, whose bases are all training rows.
void check_columns(Node& node, const Compilation& graph, const Catalogue& catalogue) {
  bool inside = false;
  const auto* info = comparing_by_rows(node.facts().spec->component, catalogue, inside);
  if (!info || node.facts().inputs.empty()) return;
  const std::size_t values = joined_width(node.facts(), graph);
  node.facts().columns_are_bases = node.facts().inputs.size() == 1 &&
                                   graph.facts(node.facts().inputs[0]).bases &&
                                   (dynamic_cast<const Similarity*>(node.parts.at(0).get()) ||
                                    dynamic_cast<const Learner*>(node.parts.at(0).get()));
  const std::size_t rows = node.facts().columns_are_bases ? node.facts().outline->train_rows
                                                          : numbered_rows(*node.facts().outline);
  if (values == rows || (inside && values > rows)) return;
  const std::string source = graph.facts(node.facts().spec->origin).name();
  if (node.facts().columns_are_bases)
    throw Error(info->id + " reads each value of '" + graph.facts(node.facts().inputs[0]).name() +
                "' as the similarity to one training row, so all of them must be its bases: there "
                "are " +
                std::to_string(rows) + ", but " + std::to_string(values) +
                " bases; choose all rows as bases there");
  throw Error(
      info->id + " reads each value of a sample as its similarity to one row that '" + source +
      "' has for training, in the order of those rows: the samples have " + std::to_string(values) +
      " values, but there are " + std::to_string(rows) +
      " such rows; drop columns that hold something else, such as an id, and use a matrix of "
      "exactly these rows" +
      (values < rows ? ", with rows that have no column in a separate file (test_path)" : ""));
}

/// Components nested in one of pairs must take the samples that they get. Without `second`, `first`
/// gets those of both sides.
void check_nested(const ComponentConfig& config, const Layout& layout, const Catalogue& catalogue) {
  const auto* entry = catalogue.find(config.id);
  const bool pairs = layout.kind == LayoutKind::pair && entry && takes_pairs_only(entry->info);
  const auto has_second = [&] {
    return std::ranges::find(config.parts, "second", &ComponentPart::parameter) !=
           config.parts.end();
  };
  const auto check = [&](const ComponentPart& part, const Layout& given) {
    const auto* nested = catalogue.find(part.component.id);
    if (!nested || nested->info.inputs.empty()) return;
    const auto taken = nested->info.inputs.front().layouts_with(
        part.component.values, nested->info.inputs.front().layouts_taken());
    if (std::ranges::find(taken, given.kind) == taken.end())
      throw Error("'" + part.parameter + "' of " + config.id + " is " + part.component.id +
                  ", which does not take a " + describe(given) + "; choose one that does");
    check_nested(part.component, given, catalogue);
  };
  for (const ComponentPart& part : config.parts) {
    if (!pairs) {
      check_nested(part.component, layout, catalogue);
      continue;
    }
    if (part.parameter == "first") check(part, layout.parts[0]);
    if (part.parameter == "second" || (part.parameter == "first" && !has_second()))
      check(part, layout.parts[1]);
  }
}

/// Checks what the pipeline cannot know where a source does not declare its layout.
void check_sizes(const Node& node, const Compilation& graph, const Catalogue& catalogue) {
  for (const std::size_t input : node.facts().inputs) {
    const Layout& layout = graph.facts(input).output;
    const auto taken = node.facts().spec->info().inputs.at(0).layouts_taken();
    if (!layout.ragged()) continue;
    if (layout.kind == LayoutKind::pair)
      check_nested(node.facts().spec->component, layout, catalogue);
    if (std::ranges::find(taken, layout.kind) == taken.end())
      throw Error("it cannot take the rows of '" + graph.facts(input).name() + "', each a " +
                  describe(layout) + ": samples must be of one size" +
                  (layout.kind == LayoutKind::sparse ? " and dense" : ""));
    if (node.facts().inputs.size() > 1 && node.parts_wanted() == 1)
      throw Error("it has several inputs, which are put side by side, but the rows of '" +
                  graph.facts(input).name() + "', each a " + describe(layout) +
                  ", differ in size; give it one input");
  }
}

/// Sets how many values its rows have on average, at most, where their content decides.
void expect_values(Node& node, const Compilation& graph) {
  if (node.facts().inputs.size() != 1 || !node.facts().output.ragged()) return;
  const NodeFacts& input = graph.facts(node.facts().inputs[0]);
  const auto* transform = dynamic_cast<const Transform*>(node.parts.at(0).get());
  if (!transform || (!transform->sized_by_content() && input.row_values == 0)) return;
  const std::size_t rows = std::max<std::size_t>(1, node.facts().outline->rows());
  const std::size_t values = (expected_values(input, rows) + rows - 1) / rows;
  node.facts().row_values = std::min(transform->values_of(values), node.facts().output.size());
}

/// Puts columns with names in the model's order; without names there is nothing to match.
void match_columns(const NodeFacts& source, const Outline& outline, const KnownShapes& known,
                   RunServices& services) {
  const auto found = known.columns.find(source.name());
  const std::vector<std::string> none;
  const std::vector<std::string>& columns = found == known.columns.end() ? none : found->second;
  if (columns == outline.columns) return;
  if (!columns.empty() && !outline.columns.empty())
    throw Error(
        "its columns differ in name or order from those the model was trained on; use the columns "
        "of the training data");
  services.log(LogLevel::warning, source.name() + ": columns are matched by position: " +
                                      (columns.empty() ? "the model has no column names"
                                                       : "the new data have no column names"));
}

void match_model(const NodeFacts& source, Outline& outline, const KnownShapes& known,
                 RunServices& services) {
  const auto layout = known.outputs.find(source.name());
  const auto classes = known.classes.find(source.name());
  if (layout == known.outputs.end() || classes == known.classes.end())
    throw Error("the model has no source with this name");
  if (layout->second != outline.layout)
    throw Error("its rows are each a " + describe(outline.layout) +
                ", but the model was trained on rows that are each a " + describe(layout->second));
  match_columns(source, outline, known, services);
  outline.classes = classes->second;
  if (const auto targets = known.targets.find(source.name()); targets != known.targets.end())
    outline.targets = targets->second;
}

/// The outline of a source according to a model.
Outline known_outline(const NodeFacts& source, const KnownShapes& known) {
  Outline outline;
  const auto layout = known.outputs.find(source.name());
  const auto classes = known.classes.find(source.name());
  const auto columns = known.columns.find(source.name());
  if (layout == known.outputs.end() || classes == known.classes.end())
    throw Error("the model has no source with this name");
  outline.layout = layout->second;
  outline.classes = classes->second;
  if (const auto targets = known.targets.find(source.name()); targets != known.targets.end())
    outline.targets = targets->second;
  if (columns != known.columns.end()) outline.columns = columns->second;
  return outline;
}

/// Finds the sizes of folds that hold groups together; these depend on the labels and groups of the
/// samples. Opens each data set once for all its folds.
class GroupedFolds {
 public:
  GroupedFolds(const Catalogue& catalogue, RunServices& services, SlowData* slow)
      : catalogue_(catalogue), services_(services), slow_(slow) {}

  /// Whether groups determine the samples of a source.
  static bool decide(const Node& source) {
    const Fold& fold = source.facts().spec->fold;
    return fold.count > 0 && source.as<Source>().gives_groups();
  }

  const Outline& outline(Node& source) {
    std::string key = node_identity(*source.facts().spec, catalogue_).dump();
    for (const std::int64_t row : source.facts().set_aside) key += " " + std::to_string(row);
    const auto known = outlines_.find(key);
    if (known != outlines_.end()) return known->second;
    return outlines_[key] = rows_among(source.facts(), data(source))->outline();
  }

 private:
  std::shared_ptr<const Dataset> data(Node& source) {
    auto& opened = data_[data_identity(*source.facts().spec, catalogue_)];
    if (opened) return opened;
    if (slow_ && (opened = slow_->open(source))) return opened;
    NodeContext context(services_, source.name(),
                        mixed_seed(source.facts().spec->seed, source.facts().spec->component.id),
                        data_bytes(*source.facts().outline), name_of_data(*source.facts().spec));
    auto& component = source.as<Source>();
    if (!component.selects_rows()) return opened = component.open(context);
    const WantedRows wanted = component.wanted();
    component.keep_only(WantedRows::none());
    opened = component.open(context);
    component.keep_only(wanted);
    return opened;
  }

  const Catalogue& catalogue_;
  RunServices& services_;
  SlowData* const slow_;
  std::map<std::string, std::shared_ptr<const Dataset>> data_;
  std::map<std::string, Outline> outlines_;
};

/// Sets what the source announces, as modified by the model or a fold.
void outline_source(Compilation& graph, Node& node, const Catalogue& catalogue,
                    RunServices& services, InputFiles& files, const KnownShapes* known,
                    bool rows_are_shared, SlowData* slow, GroupedFolds& grouped) {
  if (rows_are_shared) node.as<Source>().keep_only(WantedRows::none());
  const PipelineNode& spec = *node.facts().spec;
  NodeContext context(services, node.name(), mixed_seed(spec.seed, spec.component.id), 0,
                      name_of_data(spec));
  if (known && known->without_data) {
    graph.outlines.push_back(std::make_unique<Outline>(known_outline(node.facts(), *known)));
    node.facts().outline = graph.outlines.back().get();
    return;
  }
  if (known) {
    known->apply_to(node.as<Source>(), node.name());
    node.facts().new_data = known->changed.contains(node.name());
  }
  note_files(node, catalogue, files);
  const auto stored = slow ? slow->open(node) : nullptr;
  if (stored && slow->has_store()) node.facts().held_bytes = stored->bytes();
  graph.outlines.push_back(
      std::make_unique<Outline>(stored ? stored->outline() : node.as<Source>().outline(context)));
  Outline& outline = *graph.outlines.back();
  node.facts().outline = &outline;
  if (known) match_model(node.facts(), outline, *known, services);
  if (!known) set_rows_aside(graph, node, catalogue, services, slow);
  if (GroupedFolds::decide(node)) {
    outline = grouped.outline(node);
    return;
  }
  if (!node.facts().set_aside.empty())
    outline = with_set_aside(outline, node.facts().set_aside.size());
  if (spec.fold.count > 0) outline = folded_within(outline, spec.fold, maker_of_folds(spec));
}

/// Finds the sources that share opened data (OpenData): folds of the same data, and the complete
/// data where calibrators have folds of them.
void find_shared_data(Compilation& graph, const Catalogue& catalogue) {
  std::map<std::string, std::size_t> first;
  std::set<std::string> held_out;
  const auto identity = [&](const NodeFacts& node) { return data_identity(*node.spec, catalogue); };
  for (const auto& node : graph.nodes)
    if (node->facts().is_source() && node->facts().spec->held_out)
      held_out.insert(identity(node->facts()));
  for (const auto& node : graph.nodes) {
    node->facts().shares_data_of = node->facts().index;
    if (!node->facts().is_source()) continue;
    const std::string same = identity(node->facts());
    const bool whole = node->facts().spec->fold.count == 0 && node->facts().set_aside.empty();
    if (!whole || held_out.contains(same))
      node->facts().shares_data_of = first.emplace(same, node->facts().index).first->second;
  }
}

}  // namespace

Compilation compile(const Pipeline& pipeline, const Catalogue& catalogue, RunServices& services,
                    InputFiles& files, const KnownShapes* known, bool rows_are_shared,
                    SlowData* slow) {
  Compilation graph;
  graph.pipeline = &pipeline;
  for (const PipelineNode& spec : pipeline.nodes)
    in_node(pipeline, spec, "preparing", [&] {
      graph.nodes.push_back(make_node(spec.info()));
      graph.nodes.back()->facts().spec = &spec;
      graph.nodes.back()->facts().index = graph.nodes.size() - 1;
    });
  GroupedFolds grouped(catalogue, services, slow);
  for (const auto& made : graph.nodes) {
    Node& node = *made;
    in_node(pipeline, *node.facts().spec, "preparing", [&] {
      connect(node, graph);
      while (node.parts.size() < node.parts_wanted())
        node.parts.push_back(catalogue.create(node.facts().spec->component));
      if (node.facts().is_source()) {
        outline_source(graph, node, catalogue, services, files, known, rows_are_shared, slow,
                       grouped);
      } else {
        note_files(node, catalogue, files);
        node.facts().outline = graph.facts(node.facts().spec->origin).outline;
      }
      check_sizes(node, graph, catalogue);
      node.bind(graph, known);
      expect_values(node, graph);
      if (node.can_learn_on_all_ranks()) node.facts().learns_where = LearnsWhere::everywhere;
      // A model requires the layout that it was trained on; the new data are other rows.
      if (!known) check_columns(node, graph, catalogue);
      if (!known && !node.facts().is_source())
        check_weighted_classes(node, graph.facts(node.facts().spec->origin).name(), catalogue);
    });
  }
  find_shared_data(graph, catalogue);
  return graph;
}

}  // namespace semblance
