// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string_view>

#include "pipeline/graph.hpp"
#include "pipeline/held_out.hpp"
#include "semblance/kind.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/pairs.hpp"
#include "semblance/source.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

namespace {

bool gives_weights(const NodeSpecification& node, const Catalogue& catalogue) {
  const auto component = catalogue.create(node.component.config);
  const auto* source = dynamic_cast<const Source*>(component.get());
  return source && source->gives_weights();
}

/// The solver or calibrator, or one nested in it, that ignores weights; nullptr: there is none.
const ComponentInfo* ignores_weights(const ComponentConfig& config, const Catalogue& catalogue) {
  const auto* entry = catalogue.find(config.id);
  if (!entry || (entry->info.kind() != "solver" && entry->info.kind() != "calibrator"))
    return nullptr;
  if (!entry->info.takes_weights) return &entry->info;
  for (const auto& [parameter, part] : config.parts)
    if (const auto* found = ignores_weights(part, catalogue)) return found;
  return nullptr;
}

/// The solvers with the same kind of input that use weights.
std::string solvers_that_do(const ComponentInfo& like, const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (entry->info.takes_weights && entry->info.kind() == like.kind() && entry->info.output &&
        like.output && entry->info.output->type == like.output->type)
      ids.push_back(entry->info.id);
  if (ids.empty()) return "let the source read none";
  return "let the source read none, or use one that supports them: " +
         enumerate_alternatives(like.id, ids);
}

TargetKind target_of(const NodeSpecification& node, const Catalogue& catalogue) {
  const auto component = catalogue.create(node.component.config);
  const auto* source = dynamic_cast<const Source*>(component.get());
  return source ? source->target_kind() : TargetKind::none;
}

/// The component, or one nested in it, that does not learn from such targets; nullptr: there is
/// none.
const ComponentInfo* refuses_target(const ComponentConfig& config, TargetKind target,
                                    const Catalogue& catalogue) {
  const auto* entry = catalogue.find(config.id);
  if (!entry) return nullptr;
  if (!entry->info.takes(target)) return &entry->info;
  for (const auto& [parameter, part] : config.parts)
    if (const auto* found = refuses_target(part, target, catalogue)) return found;
  return nullptr;
}

/// The components with the same inputs that learn from such targets. Those that ignore targets are
/// no alternative, except among bases, and among solvers where there is no target.
std::vector<std::string> that_take(TargetKind target, const ComponentInfo& instead,
                                   const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries()) {
    const ComponentInfo& info = entry->info;
    if (info.kind() == instead.kind() && info.takes(target) &&
        (info.kind() == "basis" || !info.targets.empty() ||
         (info.kind() == "solver" && target == TargetKind::none)) &&
        std::ranges::equal(info.inputs, instead.inputs, {}, &PortInfo::type, &PortInfo::type))
      ids.push_back(info.id);
  }
  return ids;
}

/// What to do about a component that learns from other targets than the source gives.
std::string other_target_help(const ComponentInfo& info, TargetKind target,
                              const NodeSpecification& source, const Catalogue& catalogue) {
  const bool classes = info.takes(TargetKind::classes);
  const std::string wanted = classes ? "classes" : "numbers";
  std::string help;
  if (const auto ids = that_take(target, info, catalogue); !ids.empty())
    help = "use a " + std::string(info.kind()) + " that takes " + name(target) + ": " +
           enumerate_alternatives(info.id, ids) + "; or ";
  const std::string parameter = classes ? "label" : "target";
  for (const std::string& known : {parameter, parameter + "s"})
    if (info_of(source)->parameter(known))
      return help + "name what holds the " + wanted + " in '" + known + "' of " +
             quote(source.name);
  return help + "use a source whose samples have " + wanted;
}

/// A solver's model is a result, and so is a report.
bool is_result(PortType output) {
  return output == PortType::scores || output == PortType::pair_scores ||
         output == PortType::estimates || output == PortType::intervals ||
         output == PortType::novelty || output == PortType::report;
}

