// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "runtime/run_context.hpp"
#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Of pairs there are `pairs`, which chooses them, and `pair_solver`, which learns from them.
enum class NodeKind {
  source,
  feature,
  normalizer,
  basis,
  similarity,
  pairs,
  solver,
  pair_solver,
  evaluator
};

/// A node of the pipeline with its components created and bound to the layouts that reach it.
struct CompiledNode {
  const PipelineNode* spec = nullptr;
  NodeKind kind = NodeKind::source;
  /// One, except that a normalizer has one for each input.
  std::vector<std::unique_ptr<Component>> parts;
  std::vector<std::size_t> widths;   ///< of a normalizer: columns that each part gives
  std::vector<std::size_t> inputs;   ///< nodes that feed `from`
  std::optional<std::size_t> bases;  ///< node that feeds `bases`
  std::optional<std::size_t> pairs;  ///< node that feeds `pairs`
  std::vector<std::size_t> consumers;
  Layout output;  ///< of the rows it gives; solvers: one score a class
  /// Of a source: the training rows, by position and ascending, that are for testing all the same.
  std::vector<std::int64_t> set_aside;
  double operations = 0;  ///< of a similarity: floating-point operations for one pair
  std::string key;        ///< what it computes, as a hash; see node_keys.hpp

  const std::string& name() const noexcept { return spec->name; }
  const Outline* outline = nullptr;  ///< of the source its rows come from
  bool gives_rows() const noexcept {
    return kind != NodeKind::basis && kind != NodeKind::evaluator && !is_of_pairs();
  }
  /// Whether it is trained: a solver or a pair solver.
  bool is_solver() const noexcept {
    return kind == NodeKind::solver || kind == NodeKind::pair_solver;
  }
  bool is_of_pairs() const noexcept {
    return kind == NodeKind::pairs || kind == NodeKind::pair_solver;
  }
  bool inexpensive() const noexcept { return spec->info().inexpensive; }

  /// Of an evaluator: whether it judges samples, not scores.
  bool judges_samples() const;
  /// Or scores of pairs.
  bool judges_pairs() const;
  /// Whether it judges scores of test rows, of which there are none.
  bool has_nothing_to_judge() const;

  template <class Interface>
  Interface& as(std::size_t part = 0) const {
    return dynamic_cast<Interface&>(*parts.at(part));
  }
};

/// The whole pipeline, ready to be planned and run.
struct Compilation {
  const Pipeline* pipeline = nullptr;
  std::vector<CompiledNode> nodes;
  std::vector<std::unique_ptr<Outline>> outlines;
};

/// An error of a component, with where it happened: what the user sees.
class NodeError : public Error {
 public:
  NodeError(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
            const std::string& what);
  std::size_t node() const noexcept { return node_; }  ///< its index in the pipeline

 private:
  std::size_t node_;
};

/// Runs `body`; whatever it throws gains node, component, position and phase on its way.
/// Cancelled passes unchanged.
void in_node(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
             const std::function<void()>& body);

/// New data for a source of a trained model.
struct NewSource {
  std::string path;                ///< as NewData::path
  std::vector<std::string> given;  ///< as NewData::given
};

/// What a trained model says of the nodes' rows, where new data cannot: by node name.
struct KnownShapes {
  std::map<std::string, Layout> outputs;
  std::map<std::string, std::vector<std::string>> classes;  ///< of sources
  std::map<std::string, std::vector<std::string>> columns;  ///< of sources: names, if they have any
  /// The sources that give other rows than they gave the training run.
  std::map<std::string, NewSource> changed = {};

  /// Tells a source of it, where it is one of those.
  void apply_to(Source& source, const std::string& node) const;
};

/// Creates the components, asks the sources for their outlines and binds all layouts. With `known`,
/// widths and classes are the model's, and a source whose rows have another layout is refused.
Compilation compile(const Pipeline& pipeline, const Catalogue& catalogue, RunServices& services,
                    const KnownShapes* known = nullptr);

}  // namespace semblance
