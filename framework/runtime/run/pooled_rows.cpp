// SPDX-License-Identifier: MIT
#include "runtime/run/pooled_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/score_origin.hpp"
#include "runtime/run/variant_results.hpp"
#include "semblance/error.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {
namespace {

/// The evaluator of a metric that may follow from the scored samples alone.
const Evaluator* judge_of_rows(const RunProgress& progress, std::size_t node) {
  const auto& parts = progress.node(node).parts;
  if (parts.size() != 1 || progress.facts(node).judged.size() != 1) return nullptr;
  const auto* evaluator = dynamic_cast<const Evaluator*>(parts.front().get());
  return evaluator && evaluator->needs().rows_alone() ? evaluator : nullptr;
}

bool same(std::optional<double> a, std::optional<double> b) {
  constexpr double rounding = 1e-9;
  if (!a || !b) return a.has_value() == b.has_value();
  return std::abs(*a - *b) <= rounding * std::max(1.0, std::abs(*a));
}

}  // namespace

void PooledRows::add(const StudyVariant& variant, const Study& trials, const StudySession& open,
                     std::size_t place, std::optional<double> reported) {
  follows_ = follows_ && open.session->ranks().first();  // which has the scores
  if (!follows_) return;
  const RunProgress& progress = open.session->progress();
  const std::size_t node = metric_place(variant, trials, open, place);
  follows_ =
      judge_of_rows(progress, node) && progress.run(progress.facts(node).judged[0]).has_rows();
  if (!follows_) return;
  const std::size_t solver = progress.facts(node).judged[0];
  const ScoringNode& scored = *progress.node(solver).scoring();
  const MatrixView scores = scores_of(progress, solver);
  Rows fold;
  fold.columns = scores.cols;
  for (std::size_t i = 0; i < scores.rows; ++i)
    fold.scores.insert(fold.scores.end(), scores.row(i), scores.row(i) + scores.cols);
  fold.labels = scored.test_labels;
  fold.targets = scored.test_targets;
  fold.groups = scored.test_groups;
  follows_ = scored.tested_pairs() == nullptr && (folds_ == 0 || rows_.columns == fold.columns) &&
             (folds_ > 0 || same(judge(fold, variant, trials, open, place, true), reported));
  if (!follows_) return;
  ++folds_;
  rows_.columns = fold.columns;
  rows_.scores.insert(rows_.scores.end(), fold.scores.begin(), fold.scores.end());
  rows_.labels.insert(rows_.labels.end(), fold.labels.begin(), fold.labels.end());
  rows_.targets.insert(rows_.targets.end(), fold.targets.begin(), fold.targets.end());
  rows_.groups.insert(rows_.groups.end(), fold.groups.begin(), fold.groups.end());
}

std::optional<double> PooledRows::figure(const StudyVariant& variant, const Study& trials,
                                         const StudySession& open, std::size_t place) const {
  return judge(rows_, variant, trials, open, place, false);
}

std::optional<double> PooledRows::judge(const Rows& rows, const StudyVariant& variant,
                                        const Study& trials, const StudySession& open,
                                        std::size_t place, bool quiet) {
  RunProgress& progress = open.session->progress();
  const std::size_t node = metric_place(variant, trials, open, place);
  const Evaluator& evaluator = *judge_of_rows(progress, node);
  FloatMatrix scores(rows.labels.size(), rows.columns);
  std::ranges::copy(rows.scores, scores.values.begin());
  RunServices services = progress.services();
  if (quiet) services.log = [](LogLevel, const std::string&) {};
  const PipelineNode& spec = *progress.facts(node).spec;
  NodeContext context(services, spec.name, mixed_seed(spec.seed, spec.component.id));
  NodeRecord record;
  record.component = progress.run(node).record.component;
  record.figures = progress.run(node).record.figures;
  RecordingReport report(record);
  try {
    evaluator.evaluate(results_of(progress, node, std::as_const(scores).view(), rows.labels,
                                  rows.targets, rows.groups),
                       report, context);
  } catch (const Error&) {  // it needs more than the samples
    return std::nullopt;
  }
  const auto value = record.metrics.find(trials.metric);
  if (value == record.metrics.end() || !value->is_number()) return std::nullopt;
  const auto number = value->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace semblance
