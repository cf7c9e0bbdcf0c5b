// SPDX-License-Identifier: MIT
#include "runtime/graph/kinds.hpp"

#include <vector>

#include "semblance/basis.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"
#include "semblance/regressor.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/source.hpp"

namespace semblance {

// Each is defined in the file of its kind.
std::unique_ptr<Node> make_source_node();
std::unique_ptr<Node> make_feature_node();
std::unique_ptr<Node> make_normalizer_node();
std::unique_ptr<Node> make_basis_node();
std::unique_ptr<Node> make_similarity_node();
std::unique_ptr<Node> make_pairs_node();
std::unique_ptr<Node> make_solver_node();
std::unique_ptr<Node> make_pair_solver_node();
std::unique_ptr<Node> make_calibrator_node();
std::unique_ptr<Node> make_evaluator_node();

namespace {

std::vector<NodeKind>& kinds_of_nodes() {
  static std::vector<NodeKind> all = {
      {Source::kind_info(), make_source_node},
      {Feature::kind_info(), make_feature_node},
      {Normalizer::kind_info(), make_normalizer_node},
      {Basis::kind_info(), make_basis_node},
      {Similarity::kind_info(), make_similarity_node},
      {Pairs::kind_info(), make_pairs_node},
      {Solver::kind_info(), make_solver_node},
      {Regressor::kind_info(), make_solver_node},
      {IntervalRegressor::kind_info(), make_solver_node},
      {NoveltyDetector::kind_info(), make_solver_node},
      {PairSolver::kind_info(), make_pair_solver_node},
      {Calibrator::kind_info(), make_calibrator_node},
      {IntervalCalibrator::kind_info(), make_calibrator_node},
      {IntervalCorrector::kind_info(), make_calibrator_node},
      {NoveltyCalibrator::kind_info(), make_calibrator_node},
      {evaluator_of_any(), make_evaluator_node},
  };
  return all;
}

}  // namespace

void add_node_kind(const NodeKind& kind) {
  kinds_of_nodes().push_back(kind);
  add_kind(kind.interface);
}

std::unique_ptr<Node> make_node(const ComponentInfo& component) {
  for (const NodeKind& kind : kinds_of_nodes())
    if (kind.interface.name == component.kind() && kind.interface.has_ports_of(component))
      return kind.make();
  throw Error("a component of kind '" + std::string(component.kind()) +
              "' cannot be a node of a pipeline");
}

}  // namespace semblance
