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

/// What becomes of the rows that a node gives.
enum class Keeping {
  never,            ///< they stream past, or are computed again
  if_learned_from,  ///< kept where something has to see all of them before it can answer
  always            ///< they are a result
};

/// What is left of a node's learning.
enum class Learned {
  nothing,  ///< it does not learn
  report,   ///< what it reports
  state     ///< that, and what it learned or was given: its part of the model
};

/// Where a node learns if several ranks run the pipeline together.
enum class LearnsWhere {
  everywhere,  ///< on all ranks, each from its own rows
  first_rank   ///< on the first, from all rows; the others are sent what it has learned
};

/// What a node asks of a run.
struct Demands {
  RowsOf learns_from = RowsOf::none;  ///< rows of its inputs that learning visits
  bool gathers = false;               ///< into one matrix, its inputs side by side
  bool trains_beside_others = false;  ///< small problems of several nodes at the same time
  RowsOf gives = RowsOf::none;        ///< rows that it gives others
  Keeping keeping = Keeping::never;   ///< of these
  Learned learned = Learned::nothing;
  bool sends_rows = false;  ///< rows of its own through the nodes before it
  /// Learning looks some training rows of its inputs up, which are computed then if they are not
  /// kept.
  bool looks_up_rows = false;
};

/// A node of the pipeline with its components created and bound to the layouts that reach it. One
/// class a kind of node says what is particular to the kind, and nothing else asks which kind it
/// is; see nodes/kinds.hpp.
class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node();

  /// @name What the kind decides
  /// @{

  /// How many of its component it needs.
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

  /// Whether learning looks at labels, or at rows that are not kept.
  virtual bool opens_data(const Session&) const { return true; }

  /// As it is: everywhere if its components are declared distributed().
  virtual LearnsWhere learns_where() const;

  /// Fits, selects, sets bases, trains or evaluates.
  virtual void learn(Session&) {}

  /// Whether there is nothing left for it to do, since a cross-validation has done it.
  virtual bool settled_by_cross_validation(const Session&) const { return false; }

  /// Computes rows [first, first + out.rows) from its inputs' rows. `out` may be wider strided.
  /// Thread-safe once it has learned.
  virtual void compute(Session& session, std::size_t first, const std::vector<MatrixView>& inputs,
                       MutableMatrixView out) const;

  /// For an estimate of how long its rows take: makes compute() ready with what these few rows of
  /// its inputs teach. Returns how many of its columns compute() gives then; the others take as
  /// long. Throws Error where a few rows are not enough. As it is: all, where it does not learn.
  virtual std::size_t rehearse(Session& session, const std::vector<MatrixView>& inputs);

  /// Whether what it learned earlier is looked at again in this run.
  virtual bool needs_state(const Session& session) const;

  /// What it learned, in a folder: one sub-folder a part.
  virtual void save(const std::filesystem::path& folder) const;
  virtual void load(Session& session, const std::filesystem::path& folder);

  /// What belongs to its state in the store and not in a model.
  virtual void save_results(const Session&, const std::filesystem::path&) const {}
  virtual void load_results(Session&, const std::filesystem::path&) {}

  /// Whether its values are those of a source's columns, each perhaps scaled.
  virtual bool gives_columns_of_source(const Compilation&) const { return false; }

  /// Itself, where it is trained and scores rows or pairs of them.
  virtual ScoringNode* scoring() { return nullptr; }
  const ScoringNode* scoring() const { return const_cast<Node*>(this)->scoring(); }

  /// The nodes whose scores it judges, if it does.
  virtual std::vector<std::size_t> judged() const { return {}; }

  /// Whether a row that it gives has probabilities of the classes: not negative, 1 together.
  virtual bool gives_probabilities() const { return false; }

  /// Gives back what it holds of this run's rows.
  virtual void drop_rows() {}

  /// The training rows that it chose as bases, by position.
  virtual std::span<const std::int64_t> chosen_rows() const { return {}; }
  /// @}

  /// What the kind demands; known once compiled.
  const Demands& demands() const noexcept { return demands_; }
  void fix_demands() { demands_ = what_it_demands(); }

  const std::string& name() const noexcept { return spec->name; }
  bool is_source() const noexcept { return spec->inputs.empty(); }
  /// Whether all that comes of it is a report.
  bool is_result() const { return spec->info().output->type == PortType::report; }
  bool gives_rows() const { return demands().gives != RowsOf::none; }
  /// Whether it judges test rows, of which there are none.
  bool lacks_test_rows() const {
    return demands().learns_from == RowsOf::testing && outline->test_rows == 0;
  }
  bool has_state() const { return demands().learned == Learned::state; }
  /// Which values the state of what it learned may have: those of normalizers, solvers and
  /// calibrators are finite.
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
  std::vector<std::size_t> held_out;  ///< nodes that score a calibrator's held-out rows, by fold
  std::vector<std::size_t> consumers;
  Layout output;                     ///< of the rows it gives; solvers: one score a class
  const Outline* outline = nullptr;  ///< of the source its rows come from
  double operations = 0;  ///< floating-point operations for one value of a row, if they are known
  /// A hash of the names of the files that it reads; empty: it reads none.
  std::string files;
  std::string key;  ///< what it computes, as a hash; see node_keys.hpp
  /// Of a source: the training rows, by position and ascending, that are for testing all the same.
  std::vector<std::int64_t> set_aside;
  /// It reads each value of its one input, a map, as the similarity to one training row.
  bool columns_are_bases = false;
  /// Of a source: a model is applied to other rows than those of its training run.
  bool new_data = false;
  /// Of a source whose rows lie in the store: what its data set takes besides.
  std::optional<std::size_t> held_bytes;
  /// The first source whose opened data a source shares, as folds do; otherwise the node itself.
  std::size_t shares_data_of = 0;

 private:
  Demands demands_;
};

/// How many values so many rows of a node have; where samples differ in size, as many as the
/// source's on average.
std::size_t expected_values(const Node& node, std::size_t rows);

/// What these take as float32, the columns of sparse rows included.
std::size_t expected_row_bytes(const Node& node, std::size_t rows);

/// What the opened data of a source are counted as before they are open, so many rows of them: a
/// byte a value; nothing where they lie in a program's memory, and no values where they lie in the
/// store.
std::size_t expected_bytes(const Node& source, std::size_t rows);

/// Whether these rows of a node are in a program's memory: it is a source that gives them in place.
bool lie_in_place(const Node& node, RowSpan rows);

/// The nodes whose states a node looks at when it learns: all that feed it.
std::vector<std::size_t> feeding(const Node& node);

/// A node's inputs side by side: their layout, and how many values a row has.
Layout joined_layout(const Node& node, const Compilation& graph);
std::size_t joined_width(const Node& node, const Compilation& graph);

/// Where one part of a node's state lies in its folder.
std::filesystem::path part_folder(const std::filesystem::path& folder, std::size_t part);

}  // namespace semblance
