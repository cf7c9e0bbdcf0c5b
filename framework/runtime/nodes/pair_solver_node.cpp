// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/learning_together.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/loop/stage_targets.hpp"
#include "runtime/nodes/pairs_node.hpp"
#include "runtime/ranks/exchange.hpp"
#include "runtime/results/predictions.hpp"
#include "runtime/stages/finite_scores.hpp"
#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/stages/row_content.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/collectives.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance {
namespace {

/// Learns from pairs of samples whether two belong to the same class, and scores pairs.
class PairSolverNode final : public ScoringNode {
  void bind(const Compilation& graph, const KnownShapes*) override {
    as<PairSolver>().bind(joined_layout(facts(), graph));
    // It trains on pairs of the training samples, and scores pairs of any samples immediately.
    facts().demands = {.learns_from = RowsOf::all, .gathers = true, .learned = Learned::state};
    facts().phase = "training";
  }

  bool can_learn(const RunProgress& progress) const override {
    return training != nullptr && progress.run(*facts().pairs).ready();
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    const PairSelection& chosen = chooser(progress.graph()).chosen();
    if (chosen.train.size() == 0)
      throw Error("'" + chooser(progress.graph()).name() + "' gives no training pairs");
    const RowRange rows(training, 0, facts().outline->train_rows);
    const Layout layout = joined_layout(facts(), progress.graph());
    NodeContext context = progress.context(facts().index);
    as<PairSolver>().train({rows, layout, chosen.train, data.row_numbers(facts().index)}, report,
                           context);
    if (!progress.stopping()) {
      score(progress, data, chosen.test);
      if (!progress.purpose().judged_elsewhere || tested_.size() > 0)
        progress.run(facts().index).record.rows = rows_of_solver(progress, data, facts().index);
    }
    training.reset();
  }

  void borrow_training(RunProgress& progress, RunData& data) override {
    training = all_rows(progress, data, facts().inputs[0], rows_learned_from(facts()));
  }

  /// The store has its scores.
  bool needs_state(const RunProgress& progress) const override {
    return progress.purpose().keeps_states;
  }

  void save(const Folder& folder) const override {
    StateFolderWriter writer(part_folder(folder, 0));
    as<PairSolver>().save(writer);
    writer.finish();
  }

  void load(const Folder& folder, Context& context) override {
    as<PairSolver>().load(StateFolderReader(part_folder(folder, 0), values_learned()), context);
  }

  void save_results(const RunProgress& progress,
                    const std::filesystem::path& folder) const override {
    std::vector<std::int64_t> first, second, labels;
    for (const Pair& pair : tested_.list()) {
      first.push_back(pair.first);
      second.push_back(pair.second);
      labels.push_back(pair.label);
    }
    StateFolderWriter writer(folder / "test_pairs");
    writer.integers("first", first);
    writer.integers("second", second);
    writer.integers("labels", labels);
    tags.save(writer);
    writer.floats("scores", scores_of(progress, facts().index));
    writer.finish();
  }

  void load_results(RunProgress& progress, RunData& data,
                    const std::filesystem::path& folder) override {
    const StateFolderReader reader(folder / "test_pairs");
    const auto first = reader.integers("first"), second = reader.integers("second"),
               labels = reader.integers("labels");
    const FloatMatrix scores = reader.floats("scores");
    if (second.size() != first.size() || labels.size() != first.size() ||
        scores.rows != first.size() || (scores.rows > 0 && scores.cols != 1))
      throw Error("the stored scores do not match the test pairs");
    std::vector<Pair> read;
    for (std::size_t p = 0; p < first.size(); ++p)
      read.push_back({static_cast<std::int32_t>(first[p]), static_cast<std::int32_t>(second[p]),
                      static_cast<std::int32_t>(labels[p])});
    tags = RowTags::load(reader);
    const auto known = static_cast<std::int64_t>(tags.rows());
    for (const auto* rows : {&first, &second})
      for (const std::int64_t row : *rows)
        if (row < 0 || row >= known)
          throw Error("a test pair names a row that the source does not have");
    take_scores(progress, data, PairSet::listed(std::move(read)), scores.values);
  }

