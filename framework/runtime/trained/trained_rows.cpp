// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runtime/explain/explainer.hpp"
#include "runtime/explain/given_samples.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/batch_judging.hpp"
#include "runtime/services/process_threads.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/session/session.hpp"
#include "runtime/stages/finite_scores.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "runtime/trained/trained.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance {
namespace {

/// The number of rows per block, so that all threads have work.
std::size_t rows_at_a_time(std::size_t rows, std::size_t threads) {
  constexpr std::size_t fewest = 16;
  return std::clamp(rows / (2 * threads), fewest, block_rows);
}

/// What the time for rows is roughly proportional to: measures of samples that differ in size take
/// time with the square of a sample's size.
double effort_of(MatrixView rows) {
  if (!rows.ragged() || rows.sparse())
    return static_cast<double>(std::max(rows.rows, rows.values()));
  double effort = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    effort += static_cast<double>(rows.size(i)) * static_cast<double>(rows.size(i));
  return effort;
}

/// Rows that may have missing values still must not have infinite ones.
void check_not_infinite(MatrixView rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (const auto values = rows.row_span(i);
        std::ranges::any_of(values, [](float value) { return std::isinf(value); }))
      throw Error("row " + std::to_string(first + i) +
                  " (from 0) has an infinite value; remove the row, or replace the value");
}

PairSet pair_set(std::span<const Trained::RowPair> pairs, std::size_t rows) {
  if (rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error("pairs can be of 2147483647 rows at most; give fewer rows at a time");
  std::vector<Pair> list;
  list.reserve(pairs.size());
  const auto end = static_cast<std::int64_t>(rows);
  for (const auto& [first, second] : pairs) {
    for (const std::int64_t row : {first, second})
      if (row < 0 || row >= end)
        throw Error("a pair names row " + std::to_string(row) + ", but there are " +
                    std::to_string(rows) + " rows, counted from 0");
    list.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(second), 0});
  }
  return PairSet::listed(std::move(list));
}

}  // namespace

FloatMatrix Trained::apply(const std::string& node, MatrixView rows,
                           const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  if (rows.rows == 0) return {0, graph().facts(i).output.size()};
  const Stage stage =
      StageBuilder(session_->progress(), session_->data(), cancel).of_user().of_given(i, rows);
  FloatMatrix out = stage.steps.back().sizes.rows(0, rows.rows);
  compute(i, rows, stage, out.view(), cancel);
  judge_batch(graph().node(i), out.view());
  return out;
}

void Trained::apply(const std::string& node, MatrixView rows, MutableMatrixView out,
                    const std::atomic<bool>* cancel) const {
  apply_to_part(node, rows, out, cancel);
  judge(node, out);
}

bool Trained::judges_batches(const std::string& node) const {
  return semblance::judges_batches(graph().node(place_of(node)));
}

void Trained::judge(const std::string& node, MutableMatrixView out) const {
  judge_batch(graph().node(place_of(node)), out);
}

void Trained::apply_to_part(const std::string& node, MatrixView rows, MutableMatrixView out,
                            const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const Layout& layout = graph().facts(i).output;
  if (layout.ragged())
    throw Error("the rows of '" + node + "', each a " + describe(layout) + ", differ in size");
  if (out.rows != rows.rows || out.cols != layout.size())
    throw Error("there is room for " + std::to_string(out.rows) + " x " + std::to_string(out.cols) +
                " values, but '" + node + "' gives " + std::to_string(rows.rows) + " x " +
                std::to_string(layout.size()));
  if (rows.rows == 0) return;
  const Stage stage =
      StageBuilder(session_->progress(), session_->data(), cancel).of_user().of_given(i, rows);
  compute(i, rows, stage, out, cancel);
}

void Trained::compute(std::size_t i, MatrixView rows, const Stage& stage, MutableMatrixView out,
                      const std::atomic<bool>* cancel) const {
  const auto start = std::chrono::steady_clock::now();
  const OneBlasThread one;
  const StepGuard guard = step_guard(session_->data());
  const Node& source = graph().node(graph().facts(i).spec->origin);
  const bool keeps_missing = source.as<Source>().keeps_missing();
  NodeContext context = session_->progress().context(i);
  const std::size_t at_a_time = rows_at_a_time(rows.rows, context.threads());
  context.parallel_for((rows.rows + at_a_time - 1) / at_a_time, [&](std::size_t block) {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled();
    const std::size_t first = block * at_a_time, count = std::min(at_a_time, rows.rows - first);
    if (keeps_missing)
      check_not_infinite(rows.rows_range(first, count), first);
    else
      check_values(rows.rows_range(first, count), source.facts().output, first, SymbolsOf::any);
    compute_block(stage, first, out.rows_range(first, count), guard);
  });
  for (const StageStep& step : stage.steps)
    report_unknown_rows(session_->progress(), session_->data(), step.node, true);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  pace_[i].store(taken.count() / effort_of(rows), std::memory_order_relaxed);
}

