// SPDX-License-Identifier: MIT
#include "runtime/run/variant_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "pipeline/resolved.hpp"
#include "report/judged_rows.hpp"
#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/run/pooled_rows.hpp"
#include "study/study_limits.hpp"
#include "support/combination_name.hpp"
#include "support/did_you_mean.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

std::size_t index_of(const Pipeline& pipeline, const std::string& name) {
  const auto found = std::ranges::find(pipeline.nodes, name, &PipelineNode::name);
  return static_cast<std::size_t>(found - pipeline.nodes.begin());
}

/// Adds the samples that the metric's node evaluated or a solver learned from; with several
/// solvers, all of them.
void add_rows(const RunProgress& progress, std::size_t metric_node, Measurement& measurement) {
  const Node& node = progress.node(metric_node);
  const auto solvers = node.scoring() ? std::vector{metric_node} : node.facts().judged;
  for (const std::size_t solver : solvers)
    if (const auto& rows = progress.run(solver).record.rows) add_rows(*rows, measurement);
}

/// Adds which samples the metric's node found right, or their losses, where it evaluated the scores
/// of one solver and the figure follows from these.
void add_judged_rows(const RunProgress& progress, std::size_t metric_node,
                     const std::string& figure, Measurement& measurement) {
  const auto judged = progress.facts(metric_node).judged;
  if (judged.size() != 1 || !progress.run(judged[0]).has_rows()) return;
  const ScoringNode& solver = *progress.node(judged[0]).scoring();
  if (const std::size_t numbers = progress.facts(judged[0]).outline->targets.size(); numbers > 0) {
    const MatrixView scores = scores_of(progress, judged[0]);
    std::vector<double> estimates;
    for (std::size_t r = 0; r < scores.rows; ++r)
      estimates.insert(estimates.end(), scores.row_span(r).begin(), scores.row_span(r).end());
    auto found = row_losses(figure, estimates, solver.test_targets, numbers);
    if (found && adds_up(found->figure, measurement)) measurement.losses = std::move(found->losses);
    return;
  }
  auto correct = solver.correct(progress);
  const auto share = figure_by_rows(figure, correct);
  if (share && adds_up(*share, measurement)) measurement.correct = std::move(correct);
}

/// The figures to be shown beside the metric, of a variant that is finished.
std::vector<double> further_figures(const Study& study, const StudySession& open, std::size_t v) {
  const Pipeline& pipeline = study.variants[v].pipeline;
  std::vector<double> values;
  for (const StudyFigure& wanted : study.further) {
    values.push_back(std::numeric_limits<double>::quiet_NaN());
    const std::size_t at = index_of(pipeline, wanted.node);
    if (at == pipeline.nodes.size()) continue;
    const auto& record = open.session->progress().run(open.merged.places[v][at]).record;
    const auto value = record.metrics.find(wanted.figure);
    if (value != record.metrics.end() && value->is_number()) values.back() = value->get<double>();
  }
  return values;
}

std::string missing_figure(const Study& study, const NodeRecord& node) {
  std::vector<std::string> names;
  for (const auto& [name, value] : node.metrics.items())
    if (value.is_number()) names.push_back(name);
  return "node '" + study.metric_node + "' (" + node.component + ") reports no figure '" +
         study.metric + "'" + (names.empty() ? "" : "; it reports " + enumerate(names));
}

Measurement measure(const Study& study, const StudySession& open, std::size_t v,
                    VariantRecord& record) {
  Measurement result;
  const StudyVariant& variant = study.variants[v];
  const VariantFigure figure = figure_of(variant, study, open, v);
  // Work that a stop left undone has not failed.
  if (record.finished || !record.error.empty()) result.error = figure.error;
  if (record.finished && record.error.empty()) record.error = figure.error;
  if (!figure.value) return result;
  result.value = *figure.value;
  result.further = further_figures(study, open, v);
  result.folders = {"variants/" + variant.name};
  const std::size_t place = metric_place(variant, study, open, v);
  add_rows(open.session->progress(), place, result);
  add_judged_rows(open.session->progress(), place, study.metric, result);
  return result;
}

/// The text of `folds:` in a selection.
std::string folds_text(const Fold& fold) {
  const std::string count = fold.each_row ? leave_one_out_text : std::to_string(fold.count);
  return fold.by_row ? "{count: " + count + ", by: row}" : count;
}

/// Where the variant is one fold: the selection in its pipeline file, which makes all folds and
/// then a model of all samples.
std::string cross_validation(const Study& study, const Pipeline& pipeline) {
  for (const PipelineNode& node : pipeline.nodes)
    if (const Fold& fold = node.fold; node.inputs.empty() && fold.count > 0)
      return "select: {metric: " + study.metric_node + "." + study.metric +
             ", folds: " + folds_text(fold) + "}\n";
  return "";
}

}  // namespace

std::size_t metric_place(const StudyVariant& variant, const Study& study, const StudySession& open,
                         std::size_t place) {
  return open.merged.places[place][index_of(variant.pipeline, study.metric_node)];
}

VariantFigure figure_of(const StudyVariant& variant, const Study& study, const StudySession& open,
                        std::size_t place) {
  if (!open.errors[place].empty()) return {std::nullopt, open.errors[place]};
  const auto& nodes = open.merged.places[place];
  const auto done = [&](std::size_t node) { return open.session->progress().run(node).ready(); };
  if (nodes.empty() || !std::ranges::all_of(nodes, done)) return {std::nullopt, "not finished"};
  const auto& record =
      open.session->progress().run(metric_place(variant, study, open, place)).record;
  const auto value = record.metrics.find(study.metric);
  if (value == record.metrics.end() || !value->is_number())
    return {std::nullopt, missing_figure(study, record), true};
  if (!std::isfinite(value->get<double>()))
    return {std::nullopt,
            "node '" + study.metric_node + "' (" + record.component + ") reports a " +
                study.metric + " that is not finite",
            true};
  return {value->get<double>(), ""};
}