/// Whether the pipeline has a result, as far as the kinds are known.
bool has_result(const Specification& specification) {
  return std::any_of(specification.nodes.begin(), specification.nodes.end(),
                     [](const NodeSpecification& node) {
                       const KindInfo* kind = kind_named(node.kind);
                       return !kind || (kind->output && is_result(kind->output->type));
                     });
}

bool keeps_missing(const NodeSpecification& node, const Catalogue& catalogue) {
  const auto component = catalogue.create(node.component.config);
  const auto* source = dynamic_cast<const Source*>(component.get());
  return source && source->keeps_missing();
}

bool takes_one_of(const PortInfo& input, const std::vector<LayoutKind>& layouts) {
  return layouts.empty() || std::ranges::any_of(input.layouts_taken(), [&](LayoutKind kind) {
           return std::ranges::find(layouts, kind) != layouts.end();
         });
}

/// `layouts`: what the giver's samples may be; empty: not known.
std::string remedy(const std::string& giver, const std::vector<LayoutKind>& layouts,
                   const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (entry->info.takes_missing && !entry->info.inputs.empty() &&
        takes_one_of(entry->info.inputs.front(), layouts))
      ids.push_back(entry->info.id);
  if (ids.empty()) return "no installed component takes them; let the source refuse them";
  return "fill them in first: put " + enumerate(ids) + " after " + quote(giver) +
         " and take its samples";
}

class CalibratorCheck {
 public:
  CalibratorCheck(const Specification& specification, const Catalogue& catalogue,
                  const Graph& graph, Problems& problems)
      : nodes_(specification.nodes), catalogue_(catalogue), graph_(graph), problems_(problems) {}

  void check(std::size_t calibrator) {
    for (const Edge& edge : graph_.inputs[calibrator]) check_solver(calibrator, edge);
    check_rows_set_aside(calibrator);
  }

 private:
  bool is(std::size_t node, std::string_view kind) const {
    const ComponentInfo* info = info_of(nodes_[node]);
    return info && info->kind() == kind;
  }

  /// It learns from a solver's scores of held-out samples; another calibrator's scores depend on
  /// all samples.
  void check_solver(std::size_t calibrator, const Edge& edge) {
    if (!is(edge.node, "calibrator")) return;
    std::size_t solver = edge.node;
    for (std::size_t steps = 0;
         steps < nodes_.size() && is(solver, "calibrator") && !graph_.inputs[solver].empty();
         ++steps)
      solver = graph_.inputs[solver].front().node;
    problems_.error(edge.place,
                    "'from' of " + nodes_[calibrator].component.config.id +
                        " takes the scores of a solver, but " + quote(nodes_[edge.node].name) +
                        " (" + nodes_[edge.node].component.config.id + ") is a calibrator itself",
                    is(solver, "calibrator") ? "name a solver"
                                             : "write from: " + nodes_[solver].name +
                                                   ", so that both learn from the same solver");
  }

  /// Held-out samples would include the ones that are set aside.
  void check_rows_set_aside(std::size_t calibrator) {
    const auto source = graph_.origin[calibrator];
    for (std::size_t i = 0; i < nodes_.size() && source; ++i) {
      if (graph_.origin[i] != source || !is(i, "pairs") || !nodes_[i].component.complete) continue;
      const auto component = catalogue_.create(nodes_[i].component.config);
      const auto* pairs = dynamic_cast<const Pairs*>(component.get());
      if (pairs && pairs->sets_rows_aside())
        problems_.error(nodes_[calibrator].place,
                        quote(nodes_[calibrator].name) + " holds out training rows of " +
                            quote(nodes_[*source].name) + ", of which " + quote(nodes_[i].name) +
                            " (" + nodes_[i].component.config.id + ") sets some aside for testing",
                        "give the calibrator's solver a source of its own");
    }
  }

  const std::vector<NodeSpecification>& nodes_;
  const Catalogue& catalogue_;
  const Graph& graph_;
  Problems& problems_;
};

}  // namespace

void check_calibrators(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems) {
  CalibratorCheck check(specification, catalogue, graph, problems);
  for (std::size_t i = 0; i < specification.nodes.size(); ++i) {
    const ComponentInfo* info = info_of(specification.nodes[i]);
    if (info && info->kind() == "calibrator") check.check(i);
  }
}

