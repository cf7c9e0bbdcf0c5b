// SPDX-License-Identifier: MIT
#include "pipeline/graph.hpp"
#include "semblance/pairs.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

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

}  // namespace semblance