VariantRecord variant_record(const Study& study, const StudySession& open, std::size_t v) {
  const StudyVariant& variant = study.variants[v];
  VariantRecord record;
  record.name = variant.name;
  record.choices = variant.choices;
  record.repeat = variant.repeat;
  record.error = open.errors[v];
  if (open.merged.places[v].empty()) return record;
  record.finished = true;
  for (std::size_t i = 0; i < variant.pipeline.nodes.size(); ++i) {
    const NodeRun& run = open.session->progress().run(open.merged.places[v][i]);
    record.finished = record.finished && run.ready();
    NodeRecord node = run.record;
    node.name = variant.pipeline.nodes[i].name;
    node.inputs.clear();
    for (const auto& input : variant.pipeline.nodes[i].inputs)
      for (const std::size_t from : input.nodes)
        node.inputs.push_back(variant.pipeline.nodes[from].name);
    record.nodes.push_back(std::move(node));
  }
  return record;
}

namespace {

/// The values that cross-validation chose, for the table.
void add_chosen(const VariantRecord& variant, Measurement& measurement) {
  if (!variant.selection) return;
  const SelectionRecord& selection = *variant.selection;
  const TrialRecord& trial = selection.trials.at(selection.chosen);
  for (std::size_t p = 0; p < selection.parameters.size(); ++p)
    if (!trial.values[p].empty()) measurement.chosen[selection.parameters[p]] = {trial.values[p]};
}

}  // namespace

/// A cross-validation of a combination.
struct CrossValidation {
  PooledRows rows;
  std::size_t missing = 0;  ///< folds that are not there
  std::size_t variant = 0;  ///< the last fold
};

/// Adds the metric of the held-out samples of all folds together to each method whose blocks are
/// folds.
void add_pooled(const Study& study, const StudySession& open, ResultTable& table) {
  std::vector<std::map<std::uint64_t, CrossValidation>> all(study.combinations);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const StudyVariant& variant = study.variants[v];
    const Fold& fold = std::ranges::find_if(variant.pipeline.nodes, [](const PipelineNode& node) {
                         return node.inputs.empty();
                       })->fold;
    if (fold.count < 2) continue;
    const auto made = all[variant.combination].try_emplace(fold.seed);
    CrossValidation& own = made.first->second;
    if (made.second) own.missing = fold.count;
    const VariantFigure figure = figure_of(variant, study, open, v);
    if (!figure.value && !figure.undefined) continue;
    own.rows.add(variant, study, open, v, figure.value);
    --own.missing;
    own.variant = v;
  }
  for (std::size_t c = 0; c < study.combinations; ++c) {
    double sum = 0;
    for (const auto& [seed, own] : all[c]) {
      const bool whole = own.missing == 0 && own.rows.follows();
      const auto figure =
          whole ? own.rows.figure(study.variants[own.variant], study, open, own.variant)
                : std::nullopt;
      sum += figure.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    if (!all[c].empty() && std::isfinite(sum))
      table.methods[c].pooled = sum / static_cast<double>(all[c].size());
  }
}

ResultTable result_table(const Study& study, const StudySession& open,
                         std::vector<VariantRecord>& variants) {
  ResultTable table;
  table.node = study.metric_node;
  table.metric = study.metric;
  table.unit = study.unit;
  table.higher_is_better = study.higher_is_better;
  table.blocks = study.repeats;
  table.baseline = study.baseline;
  table.numbers = rounded_numbers(study.slots);
  for (const StudyFigure& one : study.further)
    table.further.push_back({one.node, one.figure, one.unit, one.better});
  for (const StudySlot& slot : study.slots) table.slots.push_back(slot.name);
  table.methods.resize(study.combinations);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    Method& method = table.methods[study.variants[v].combination];
    if (method.measurements.empty()) {
      for (std::size_t s = 0; s < study.slots.size(); ++s)
        method.choices.push_back(study.slots[s].alternatives[study.variants[v].choices[s]]);
      method.name = combination_name(table.slots, method.choices);
    }
    method.measurements.push_back(measure(study, open, v, variants[v]));
    add_chosen(variants[v], method.measurements.back());
  }
  add_pooled(study, open, table);
  return table;
}

void write_variant(const Study& study, const StudySession& open, RunRecord run,
                   const VariantRecord& variant, std::size_t v,
                   const std::filesystem::path& folder) {
  const Pipeline& pipeline = study.variants[v].pipeline;
  run.pipeline = pipeline.name;
  run.seed = pipeline.seed;
  run.nodes = variant.nodes;
  run.selection = variant.selection;
  run.wall_seconds = 0;
  for (const NodeRecord& node : run.nodes) run.wall_seconds += node.seconds;
  write_metrics(run, folder / "metrics.json");
  write_html_variant_report(run, study.variants[v].name, folder / "report.html");
  write_file_atomically(folder / "pipeline.yaml",
                        resolved_yaml(pipeline) + cross_validation(study, pipeline));
  for (std::size_t i = 0; i < pipeline.nodes.size(); ++i) {
    const std::size_t place = open.merged.places[v][i];
    if (open.session->graph().node(place).scoring())
      write_scores(open.session->progress(), place, folder / "predictions", pipeline.nodes[i].name);
  }
}

}  // namespace semblance
