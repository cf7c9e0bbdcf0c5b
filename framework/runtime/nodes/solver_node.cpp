// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <sstream>

#include "report/metrics.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/nodes/row_scoring_node.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/rows/constant_columns.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/regressor.hpp"
#include "semblance/shared_work.hpp"
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

/// While it lives, a solver shares work with others of the run, if it can.
class Sharing {
 public:
  Sharing(SharedTrainings& trainings, std::size_t node, SharesWork* solver, std::size_t rows)
      : trainings_(trainings), node_(node), solver_(solver) {
    if (solver_) solver_->use_shared_work(trainings_.of(node_, rows));
  }
  ~Sharing() {
    if (!solver_) return;
    solver_->use_shared_work(nullptr);
    trainings_.learned(node_);
  }
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;

 private:
  SharedTrainings& trainings_;
  const std::size_t node_;
  SharesWork* const solver_;
};

/// The node's name without the splits of a study: "data[linear,seed=2,fold=1]" is "data[linear]",
/// as all have the same columns.
std::string without_repeat(const std::string& name) {
  const std::size_t open = name.find('[');
  if (open == name.npos) return name;
  std::istringstream words(name.substr(open + 1, name.size() - open - 2));
  std::string kept;
  for (std::string word; std::getline(words, word, ',');)
    if (!word.starts_with("seed=") && !word.starts_with("fold=") &&
        word.find_first_not_of("0123456789") != word.npos)
      kept.append(kept.empty() ? "[" : ",").append(word);
  return name.substr(0, open) + kept + (kept.empty() ? "" : "]");
}

/// Learns from samples, and gives each a score per class, an estimate per number to predict, or one
/// score that says how usual it is.
class SolverNode final : public RowScoringNode {
  void bind(const Compilation& graph, const KnownShapes*) override {
    as<Learner>().bind(joined_layout(facts(), graph));
    facts().output = Layout::vector(values_per_row());
    leaves_one_out_ = graph.facts(facts().spec->origin).spec->fold.each_row;
    const bool visits = as<Learner>().uses_rows();
    facts().demands = {.learns_from = visits ? RowsOf::training : RowsOf::none,
                       .gathers = visits,
                       .trains_beside_others = visits,
                       .gives = RowsOf::testing,
                       .keeping = Keeping::always,
                       .learned = Learned::state};
    facts().phase = "training";
    const auto* classifier = dynamic_cast<const Solver*>(parts.front().get());
    facts().gives_probabilities = classifier && classifier->gives_probabilities();
    if (const auto* intervals = dynamic_cast<const IntervalRegressor*>(parts.front().get()))
      facts().normal_quantile = intervals->normal_quantile();
  }

