// SPDX-License-Identifier: MIT

#include "runtime/loop/learning.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "semblance/basis.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"

namespace semblance {
namespace {

/// Maps each sample to its similarities to the bases.
class SimilarityNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes* known) override {
    as<Similarity>().bind(graph.facts(facts().inputs[0]).output);
    facts().operations = as<Similarity>().operations();
    facts().output = known ? known->output_of(name())
                           : Layout::vector(graph.nodes[*facts().bases]->as<Basis>().count(
                                 facts().outline->train_rows, facts().outline->classes.size()));
    facts().demands = {.gives = RowsOf::all,
                       .keeping = Keeping::if_learned_from,
                       .learned = Learned::state,
                       .looks_up_rows = true};
    facts().phase = "preparing the bases";
    // Each rank has some of the bases' samples, and receives the remaining ones.
    facts().learns_where = LearnsWhere::everywhere;
  }

  bool can_learn(const RunProgress& progress) const override {
    return progress.run(*facts().bases).ready() && can_stream(progress, facts().inputs[0]);
  }

  void learn(RunProgress& progress, RunData& data) override {
    const auto chosen = progress.node(*facts().bases).chosen_rows();
    NodeContext context = progress.context(facts().index);
    const auto training = training_rows(progress, data, facts().inputs[0]);
    const FloatMatrix rows = gather_rows(*training, chosen, context);
    std::vector<std::int64_t> columns;
    const auto numbers = numbers_of_rows(progress.graph(), data, facts().index, columns);
    std::vector<std::int64_t> numbered(chosen.begin(), chosen.end());
    if (!numbers.empty())
      for (auto& row : numbered) row = numbers[static_cast<std::size_t>(row)];
    set_bases(rows.view(), numbered, context);
    check(progress, *training, rows.view(), context);
  }

  /// A failure of some of the bases is one of the first; the node has failed then, whatever its
  /// component holds.
  void set_bases(MatrixView bases, std::span<const std::int64_t> numbers, NodeContext& context) {
    const auto set = [&](std::size_t first, std::size_t count) {
      as<Similarity>().set_bases(bases.rows_range(first, count), numbers.subspan(first, count),
                                 context);
    };
    name_failing_row(
        RowError::Of::bases, bases.rows, [&] { set(0, bases.rows); },
        [&](std::size_t row) { set(row, 1); });
  }

  /// Compares its output for some training samples with its definition.
  void check(RunProgress& progress, const Rows& training, MatrixView bases_rows,
             NodeContext& context) const {
    const auto positions = checked_rows(training.rows());
    const FloatMatrix samples = gather_rows(
        training, std::vector<std::int64_t>(positions.begin(), positions.end()), context);
    try {
      auto& figure = progress.run(facts().index).record.metrics["check_error"];
      if (const auto error =
              check_similarity(as<Similarity>(), bases_rows, samples.view(), context))
        figure = *error;
      else
        figure = not_checked;
      check_differences(as<Similarity>(), bases_rows, samples.view(), Differences::of_samples,
                        context);
    } catch (const RowError& problem) {
      if (problem.of() != RowError::Of::block) throw;
      throw problem.about(RowError::Of::training, positions[problem.row()]);
    }
  }

  /// A map's width is stored beside its state. Both must agree, since rows of that width are
  /// written. For other components, the learned state does not change the number of values.
  void load(const Folder& folder, Context& context) override {
    Node::load(folder, context);
    const std::size_t given = as<Similarity>().bases(), expected = facts().output.size();
    if (given != expected)
      throw Error("its learned state gives " + std::to_string(given) + " values per row, not the " +
                  std::to_string(expected) + " that the pipeline expects; train the model again");
  }
};

}  // namespace

std::unique_ptr<Node> make_similarity_node() { return std::make_unique<SimilarityNode>(); }

}  // namespace semblance
