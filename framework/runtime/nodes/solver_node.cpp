// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/nodes/row_scoring_node.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/rows/constant_columns.hpp"
#include "runtime/stages/learning.hpp"
#include "runtime/stages/learning_together.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/solver.hpp"

namespace semblance {
namespace {

/// The training rows of a solver that does not read them: none are computed.
class UncomputedRows final : public Rows {
 public:
  UncomputedRows(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols) {}
  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return cols_; }
  MatrixView view(std::size_t, std::size_t) const override {
    throw Error("it looks at its training rows, but has said that it does not (uses_rows)");
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  std::size_t rows_;
  std::size_t cols_;
};

/// Learns to classify samples, and scores them for each class.
class SolverNode final : public RowScoringNode {
  void bind(const Compilation& graph, const KnownShapes*) override {
    as<Solver>().bind(joined_layout(facts(), graph));
    facts().output = Layout::vector(facts().outline->classes.size());
  }

  Demands what_it_demands() const override {
    const bool visits = as<Solver>().uses_rows();
    return {.learns_from = visits ? RowsOf::training : RowsOf::none,
            .gathers = visits,
            .trains_beside_others = visits,
            .gives = RowsOf::testing,
            .keeping = Keeping::always,
            .learned = Learned::state};
  }

  const char* phase() const override { return "training"; }

  bool gives_probabilities() const override { return as<Solver>().gives_probabilities(); }

  bool can_learn(const Session& session) const override {
    if (as<Solver>().uses_rows()) return training != nullptr;
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return session.run(in).ready(); });
  }

  void learn(Session& session) override {
    NodeContext context = session.context(facts().index);
    RecordingReport report(session.run(facts().index).record);
    const Layout layout = joined_layout(facts(), session.graph());
    const auto widths = input_widths(session, facts().index);
    const auto names = input_names(session, facts().index);
    const UncomputedRows uncomputed(facts().outline->train_rows, layout.size());
    const Rows& rows = training ? *training : static_cast<const Rows&>(uncomputed);
    TrainingSet set{rows, layout, session.training_labels(facts().index), facts().outline->classes};
    set.weights = session.training_weights(facts().index);
    if (!set.weights.empty() && !facts().spec->info().takes_weights)
      throw Error("the rows of '" + session.facts(facts().spec->origin).name() +
                  "' have weights, which it ignores; the source must say that it gives them "
                  "(gives_weights)");
    set.widths = widths;
    set.inputs = names;
    if (has_columns_of_source(session) && facts().outline->columns.size() == layout.size())
      set.columns = facts().outline->columns;
    const auto numbers = numbers_of_rows(session, facts().index);
    set.row_numbers = numbers;
    if (const NodeFacts& only = session.facts(facts().inputs[0]);
        facts().inputs.size() == 1 && only.bases)
      set.bases = session.node(*only.bases).chosen_rows();
    if (training) remark_on_constant_columns(session, context);
    if (auto* grouped = dynamic_cast<GroupedLearner*>(parts.front().get()))
      grouped->set_groups(session.training_groups(facts().index));
    as<Solver>().train(set, report, context);
    training.reset();
  }

  /// In leave-one-out, the test samples are the training samples once more.
  void compute(Session& session, std::size_t first, const std::vector<MatrixView>& in,
               MutableMatrixView out) const override {
    if (!session.facts(facts().spec->origin).spec->fold.each_row)
      return Node::compute(session, first, in, out);
    std::vector<std::int64_t> rows(out.rows);
    std::iota(rows.begin(), rows.end(),
              static_cast<std::int64_t>(first - facts().outline->train_rows));
    NodeContext context = session.context(facts().index);
    as<LeaveOneOut>().apply_left_out(in.at(0), rows, out, context);
  }

  void borrow_training(Session& session) override {
    training = training_rows(session, facts().inputs[0]);
  }

  /// Whether this rank has only some of the training samples.
  static bool has_others(Context& context) { return &context.collectives() != &only_rank(); }

  bool has_columns_of_source(const Session& session) const {
    return facts().inputs.size() == 1 &&
           session.node(facts().inputs[0]).gives_columns_of_source(session.graph());
  }

  /// Reports once for each source which of its columns are constant, where a solver learns from
  /// them. Maps and pictures may have such columns (the corners of digits), which nobody chose.
  void remark_on_constant_columns(Session& session, Context& context) const {
    // The solver that learns from all samples has reported it for held-out ones.
    if (facts().spec->held_out) return;
    if (!has_columns_of_source(session) || training->cols() != facts().outline->layout.size())
      return;
    bool told = session.columns_told(facts().index);
    // With learning on the first rank, only that rank knows.
    if (has_others(context)) told = !session.ranks().from_first(told ? "told" : "").empty();
    if (told) return;
    const auto constant = constant_columns(*training, context);
    if (constant.empty()) return;
    session.journal().log(LogLevel::warning, session.facts(facts().spec->origin).name() + ": " +
                                                 constant_columns_text(constant, training->cols(),
                                                                       facts().outline->columns));
  }
};

}  // namespace

std::unique_ptr<Node> make_solver_node() { return std::make_unique<SolverNode>(); }

}  // namespace semblance
