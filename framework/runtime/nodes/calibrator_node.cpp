// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pipeline/held_out.hpp"
#include "report/metrics.hpp"
#include "runtime/graph/compilation.hpp"
#include "runtime/nodes/column_categories.hpp"
#include "runtime/nodes/row_scoring_node.hpp"
#include "runtime/session/run_data.hpp"
#include "runtime/sources/folds.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance {
namespace {

/// Maps the scores of a solver, or surrounds its estimates with intervals; it learns the mapping
/// from scores of held-out samples: see pipeline/held_out.hpp.
class CalibratorNode final : public RowScoringNode {
  void bind(const Compilation& graph, const KnownShapes*) override {
    const Node& solver = graph.node(facts().inputs[0]);
    if (auto* of_classes = dynamic_cast<Calibrator*>(parts.front().get())) {
      of_classes->check_scores({solver.name(), solver.facts().spec->component.id,
                                facts().outline->classes, solver.facts().gives_probabilities});
      facts().gives_probabilities = of_classes->gives_probabilities();
      facts().gives_sets = of_classes->gives_sets();
    }
    facts().output = as<HeldOutCalibrator>().bind(solver.facts().output);
    if (const std::string& column = as<HeldOutCalibrator>().by_column; !column.empty())
      categories_.bind(column, *facts().outline);
    // It learns from no rows of its input; the plan takes what it learns from out of `held_out`.
    facts().demands = {
        .gives = RowsOf::testing, .keeping = Keeping::always, .learned = Learned::state};
    facts().phase = "calibrating";
  }

  bool can_learn(const RunProgress& progress) const override {
    if (leaves_one_out()) return solver(progress).left_out.rows > 0;
    return std::ranges::all_of(facts().held_out,
                               [&](std::size_t fold) { return progress.run(fold).has_rows(); });
  }

  void learn(RunProgress& progress, RunData& data) override {
    NodeContext context = progress.context(facts().index);
    RecordingReport report(progress.run(facts().index).record);
    const auto labels = data.training_labels(facts().index);
    const auto targets = data.training_targets(facts().index);
    const auto groups = data.training_groups(facts().index);
    const auto weights = data.training_weights(facts().index);
    const FloatMatrix scores = leaves_one_out()
                                   ? solver(progress).left_out
                                   : held_out_scores(progress, labels, targets, groups);
    const auto kept_groups =
        as<HeldOutCalibrator>().folds_by == "row" ? std::span<const std::int32_t>() : groups;
    std::vector<std::int32_t> in_category;
    if (!categories_.none()) {
      if (progress.ranks().together())
        throw Error("'by_column' needs the rows of all ranks; run the pipeline without --mpi");
      in_category = categories_.learn(data.dataset(facts().index), scores.rows);
    }
    const std::vector<std::string> names = categories_.names();
    const HeldOutCategories categories{in_category, names};
    if (auto* of_numbers = dynamic_cast<IntervalCalibrator*>(parts.front().get()))
      return of_numbers->fit(
          {scores.view(), targets, facts().outline->targets, weights, kept_groups, categories},
          report, context);
    if (auto* of_novelty = dynamic_cast<NoveltyCalibrator*>(parts.front().get()))
      return fit_novelty(*of_novelty, progress.node(facts().inputs[0]), scores, labels, weights,
                         kept_groups, report, context);
    as<Calibrator>().fit(
        {scores.view(), labels, facts().outline->classes,
         progress.facts(facts().inputs[0]).gives_probabilities, weights, kept_groups, categories},
        report, context);
  }

  bool leaves_one_out() const {
    return semblance::leaves_one_out(facts().spec->component, facts().spec->info());
  }

  const RowScoringNode& solver(const RunProgress& progress) const {
    return dynamic_cast<const RowScoringNode&>(progress.node(facts().inputs[0]));
  }