namespace {

constexpr const char* fewer_folds =
    "set folds: 5 of the calibrator, which trains again for every fold";

/// Whether one training of the solver before a calibrator gives each sample's score without it.
class LeftOutCheck {
 public:
  LeftOutCheck(const std::vector<NodeSpecification>& nodes, const Catalogue& catalogue,
               const Graph& graph, Problems& problems)
      : nodes_(nodes), catalogue_(catalogue), graph_(graph), problems_(problems) {}

  void check(std::size_t calibrator) {
    const std::size_t solver = graph_.inputs[calibrator].front().node;
    const bool whole_groups = check_solver(solver);
    std::set<std::size_t> seen;
    for (const Edge& edge : graph_.inputs[solver]) check_before(edge.node, seen);
    const NodeSpecification& source = nodes_[*graph_.origin[calibrator]];
    const auto& config = nodes_[calibrator].component.config;
    if (!whole_groups && folds_by(config) != FoldsBy::row &&
        gives_groups(source.component.config, catalogue_))
      problems_.error(nodes_[calibrator].place,
                      "rows of " + quote(source.name) +
                          " have groups, and leave_one_out leaves out one row at a time, so that "
                          "others of its group would score it",
                      "set folds: 5, or folds_by: row to ignore the groups");
  }

 private:
  void refuse(std::size_t node, const std::string& why, const std::string& help) {
    problems_.error(nodes_[node].place,
                    not_left_out(nodes_[node].name, nodes_[node].component.config.id) + why, help);
  }

  /// Returns whether it leaves out whole groups.
  bool check_solver(std::size_t node) {
    const auto component = catalogue_.create(nodes_[node].component.config);
    const auto* solver = dynamic_cast<const LeftOutScores*>(component.get());
    if (!solver) {
      refuse(node, "would have to be trained for each row",
             std::string("use a solver that can score a row without it, such as "
                         "solver/ridge_classifier or solver/kernel_ridge, or ") +
                 fewer_folds);
      return false;
    }
    if (const std::string problem = solver->left_out_problem(); !problem.empty()) {
      const std::size_t end = problem.find("; ");
      refuse(node, problem.substr(0, end), problem.substr(end + 2) + ", or " + fewer_folds);
    }
    return solver->leaves_out_groups();
  }

  /// Nothing before the solver may have learned from the sample, but scales of columns: these know
  /// no answers, and the sample's part in them is one in n.
  void check_before(std::size_t node, std::set<std::size_t>& seen) {
    if (!seen.insert(node).second) return;
    for (const Edge& edge : graph_.inputs[node]) check_before(edge.node, seen);
    const ComponentInfo& info = *info_of(nodes_[node]);
    const std::string_view kind = info.kind();
    if (graph_.inputs[node].empty() || kind == "feature" || kind == "basis") return;
    if (kind == "normalizer" && info.keeps_columns && info.targets.empty()) return;
    if (kind == "similarity")
      refuse(
          node, "gives similarities to training rows, of which the one left out may be one",
          std::string("let the solver compute them (kernel: {is: ...} of a kernel machine), or ") +
              fewer_folds);
    else
      refuse(node, "learns from the training rows", fewer_folds);
  }

  const std::vector<NodeSpecification>& nodes_;
  const Catalogue& catalogue_;
  const Graph& graph_;
  Problems& problems_;
};

}  // namespace

void check_left_out(const Specification& specification, const Catalogue& catalogue,
                    const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (leaves_one_out(nodes[i].component.config, *info_of(nodes[i])))
      LeftOutCheck(nodes, catalogue, graph, problems).check(i);
}

bool gives_groups(const ComponentConfig& source, const Catalogue& catalogue) {
  const auto component = catalogue.create(source);
  const auto* made = dynamic_cast<const Source*>(component.get());
  return made && made->gives_groups();
}

