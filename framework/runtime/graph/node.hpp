// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/graph/node_facts.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/component.hpp"

namespace semblance {

class RunProgress;
class RunData;
class ScoringNode;
struct Compilation;
struct KnownShapes;

/// A node of the pipeline whose components are created and bound to the layouts of their inputs.
/// Each kind of node is one class, which holds what is particular to the kind; nothing else asks
/// for the kind of a node. See graph/kinds.hpp.
class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node();

  /// @name Decided by the kind
  /// @{

  /// How many copies of its component it needs.
  virtual std::size_t parts_wanted() const { return 1; }

  /// Binds the component to the layouts of its inputs, and sets the facts that depend on its kind:
  /// `output`, `demands`, `phase` and others. With `known`, widths are the model's. Throws Error.
  virtual void bind(const Compilation& graph, const KnownShapes* known) = 0;

  /// Whether it can learn now: everything that it looks at is there.
  virtual bool can_learn(const RunProgress&) const { return true; }

  /// Fits, selects, sets bases, trains or evaluates.
  virtual void learn(RunProgress&, RunData&) {}

  /// Computes rows [first, first + out.rows) from its inputs' rows. `out` may have a wider stride.
  /// Thread-safe once it has learned.
  virtual void compute(std::size_t first, const std::vector<MatrixView>& inputs,
                       MutableMatrixView out, Context& context) const;

  /// Whether this run looks at what it learned earlier.
  virtual bool needs_state(const RunProgress& progress) const;

  /// Writes what it learned into a folder, with one subfolder per part.
  virtual void save(const Folder& folder) const;
  virtual void load(const Folder& folder, Context& context);

  /// Releases what it holds of this run's rows.
  virtual void drop_rows() {}

  /// The training rows that it chose as bases, by position.
  virtual std::span<const std::int64_t> chosen_rows() const { return {}; }
  /// @}

  /// This node, where it is trained and scores samples or pairs; otherwise nullptr.
  ScoringNode* scoring();
  const ScoringNode* scoring() const { return const_cast<Node*>(this)->scoring(); }
  /// Whether all its components can learn together with those of other ranks.
  bool can_learn_on_all_ranks() const;

  const NodeFacts& facts() const noexcept { return facts_; }
  /// For compilation.
  NodeFacts& facts() noexcept { return facts_; }
  const std::string& name() const noexcept { return facts_.name(); }

  /// Which values its learned state may have: those of normalizers, solvers and calibrators are
  /// finite.
  StateFolderReader::Values values_learned() const;

  template <class Interface>
  Interface& as(std::size_t part = 0) const {
    return dynamic_cast<Interface&>(*parts.at(part));
  }

  std::vector<std::unique_ptr<Component>> parts;

 private:
  NodeFacts facts_;
};

/// The folder of one part of a node's state.
Folder part_folder(const Folder& folder, std::size_t part);

}  // namespace semblance
