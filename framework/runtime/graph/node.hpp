// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "runtime/rows/row_span.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/component.hpp"
#include "semblance/source.hpp"

namespace semblance {

struct Compilation;

/// Whether the rows that a node outputs are retained.
enum class Keeping {
  never,            ///< they stream past, or are recomputed
  if_learned_from,  ///< retained where a node must see all of them before it can answer
  always            ///< they are a result
};

/// The lasting result of a node's learning.
enum class Learned {
  nothing,  ///< it does not learn
  report,   ///< what it reports
  state     ///< its report, and its state: what it learned or was given, as part of the model
};

/// The requirements of a node on a run.
struct Demands {
  RowsOf learns_from = RowsOf::none;  ///< rows of its inputs that learning visits
  bool gathers = false;               ///< into one matrix, its inputs side by side
  bool trains_beside_others = false;  ///< small problems of several nodes train at the same time
  RowsOf gives = RowsOf::none;        ///< rows that it outputs for other nodes
  Keeping keeping = Keeping::never;   ///< of these rows
  Learned learned = Learned::nothing;
  bool sends_rows = false;  ///< rows of its own through the nodes before it
  /// Learning looks up some training rows of its inputs, which are computed then unless retained.
  bool looks_up_rows = false;
};

/// Where a node learns if several ranks run the pipeline together.
enum class LearnsWhere {
  everywhere,  ///< on all ranks, each from its own rows
  first_rank   ///< on the first, from all rows; it sends the other ranks what it learned
};

/// The facts about a node of the compiled pipeline: what it is, which nodes it is connected to, and
/// the rows that it outputs. Compilation sets them; a run only reads them.
struct NodeFacts {
  const std::string& name() const noexcept { return spec->name; }
  bool is_source() const noexcept { return spec->inputs.empty(); }
  /// Whether its only output is a report.
  bool is_result() const { return spec->info().output->type == PortType::report; }
  bool gives_rows() const { return demands.gives != RowsOf::none; }
  /// Whether it evaluates test samples and there are none.
  bool lacks_test_rows() const {
    return demands.learns_from == RowsOf::testing && outline->test_rows == 0;
  }
  bool has_state() const { return demands.learned == Learned::state; }
  bool inexpensive() const noexcept { return spec->info().inexpensive; }

  const PipelineNode* spec = nullptr;
  std::size_t index = 0;              ///< in the pipeline
  std::vector<std::size_t> inputs;    ///< nodes whose rows (or scores) it takes, side by side
  std::optional<std::size_t> bases;   ///< node that feeds `bases`
  std::optional<std::size_t> pairs;   ///< node that feeds `pairs`
  std::vector<std::size_t> held_out;  ///< nodes that score a calibrator's held-out samples, by fold
  std::vector<std::size_t> consumers;
  Layout output;                     ///< of the rows it outputs; solvers: one score per class
  const Outline* outline = nullptr;  ///< of the source its rows come from
  Demands demands;                   ///< of its kind
  const char* phase = "preparing";   ///< while it learns, for messages and the trace: "fitting"
  LearnsWhere learns_where = LearnsWhere::first_rank;
  std::vector<std::size_t> judged;  ///< nodes whose scores it evaluates, if any
  /// Whether its rows are class probabilities: not negative, with sum 1.
  bool gives_probabilities = false;
  bool gives_sets = false;  ///< whether its rows are sets of classes (Calibrator::gives_sets())
  std::optional<double> normal_quantile = {};  ///< IntervalRegressor::normal_quantile()
  /// Whether its values are those of a source's columns, each perhaps scaled.
  bool gives_columns_of_source = false;
  /// The mean number of values of a row, at most, where they differ in size by their content and so
  /// do not fill the layout as the source's rows do; 0: they do.
  std::size_t row_values = 0;
  double operations = 0;  ///< floating-point operations per value of a row, if known
  /// A hash of the names of the files that it reads; empty: none.
  std::string files;
  std::string content;  ///< for a source, a hash of their content, once the session is prepared
  std::string key;      ///< what it computes, as a hash; see node_keys.hpp
  /// A hash of what the work is made from that it can share with other nodes while it learns
  /// (SharesWork); equal hashes: they can. Empty: it shares none.
  std::string shared_work;
  /// For a source: the training samples, by position in ascending order, that are used for testing
  /// anyway.
  std::vector<std::int64_t> set_aside;
  /// It reads each value of its one input, a map, as the similarity to one training row.
  bool columns_are_bases = false;
  /// For a source: a model is applied to samples other than those of its training run.
  bool new_data = false;
  /// For a source whose rows are in the store: what else its data set takes.
  std::optional<std::size_t> held_bytes;
  /// The first source whose opened data this source shares, as folds do; otherwise the node itself.
  std::size_t shares_data_of = 0;
};

/// How many values `rows` rows of a node have; where samples differ in size, from the source's
/// average.
std::size_t expected_values(const NodeFacts& node, std::size_t rows);

/// The bytes that these take as float32, including the columns of sparse rows.
std::size_t expected_row_bytes(const NodeFacts& node, std::size_t rows);

/// The estimated bytes of `rows` rows of a source before its data are open: one per value. Data in
/// a program's memory count as nothing, and data in the store without their values.
std::size_t expected_bytes(const NodeFacts& source, std::size_t rows);

/// Whether these rows of a node are in a program's memory: it is a source that gives them in place.
bool lie_in_place(const NodeFacts& node, RowSpan rows);

/// The nodes whose states a node looks at when it learns: all that feed it.
std::vector<std::size_t> feeding(const NodeFacts& node);

/// The layout of a node's inputs side by side, and the number of values per row.
Layout joined_layout(const NodeFacts& node, const Compilation& graph);
std::size_t joined_width(const NodeFacts& node, const Compilation& graph);

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
