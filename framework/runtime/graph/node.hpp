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

/// Where a node learns if several ranks run the pipeline together.
enum class LearnsWhere {
  everywhere,  ///< on all ranks, each from its own rows
  first_rank   ///< on the first, from all rows; it sends the other ranks what it learned
};

/// A node of the pipeline whose components are created and bound to the layouts of their inputs.
/// Each kind of node is one class, which holds what is particular to the kind; nothing else asks
/// for the kind of a node. See nodes/kinds.hpp.
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

  /// Binds the component to the layouts of its inputs and sets `output`. With `known`, widths are
  /// the model's. Throws Error.
  virtual void bind(const Compilation& graph, const KnownShapes* known) = 0;

  /// Asked once, when it is bound.
  virtual Demands what_it_demands() const = 0;

  /// While learning, for messages and the trace: "fitting".
  virtual const char* phase() const { return "preparing"; }

  /// Whether it can learn now: everything that it looks at is there.
  virtual bool can_learn(const RunProgress&) const { return true; }

  /// Whether learning looks at labels, or at rows that are not retained.
  virtual bool opens_data(const RunProgress&) const { return true; }

  /// By default, everywhere if its components are declared distributed().
  virtual LearnsWhere learns_where() const;

  /// Fits, selects, sets bases, trains or evaluates.
  virtual void learn(RunProgress&, RunData&) {}

  /// Whether a cross-validation has done its work, so that nothing is left for it to do.
  virtual bool settled_by_cross_validation(const RunProgress&) const { return false; }

  /// Computes rows [first, first + out.rows) from its inputs' rows. `out` may have a wider stride.
  /// Thread-safe once it has learned.
  virtual void compute(std::size_t first, const std::vector<MatrixView>& inputs,
                       MutableMatrixView out, Context& context) const;

  /// Prepares compute() for an estimate of the time per row, with what these few rows of its inputs
  /// teach. Returns how many columns compute() yields then; the remaining columns take as long
  /// each. By default all, where it does not learn. Throws Error where a few rows are not enough.
  virtual std::size_t rehearse(RunProgress& progress, const std::vector<MatrixView>& inputs);

  /// Whether this run looks at what it learned earlier.
  virtual bool needs_state(const RunProgress& progress) const;

  /// Writes what it learned into a folder, with one subfolder per part.
  virtual void save(const std::filesystem::path& folder) const;
  virtual void load(const std::filesystem::path& folder, Context& context);

  /// Writes the part of its state that belongs in the store but not in a model.
  virtual void save_results(const RunProgress&, const std::filesystem::path&) const {}
  virtual void load_results(RunProgress&, RunData&, const std::filesystem::path&) {}

  /// Whether its values are those of a source's columns, each perhaps scaled.
  virtual bool gives_columns_of_source(const Compilation&) const { return false; }

  /// This node, where it is trained and scores samples or pairs; otherwise nullptr.
  virtual ScoringNode* scoring() { return nullptr; }
  const ScoringNode* scoring() const { return const_cast<Node*>(this)->scoring(); }

  /// The nodes whose scores it evaluates, if any.
  virtual std::vector<std::size_t> judged() const { return {}; }

  /// Whether its rows are class probabilities: not negative, with sum 1.
  virtual bool gives_probabilities() const { return false; }

  /// Releases what it holds of this run's rows.
  virtual void drop_rows() {}

  /// The training rows that it chose as bases, by position.
  virtual std::span<const std::int64_t> chosen_rows() const { return {}; }
  /// @}

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
std::filesystem::path part_folder(const std::filesystem::path& folder, std::size_t part);

}  // namespace semblance