  void drop_rows() override {
    ScoringNode::drop_rows();
    tested_ = {};
  }

  const PairSet* tested_pairs() const override { return &tested_; }
  std::size_t trained_pairs(const Compilation& graph) const override {
    return chooser(graph).chosen().train.size();
  }

  std::vector<std::filesystem::path> write_scores(const RunProgress& progress,
                                                  const std::filesystem::path& folder,
                                                  const std::string& name) const override {
    return write_pair_predictions(folder, name, tested_, scores_of(progress, facts().index), tags);
  }

  std::vector<std::uint8_t> correct(const RunProgress& progress) const override {
    const MatrixView scores = scores_of(progress, facts().index);
    std::vector<std::uint8_t> right;
    for (std::size_t r = 0; r < scores.rows; ++r)
      right.push_back((scores.row(r)[0] > 0) == (test_labels[r] > 0));
    return right;
  }

  /// All new samples are test samples: pairs are chosen among them. For data of the training run,
  /// these are the test pairs that the run chose.
  Predicted predict(RunProgress& progress, RunData& data) override {
    PairSet wanted;
    const bool new_data = progress.facts(facts().spec->origin).new_data;
    data.guard(*facts().pairs, "choosing pairs", [&] {
      wanted = chooser(progress.graph())
                   .choose(progress, data, new_data ? 0 : facts().outline->train_rows)
                   .test;
      if (wanted.size() == 0)
        throw Error(new_data ? "the new data give no pairs to predict"
                             : "the training run had no test pairs; name new data: semblance "
                               "predict MODEL DATA");
    });
    stream_stage(progress, data,
                 build_stage(progress, data, {{StageTarget::What::training, facts().index}}));
    if (progress.stopping()) throw Cancelled();
    if (progress.ranks().together()) {
      const RowSpan span = rows_learned_from(facts());
      training = rows_on_first(progress.ranks(), data.memory(), *facts().outline, *training, span,
                               joined_sizes(progress, data, facts(), span));
      if (!progress.ranks().first()) return {{}, 0, wanted.size()};
    }
    data.guard(facts().index, "scoring pairs", [&] { score(progress, data, wanted); });
    return {write_scores(progress, progress.options().out, name()), 0, tested_.size()};
  }

  bool all_labelled() const override {
    return std::ranges::find(test_labels, 0) == test_labels.end();
  }

  const PairsNode& chooser(const Compilation& graph) const {
    return graph.node_as<PairsNode>(*facts().pairs);
  }

  void score(RunProgress& progress, RunData& data, const PairSet& wanted) {
    PairSet listed = PairSet::listed(wanted.expanded());
    tags = RowTags(data.dataset(facts().index), 0, data.dataset(facts().index).outline().rows());
    NodeContext context = progress.context(facts().index);
    std::vector<float> scores(listed.size());
    if (!scores.empty()) score(listed, scores, context);
    check_scores(progress.graph(), *this, {scores.data(), scores.size(), 1, 1}, {});
    take_scores(progress, data, std::move(listed), scores);
  }

  /// Where rows are spread over ranks, sends all ranks the rows that they score.
  void score(const PairSet& listed, std::span<float> scores, Context& context) const {
    if (&context.collectives() == &only_rank())
      return as<PairSolver>().score(*training, listed, scores, context);
    const NamedRows named = named_rows(training, facts().outline->train_rows, listed, context);
    as<PairSolver>().score(*named.rows, named.pairs, scores, context);
  }

  /// The scores become its rows.
  void take_scores(RunProgress& progress, RunData& data, PairSet tested,
                   std::span<const float> scores) {
    tested_ = std::move(tested);
    test_labels.clear();
    for (const Pair& pair : tested_.list()) test_labels.push_back(pair.label);
    NodeRun& run = progress.run(facts().index);
    run.rows = data.memory().keep(scores.size(), {1, nullptr});
    for (std::size_t p = 0; p < scores.size(); ++p) run.rows->writable(p, 1).row(0)[0] = scores[p];
    run.rows_life = RowsLife::there;
  }

  PairSet tested_;
};

}  // namespace

std::unique_ptr<Node> make_pair_solver_node() { return std::make_unique<PairSolverNode>(); }

}  // namespace semblance
