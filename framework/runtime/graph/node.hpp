// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
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

class Session;
class ScoringNode;
struct Compilation;
struct KnownShapes;

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

/// Where a node learns if several ranks run the pipeline together.
enum class LearnsWhere {
  everywhere,  ///< on all ranks, each from its own rows
  first_rank   ///< on the first, from all rows; it sends the other ranks what it learned
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
  virtual bool can_learn(const Session&) const { return true; }

  /// Whether learning looks at labels, or at rows that are not retained.
  virtual bool opens_data(const Session&) const { return true; }

  /// By default, everywhere if its components are declared distributed().
  virtual LearnsWhere learns_where() const;

  /// Fits, selects, sets bases, trains or evaluates.
  virtual void learn(Session&) {}

  /// Whether a cross-validation has done its work, so that nothing is left for it to do.
  virtual bool settled_by_cross_validation(const Session&) const { return false; }

  /// Computes rows [first, first + out.rows) from its inputs' rows. `out` may have a wider stride.
  /// Thread-safe once it has learned.
  virtual void compute(Session& session, std::size_t first, const std::vector<MatrixView>& inputs,
                       MutableMatrixView out) const;

  /// Prepares compute() for an estimate of the time per row, with what these few rows of its inputs
  /// teach. Returns how many columns compute() yields then; the remaining columns take as long
  /// each. By default all, where it does not learn. Throws Error where a few rows are not enough.
  virtual std::size_t rehearse(Session& session, const std::vector<MatrixView>& inputs);

  /// Whether this run looks at what it learned earlier.
  virtual bool needs_state(const Session& session) const;

  /// Writes what it learned into a folder, with one subfolder per part.
  virtual void save(const std::filesystem::path& folder) const;
  virtual void load(Session& session, const std::filesystem::path& folder);

  /// Writes the part of its state that belongs in the store but not in a model.
  virtual void save_results(const Session&, const std::filesystem::path&) const {}
  virtual void load_results(Session&, const std::filesystem::path&) {}

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

  /// The requirements of the kind; known once compiled.
  const Demands& demands() const noexcept { return demands_; }
  void fix_demands() { demands_ = what_it_demands(); }

  const std::string& name() const noexcept { return spec->name; }
  bool is_source() const noexcept { return spec->inputs.empty(); }
  /// Whether its only output is a report.
  bool is_result() const { return spec->info().output->type == PortType::report; }
  bool gives_rows() const { return demands().gives != RowsOf::none; }
  /// Whether it evaluates test samples and there are none.
  bool lacks_test_rows() const {
    return demands().learns_from == RowsOf::testing && outline->test_rows == 0;
  }
  bool has_state() const { return demands().learned == Learned::state; }
  /// Which values its learned state may have: those of normalizers, solvers and calibrators are
  /// finite.
  StateFolderReader::Values values_learned() const;
  bool inexpensive() const noexcept { return spec->info().inexpensive; }

  template <class Interface>
  Interface& as(std::size_t part = 0) const {
    return dynamic_cast<Interface&>(*parts.at(part));
  }

  const PipelineNode* spec = nullptr;
  std::size_t index = 0;  ///< in the pipeline
  std::vector<std::unique_ptr<Component>> parts;
  std::vector<std::size_t> inputs;    ///< nodes whose rows (or scores) it takes, side by side
  std::optional<std::size_t> bases;   ///< node that feeds `bases`
  std::optional<std::size_t> pairs;   ///< node that feeds `pairs`
  std::vector<std::size_t> held_out;  ///< nodes that score a calibrator's held-out samples, by fold
  std::vector<std::size_t> consumers;
  Layout output;                     ///< of the rows it outputs; solvers: one score per class
  const Outline* outline = nullptr;  ///< of the source its rows come from
  double operations = 0;             ///< floating-point operations per value of a row, if known
  /// A hash of the names of the files that it reads; empty: none.
  std::string files;
  std::string key;  ///< what it computes, as a hash; see node_keys.hpp
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

 private:
  Demands demands_;
};

/// How many values `rows` rows of a node have; where samples differ in size, from the source's
/// average.
std::size_t expected_values(const Node& node, std::size_t rows);

/// The bytes that these take as float32, including the columns of sparse rows.
std::size_t expected_row_bytes(const Node& node, std::size_t rows);

/// The estimated bytes of `rows` rows of a source before its data are open: one per value. Data in
/// a program's memory count as nothing, and data in the store without their values.
std::size_t expected_bytes(const Node& source, std::size_t rows);

/// Whether these rows of a node are in a program's memory: it is a source that gives them in place.
bool lie_in_place(const Node& node, RowSpan rows);

/// The nodes whose states a node looks at when it learns: all that feed it.
std::vector<std::size_t> feeding(const Node& node);

/// The layout of a node's inputs side by side, and how many values a row has.
Layout joined_layout(const Node& node, const Compilation& graph);
std::size_t joined_width(const Node& node, const Compilation& graph);

/// The folder of one part of a node's state.
std::filesystem::path part_folder(const std::filesystem::path& folder, std::size_t part);

}  // namespace semblance