  /// Learns from the held-out samples that the detector takes for usual.
  void fit_novelty(NoveltyCalibrator& calibrator, const Node& detector, const FloatMatrix& scores,
                   std::span<const std::int32_t> labels, std::span<const double> all_weights,
                   std::span<const std::int32_t> all_groups, Report& report,
                   Context& context) const {
    const std::string usual =
        dynamic_cast<const NoveltyDetector&>(*detector.parts.front()).learned_class();
    const auto& classes = facts().outline->classes;
    const auto label = std::ranges::find(classes, usual) - classes.begin();
    std::vector<float> values;
    std::vector<double> weights;
    std::vector<std::int32_t> groups;
    for (std::size_t i = 0; i < scores.rows; ++i) {
      if (!usual.empty() && labels[i] != label) continue;
      values.push_back(scores.values[i]);
      if (!all_weights.empty()) weights.push_back(all_weights[i]);
      if (!all_groups.empty()) groups.push_back(all_groups[i]);
    }
    calibrator.fit({values, weights, groups}, report, context);
  }

  /// The scores of all training samples, in their order: each is scored by the one fold that holds
  /// it out.
  FloatMatrix held_out_scores(const RunProgress& progress, std::span<const std::int32_t> labels,
                              std::span<const double> targets,
                              std::span<const std::int32_t> groups) const {
    FloatMatrix scores(labels.size(), progress.facts(facts().inputs[0]).output.size());
    std::vector<char> scored(labels.size());
    for (const std::size_t fold : facts().held_out) {
      const NodeFacts& solver = progress.facts(fold);
      const PipelineNode& source = *progress.facts(solver.spec->origin).spec;
      const Fold& held = source.fold;
      const auto divided = held.by_row ? std::span<const std::int32_t>() : groups;
      const auto strata = fold_strata(labels, targets, facts().outline->targets.size(),
                                      !divided.empty(), held, !source.needs_classes);
      const auto [rows, train_rows] = fold_rows(strata, divided, held);
      const MatrixView given = scores_of(progress, fold);
      if (train_rows != solver.outline->train_rows || rows.size() != train_rows + given.rows)
        throw Error("internal error: the folds are not those of the training rows");
      for (std::size_t i = 0; i < given.rows; ++i) {
        const auto row = static_cast<std::size_t>(rows[solver.outline->train_rows + i]);
        std::ranges::copy(given.row_span(i), scores.view().row(row));
        scored[row] = 1;
      }
    }
    if (std::ranges::find(scored, 0) != scored.end())
      throw Error("internal error: a training row is held out by no fold");
    return scores;
  }

  void complete(RunProgress& progress) override {
    const std::size_t solver = facts().inputs[0];
    if (!facts().outline->targets.empty()) return;
    if (!progress.run(facts().index).has_rows() || !progress.run(solver).has_rows()) return;
    const MatrixView before = scores_of(progress, solver),
                     after = scores_of(progress, facts().index);
    const bool novelty = facts().spec->info().output->type == PortType::novelty;
    const auto predicted = [&](std::span<const float> row) {
      return novelty ? std::int32_t{row[0] >= 0} : predicted_class(row);
    };
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < after.rows; ++i)
      changed += predicted(before.row_span(i)) != predicted(after.row_span(i));
    progress.run(facts().index).record.metrics["changed_predictions"] = changed;
  }

  std::string name_of_scores() const override {
    return facts().gives_probabilities ? "probability" : "score";
  }

  void borrow_training(RunProgress&, RunData&) override {}

  void compute(std::size_t first, const std::vector<MatrixView>& inputs, MutableMatrixView out,
               Context& context) const override {
    if (categories_.none()) return Node::compute(first, inputs, out, context);
    // Beside the scores are the rows of the source.
    std::vector<std::int32_t> own;
    for (std::size_t i = 0; i < out.rows; ++i)
      own.push_back(categories_.of(inputs.at(1).row_span(i)));
    for (std::size_t begin = 0, end = 0; begin < out.rows; begin = end) {
      while (end < out.rows && own[end] == own[begin]) ++end;
      as<HeldOutCalibrator>().apply_within(own[begin], inputs[0].rows_range(begin, end - begin),
                                           out.rows_range(begin, end - begin), context);
    }
  }

  void save(const Folder& folder) const override {
    Node::save(folder);
    if (!categories_.none()) categories_.save(folder / "categories");
  }

  void load(const Folder& folder, Context& context) override {
    Node::load(folder, context);
    if (!categories_.none()) categories_.load(folder / "categories");
  }

  ColumnCategories categories_;
};

}  // namespace

std::unique_ptr<Node> make_calibrator_node() { return std::make_unique<CalibratorNode>(); }

}  // namespace semblance