void check_row_groups(const Specification& specification, const Catalogue& catalogue,
                      const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool by_group = folds_by(nodes[i].component.config) == FoldsBy::group;
    if (graph.inputs[i].empty() || !graph.origin[i] || !by_group) continue;
    const NodeSpecification& source = nodes[*graph.origin[i]];
    if (!gives_groups(source.component.config, catalogue))
      problems.error(nodes[i].place,
                     quote(nodes[i].name) + " makes folds by group, but the rows of " +
                         quote(source.name) + " have no groups",
                     no_groups_help(source.name));
  }
}

std::string no_groups_help(const std::string& source) {
  return "name what says which rows belong together in 'groups' of " + quote(source) +
         ", or make folds by row";
}

void check_missing_values(const Specification& specification, const Catalogue& catalogue,
                          const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t giver = 0; giver < nodes.size(); ++giver) {
    if (!graph.inputs[giver].empty() || !keeps_missing(nodes[giver], catalogue)) continue;
    for (std::size_t taker = 0; taker < nodes.size(); ++taker)
      for (const Edge& edge : graph.inputs[taker])
        if (edge.node == giver && !info_of(nodes[taker])->takes_missing)
          problems.error(edge.place,
                         "'" + edge.port->name + "' of " + nodes[taker].component.config.id +
                             " takes no missing values, but " + quote(nodes[giver].name) +
                             " keeps them",
                         remedy(nodes[giver].name, graph.layouts[giver], catalogue));
  }
}

void check_purpose(const Specification& specification, const Graph& graph, Problems& problems) {
  if (specification.nodes.empty()) return;
  if (!has_result(specification)) {
    problems.error(
        specification.nodes_place,
        "the pipeline has neither a solver nor an evaluator, so a run would produce nothing",
        "add a solver, and an evaluator that takes its scores");
    return;
  }
  std::set<PortType> missing = graph.wanting;
  for (const auto& node : specification.nodes)
    missing.insert(node.missing.begin(), node.missing.end());
  for (std::size_t i = 0; i < specification.nodes.size(); ++i) {
    const NodeSpecification& node = specification.nodes[i];
    const ComponentInfo* info = info_of(node);
    // A missing input may be meant to take this node.
    if (!info || graph.used[i] || is_result(info->output->type) ||
        missing.contains(info->output->type))
      continue;
    problems.error(node.place, "nothing uses node " + quote(node.name),
                   "name it as the input of another node, or remove it");
  }
}

void check_targets(const Specification& specification, const Catalogue& catalogue,
                   const Graph& graph, bool of_model, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t giver = 0; giver < nodes.size(); ++giver) {
    if (!graph.inputs[giver].empty()) continue;
    const TargetKind target = target_of(nodes[giver], catalogue);
    // New data of a model may lack their target.
    if (target == TargetKind::none && of_model) continue;
    for (std::size_t taker = 0; taker < nodes.size(); ++taker) {
      if (graph.inputs[taker].empty() || graph.origin[taker] != giver) continue;
      const ComponentConfig& config = nodes[taker].component.config;
      if (const auto* info = refuses_target(config, target, catalogue))
        problems.error(
            graph.inputs[taker].front().place,
            info->id + " learns from " + name(info->targets.front()) + ", but " +
                (target == TargetKind::none
                     ? "the samples of " + quote(nodes[giver].name) + " have none"
                     : "the target of " + quote(nodes[giver].name) + " is " + name(target)),
            other_target_help(*info, target, nodes[giver], catalogue));
    }
  }
}

void check_row_weights(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t giver = 0; giver < nodes.size(); ++giver) {
    if (!graph.inputs[giver].empty() || !gives_weights(nodes[giver], catalogue)) continue;
    for (std::size_t taker = 0; taker < nodes.size(); ++taker) {
      if (graph.inputs[taker].empty() || graph.origin[taker] != giver) continue;
      if (const auto* info = ignores_weights(nodes[taker].component.config, catalogue))
        problems.error(graph.inputs[taker].front().place,
                       info->id + " counts every row once, but those of " +
                           quote(nodes[giver].name) + " have weights",
                       solvers_that_do(*info, catalogue));
    }
  }
}

}  // namespace semblance
