// SPDX-License-Identifier: MIT
#include "runtime/nodes/row_scoring_node.hpp"

#include <algorithm>
#include <cmath>

#include "report/metrics.hpp"
#include "runtime/loop/batch_judging.hpp"
#include "runtime/loop/learning_together.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/results/predictions.hpp"
#include "runtime/stages/row_content.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/predicted_class.hpp"
#include "support/json_text.hpp"

namespace semblance {

void RowScoringNode::scored(RunProgress& progress, RunData& data) {
  const Dataset& dataset = data.dataset(facts().index);
  const std::size_t first = facts().outline->train_rows;
  const auto labels = dataset.labels().subspan(first);
  test_labels.assign(labels.begin(), labels.end());
  test_targets = matched_targets(dataset, {first, labels.size()}, facts().outline->targets);
  test_groups = groups_of(dataset, {first, labels.size()});
  tags = RowTags(dataset, first, labels.size());
  progress.run(facts().index).record.rows = rows_of_solver(progress, data, facts().index);
  if (gives(PortType::scores)) samples = drawn_samples(dataset, first, predicted(progress), tags);
}

void RowScoringNode::save_labels(const std::filesystem::path& folder) const {
  StateFolderWriter writer(folder);
  const std::vector<std::int64_t> labels(test_labels.begin(), test_labels.end());
  writer.integers("labels", labels);
  if (!test_targets.empty()) writer.doubles("targets", test_targets);
  const std::vector<std::int64_t> groups(test_groups.begin(), test_groups.end());
  writer.integers("groups", groups);
  tags.save(writer);
  writer.text("samples", samples.dump());
  writer.finish();
}

void RowScoringNode::load_labels(const std::filesystem::path& folder) {
  const StateFolderReader reader(folder);
  const auto labels = reader.integers("labels");
  test_labels.assign(labels.begin(), labels.end());
  if (gives(PortType::estimates) || gives(PortType::intervals))
    test_targets = reader.doubles("targets");
  const auto groups = reader.integers("groups");
  test_groups.assign(groups.begin(), groups.end());
  tags = RowTags::load(reader);
  samples = parse_json(reader.text("samples"));
  if (!samples.is_array()) throw Error("the drawn samples are no list");
}

std::vector<std::filesystem::path> RowScoringNode::write_scores(const RunProgress& progress,
                                                                const std::filesystem::path& folder,
                                                                const std::string& name) const {
  const MatrixView scores = scores_of(progress, facts().index);
  if (gives(PortType::estimates))
    return write_estimates(folder, name, scores, test_targets, facts().outline->targets, tags);
  if (gives(PortType::intervals))
    return write_intervals(folder, name, scores, test_targets, facts().outline->targets, tags);
  if (gives(PortType::novelty))
    return write_novelty(folder, name, scores, test_labels, facts().outline->classes, tags);
  return write_predictions(folder, name, {scores, name_of_scores(), facts().gives_sets},
                           test_labels, facts().outline->classes, tags);
}

std::vector<std::uint8_t> RowScoringNode::correct(const RunProgress& progress) const {
  if (!gives(PortType::scores)) return {};
  const auto classes = predicted(progress);
  std::vector<std::uint8_t> right;
  for (std::size_t r = 0; r < classes.size(); ++r) right.push_back(classes[r] == test_labels[r]);
  return right;
}

std::vector<std::int32_t> RowScoringNode::predicted(const RunProgress& progress) const {
  const MatrixView scores = scores_of(progress, facts().index);
  std::vector<std::int32_t> classes;
  for (std::size_t r = 0; r < scores.rows; ++r)
    classes.push_back(predicted_class(scores.row_span(r)));
  return classes;
}

Predicted RowScoringNode::predict(RunProgress& progress, RunData& data) {
  const Dataset& dataset = data.dataset(facts().index);
  const Outline& own = dataset.outline();
  const RowSpan rows =
      own.test_rows > 0 ? RowSpan{own.train_rows, own.test_rows} : RowSpan{0, own.train_rows};
  if (rows.count == 0) throw Error("the source gives no rows to predict");
  NodeRun& run = progress.run(facts().index);
  run.rows = data.memory().keep(rows.count, {facts().output.size(), nullptr},
                                progress.own_rows(facts().index, rows));
  StageBuilder builder(progress, data);
  builder.add_rows(facts().index, rows, run.rows);
  Stage stage = builder.build(rows.first);
  stage.pieces = progress.own_rows(facts().index, {0, own.rows()});
  stream_stage(progress, data, stage);
  if (progress.stopping()) throw Cancelled();
  if (progress.ranks().together()) give_scores_to_first(progress, data, facts().index, rows);
  run.rows_life = RowsLife::there;
  if (!progress.ranks().first()) return {{}, rows.count, 0};
  judge_batch(*this, run.rows->writable(0, rows.count));
  test_labels = matched_labels(dataset, rows, facts().outline->classes);
  test_targets = matched_targets(dataset, rows, facts().outline->targets);
  test_groups = groups_of(dataset, rows);
  if (gives(PortType::scores))
    report_unknown_labels(progress, data, facts().index, rows, test_labels);
  tags = RowTags(dataset, rows.first, rows.count);
  return {write_scores(progress, progress.options().out, name()), rows.count, 0};
}

bool RowScoringNode::all_labelled() const {
  if (gives(PortType::estimates) || gives(PortType::intervals))
    return std::ranges::none_of(test_targets, [](double number) { return std::isnan(number); });
  return std::ranges::find(test_labels, -1) == test_labels.end();
}

MatrixView scores_of(const RunProgress& progress, std::size_t i) {
  const KeptRows& rows = *progress.run(i).rows;
  return rows.view(0, rows.rows());
}

}  // namespace semblance
