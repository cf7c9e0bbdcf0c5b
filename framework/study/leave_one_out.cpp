// SPDX-License-Identifier: MIT
#include "study/leave_one_out.hpp"

#include <algorithm>

#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "study/study_specification.hpp"
#include "support/did_you_mean.hpp"

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
      else if (dynamic_cast<const Solver*>(component.get()))
        check_solver(node, dynamic_cast<const LeaveOneOut*>(component.get()) != nullptr);
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
                    "rows cannot be left out one at a time: " + quote(node.name) + " (" +
                        node.component.id + ") " + why,
                    help);
  }

  void check_basis(const PipelineNode& node, const Basis& basis) {
    if (!takes_all_rows(basis))
      refuse(node, "does not take all training rows, so it would choose others without one of them",
             std::string("take all of them, or ") + fewer_folds);
  }

  void check_similarity(const PipelineNode& node, const Similarity& similarity) {
    if (similarity.learns_from_bases())
      refuse(node, "learns from all its bases, so it would differ without one of them",
             std::string("give what it learns (a width) a number, or say as: negative where it is "
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
    if (evaluator.wants_probes() || evaluator.wants_shares())
      refuse(node, "asks for scores of other samples",
             std::string("use another, or ") + fewer_folds);
  }

  const StudySpecification& select_;
  const Pipeline& pipeline_;
  const YamlNode& tree_;
  const Catalogue& catalogue_;
  Problems& problems_;
};

}  // namespace

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

void check_leave_one_out(const StudySpecification& select, const Pipeline& pipeline,
                         const YamlNode& tree, const Catalogue& catalogue, Problems& problems) {
  Checker(select, pipeline, tree, catalogue, problems).check();
}

}  // namespace semblance