double Trained::expected_seconds(const std::string& node, MatrixView rows) const {
  const double pace = pace_[place_of(node)].load(std::memory_order_relaxed);
  if (pace > 0) return pace * effort_of(rows);
  // A row may be compared with all that was learned from.
  return training_seconds_ * static_cast<double>(rows.rows);
}

FloatMatrix Trained::inputs_of(std::size_t i, MatrixView rows,
                               const std::atomic<bool>* cancel) const {
  const Stage stage = StageBuilder(session_->progress(), session_->data(), cancel)
                          .of_user()
                          .inputs_of_given(i, rows);
  FloatMatrix inputs = stage.steps.back().sizes.rows(0, rows.rows);
  compute(i, rows, stage, inputs.view(), cancel);
  return inputs;
}

std::vector<double> Trained::decisions(const std::string& node, MatrixView rows,
                                       const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  const auto* machine = dynamic_cast<const DecisionValues*>(graph().node(i).parts.at(0).get());
  if (!machine)
    throw Error("node '" + node + "' (" + graph().facts(i).spec->component.id +
                ") has scores only, no decision values");
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const std::size_t count = machine->decision_values();
  std::vector<double> values(rows.rows * count);
  if (values.empty()) return values;
  const OneBlasThread one;
  const FloatMatrix inputs = inputs_of(i, rows, cancel);
  NodeContext context = session_->progress().context(i);
  context.stop_at(cancel);
  const std::size_t at_a_time = rows_at_a_time(rows.rows, context.threads());
  session_->data().guard(i, "computing decision values", [&] {
    context.parallel_for((rows.rows + at_a_time - 1) / at_a_time, [&](std::size_t block) {
      const std::size_t first = block * at_a_time, some = std::min(at_a_time, rows.rows - first);
      machine->decide(inputs.view().rows_range(first, some),
                      std::span(values).subspan(first * count, some * count), context);
    });
    check_decisions(graph(), graph().node(i), values, count, inputs.view());
  });
  return values;
}

std::vector<Explanation> Trained::explain(const std::string& node, MatrixView rows,
                                          MatrixView background, const ExplainOptions& options,
                                          const std::atomic<bool>* cancel) const {
  const std::size_t machine = explained_machine(graph(), node);
  check_learned(machine);
  const Node& source = graph().node(graph().facts(machine).spec->origin);
  for (const auto& [view, what] : {std::pair{rows, "the rows"}, {background, "the background"}}) {
    check_rows(view, source.facts().output, what, Longest::any);
    if (source.as<Source>().keeps_missing())
      check_not_infinite(view, 0);
    else
      check_values(view, source.facts().output, 0, SymbolsOf::any);
  }
  const OneBlasThread one;
  return Explainer(session_->progress(), session_->data(), machine, options, rows, background,
                   cancel)
      .explain();
}

std::vector<Explanation> Trained::explain(const std::string& node, MatrixView samples,
                                          std::span<const std::size_t> chosen,
                                          std::size_t background, std::optional<std::uint64_t> seed,
                                          const ExplainOptions& options,
                                          const std::atomic<bool>* cancel) const {
  const NodeFacts& machine = graph().facts(explained_machine(graph(), node));
  const Layout& layout = graph().facts(machine.spec->origin).output;
  std::vector<std::size_t> others;
  if (samples.rows > 1)
    others = background_samples(samples.rows, background, seed.value_or(machine.spec->seed));
  const FloatMatrix rows = samples_at(layout, samples, chosen);
  const FloatMatrix compared = samples_at(layout, samples, others);
  return explain(node, rows.view(), compared.view(), options, cancel);
}

std::vector<float> Trained::apply_pairs(const std::string& node, MatrixView rows,
                                        std::span<const RowPair> pairs,
                                        const std::atomic<bool>* cancel) const {
  const std::size_t i = place_of(node);
  const Node& solver = graph().node(i);
  if (!dynamic_cast<const PairSolver*>(solver.parts.at(0).get()))
    throw Error("node '" + node + "' (" + solver.facts().spec->component.id +
                ") does not score pairs");
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const PairSet wanted = pair_set(pairs, rows.rows);
  std::vector<float> scores(wanted.size());
  if (scores.empty()) return scores;
  const OneBlasThread one;
  const FloatMatrix inputs = inputs_of(i, rows, cancel);
  const MatrixRows given(inputs.view());
  NodeContext context = session_->progress().context(i);
  context.stop_at(cancel);
  session_->data().guard(i, "scoring pairs", [&] {
    solver.as<PairSolver>().score(given, wanted, scores, context);
    check_scores(graph(), solver, {scores.data(), scores.size(), 1, 1}, {});
  });
  return scores;
}

}  // namespace semblance