  bool can_learn(const RunProgress& progress) const override {
    if (as<Learner>().uses_rows()) return training != nullptr;
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return progress.run(in).ready(); });
  }

  void learn(RunProgress& progress, RunData& data) override {
    NodeContext context = progress.context(facts().index);
    RecordingReport report(progress.run(facts().index).record);
    const Layout layout = joined_layout(facts(), progress.graph());
    const auto widths = input_widths(progress.graph(), facts().index);
    const auto names = input_names(progress.graph(), facts().index);
    const UncomputedRows uncomputed(facts().outline->train_rows, layout.size());
    const Rows& rows = training ? *training : static_cast<const Rows&>(uncomputed);
    TrainingSet set{rows, layout, data.training_labels(facts().index), facts().outline->classes};
    set.targets = data.training_targets(facts().index);
    set.target_names = facts().outline->targets;
    set.weights = data.training_weights(facts().index);
    if (!set.weights.empty() && !facts().spec->info().takes_weights)
      throw Error("the rows of '" + progress.facts(facts().spec->origin).name() +
                  "' have weights, which it ignores; the source must say that it gives them "
                  "(gives_weights)");
    set.groups = data.training_groups(facts().index);
    set.widths = widths;
    set.inputs = names;
    if (has_columns_of_source(progress.graph()) && facts().outline->columns.size() == layout.size())
      set.columns = facts().outline->columns;
    std::vector<std::int64_t> columns;
    set.row_numbers = numbers_of_rows(progress.graph(), data, facts().index, columns);
    if (const NodeFacts& only = progress.facts(facts().inputs[0]);
        facts().inputs.size() == 1 && only.bases)
      set.bases = progress.node(*only.bases).chosen_rows();
    if (training) remark_on_constant_columns(progress, data, context);
    {
      const Sharing sharing(data.shared_trainings(), facts().index,
                            dynamic_cast<SharesWork*>(parts.front().get()), rows.rows());
      if (facts().spec->scores_left_out)
        train_leaving_out(set, report, context);
      else
        as<Learner>().train(set, report, context);
    }
    training.reset();
  }

  void train_leaving_out(const TrainingSet& set, Report& report, Context& context) {
    check_single_rows(set);
    FloatMatrix scores(set.rows.rows(), values_per_row());
    as<LeftOutScores>().train_leaving_out(set, scores.view(), report, context);
    if (context.stop_requested() == StopReason::none) left_out = std::move(scores);
  }

  /// Without its only sample, nothing is known of a class.
  static void check_single_rows(const TrainingSet& set) {
    std::vector<std::size_t> counts(set.classes.size());
    for (std::size_t i = 0; i < set.labels.size(); ++i)
      if (set.labels[i] >= 0 && (set.weights.empty() || set.weights[i] > 0))
        ++counts[static_cast<std::size_t>(set.labels[i])];
    const auto single = std::ranges::find(counts, std::size_t{1});
    if (single != counts.end())
      throw Error("class '" + set.classes[static_cast<std::size_t>(single - counts.begin())] +
                  "' has a single training row, without which nothing is known of it, but the "
                  "calibrator leaves out each row; give more rows of that class");
  }

  /// Part of the store, not of a model.
  void save_results(const RunProgress&, const std::filesystem::path& folder) const override {
    if (!facts().spec->scores_left_out) return;
    StateFolderWriter writer(folder / "left_out");
    writer.floats("scores", left_out.view());
    writer.finish();
  }

  void load_results(RunProgress&, RunData&, const std::filesystem::path& folder) override {
    if (!facts().spec->scores_left_out) return;
    left_out = StateFolderReader(folder / "left_out").floats("scores");
    if (left_out.rows != facts().outline->train_rows || left_out.cols != values_per_row())
      throw Error("the stored scores of samples that are left out do not match the training rows");
  }

  std::size_t values_per_row() const {
    if (dynamic_cast<const Regressor*>(parts.front().get())) return facts().outline->targets.size();
    if (dynamic_cast<const IntervalRegressor*>(parts.front().get()))
      return 3 * facts().outline->targets.size();
    if (dynamic_cast<const NoveltyDetector*>(parts.front().get())) return 1;
    return facts().outline->classes.size();
  }

  /// In leave-one-out, the test samples are the training samples.
  void compute(std::size_t first, const std::vector<MatrixView>& in, MutableMatrixView out,
               Context& context) const override {
    if (!leaves_one_out_) return Node::compute(first, in, out, context);
    std::vector<std::int64_t> rows(out.rows);
    std::iota(rows.begin(), rows.end(),
              static_cast<std::int64_t>(first - facts().outline->train_rows));
    as<Learner>().apply_left_out(in.at(0), rows, out, context);
  }

  void borrow_training(RunProgress& progress, RunData& data) override {
    training = training_rows(progress, data, facts().inputs[0]);
  }

  /// Whether this rank has only some of the training samples.
  static bool has_others(Context& context) { return &context.collectives() != &only_rank(); }

  bool has_columns_of_source(const Compilation& graph) const {
    return facts().inputs.size() == 1 && graph.facts(facts().inputs[0]).gives_columns_of_source;
  }

  /// Reports once for each source which of its columns are constant, where a solver learns from
  /// them. Maps and pictures may have such columns (the corners of digits), which nobody chose.
  void remark_on_constant_columns(RunProgress& progress, RunData& data, Context& context) const {
    // The solver that learns from all samples has reported it for held-out ones.
    if (facts().spec->held_out) return;
    if (!has_columns_of_source(progress.graph()) ||
        training->cols() != facts().outline->layout.size())
      return;
    bool told = data.columns_told(facts().index);
    // With learning on the first rank, only that rank knows.
    if (has_others(context)) told = !progress.ranks().from_first(told ? "told" : "").empty();
    if (told) return;
    auto constant = constant_columns(*training, context);
    drop_rare_categories(constant, facts().outline->columns);
    if (constant.empty()) return;
    progress.journal().log(
        LogLevel::warning,
        without_repeat(progress.facts(facts().spec->origin).name()) + ": " +
            constant_columns_text(constant, training->cols(), facts().outline->columns));
  }

  bool leaves_one_out_ = false;
};

}  // namespace

std::unique_ptr<Node> make_solver_node() { return std::make_unique<SolverNode>(); }

}  // namespace semblance
