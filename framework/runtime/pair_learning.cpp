// SPDX-License-Identifier: MIT
#include "runtime/pair_learning.hpp"

#include <algorithm>
#include <unordered_map>

#include "pipeline/shown_names.hpp"
#include "runtime/folds.hpp"
#include "runtime/pair_task.hpp"
#include "runtime/row_content.hpp"
#include "runtime/state_files.hpp"

namespace semblance {
namespace {

void check_row(std::int32_t row, std::size_t rows, const char* which) {
  if (row >= 0 && static_cast<std::size_t>(row) < rows) return;
  throw Error("it chose a pair with row " + std::to_string(row) + ", but there are " +
              std::to_string(rows) + " " + which);
}

void check_rows(const PairSet& pairs, std::size_t rows, const char* which) {
  for (const std::int32_t row : pairs.rows()) check_row(row, rows, which);
  for (const Pair& pair : pairs.list()) {
    check_row(pair.first, rows, which);
    check_row(pair.second, rows, which);
  }
}

void check_labels(const PairSet& training) {
  const bool known =
      std::ranges::all_of(training.list(), [](const Pair& p) { return p.label != 0; }) &&
      std::ranges::all_of(training.classes(), [](std::int32_t c) { return c >= 0; });
  if (!known)
    throw Error(
        "it chose a training pair without knowing whether its rows belong to the same class");
}

/// Of the pairs that are tested on in the end, those of rows that a fold of the training rows has.
PairSet final_tests(const PairSet& tests, const FoldedDataset& fold) {
  std::unordered_map<std::size_t, std::int32_t> places;
  for (std::size_t row = 0; row < fold.outline().rows(); ++row)
    places[fold.position(row)] = static_cast<std::int32_t>(row);
  std::vector<Pair> there;
  tests.visit([&](const Pair& pair) {
    const auto first = places.find(static_cast<std::size_t>(pair.first));
    const auto second = places.find(static_cast<std::size_t>(pair.second));
    if (first != places.end() && second != places.end())
      there.push_back({first->second, second->second, pair.label});
  });
  return PairSet::listed(std::move(there));
}

/// What a cross-validation chooses is judged in the end on pairs that it must not have seen:
/// neither learned from nor tested on. Where all of those are of test rows, no fold has them.
void leave_out_final_tests(Session& session, std::size_t i, const FoldedDataset& fold,
                           PairSelection& pairs) {
  const Dataset& all = fold.all();
  const auto numbers = row_numbers(all);
  const Outline& outline = all.outline();
  NodeContext context = session.context(i);
  const PairSet tests =
      session.node(i)
          .as<Pairs>()
          .select({all.labels(), outline.train_rows, outline.classes, numbers}, context)
          .test;
  if (!tests_training_rows(tests, outline.train_rows)) return;
  const PairSet there = final_tests(tests, fold);
  const std::size_t bytes = pairs.train.size() * sizeof(Pair);
  if (bytes > context.memory_budget())
    throw Error("its " + std::to_string(pairs.train.size()) +
                " training pairs, without those kept for the final test, take " +
                std::to_string(bytes >> 20) + " MiB, but " +
                std::to_string(context.memory_budget() >> 20) +
                " MiB are free; choose fewer pairs or raise --memory");
  pairs.train = without(pairs.train, there);
  pairs.test = without(pairs.test, there);
}

}  // namespace

PairSelection chosen_pairs(Session& session, std::size_t i, std::size_t train_rows) {
  const Dataset& data = session.dataset(i);
  const auto* fold = dynamic_cast<const FoldedDataset*>(&data);
  NodeContext context = session.context(i);
  PairSelection pairs =
      session.node(i).as<Pairs>().select({data.labels(), train_rows, data.outline().classes,
                                          session.all_row_numbers(i), fold != nullptr},
                                         context);
  check_rows(pairs.train, train_rows, "training rows");
  check_rows(pairs.test, session.node(i).outline->rows(), "rows");
  check_labels(pairs.train);
  if (fold && train_rows > 0) leave_out_final_tests(session, i, *fold, pairs);
  return pairs;
}

void choose_pairs(Session& session, std::size_t i) {
  auto& run = *session.runs[i];
  run.pairs = chosen_pairs(session, i, session.node(i).outline->train_rows);
  auto& metrics = run.record.metrics;
  metrics["train_pairs"] = run.pairs.train.size();
  metrics["positive_train_pairs"] = run.pairs.train.positives();
  metrics["test_pairs"] = run.pairs.test.size();
  metrics["positive_test_pairs"] = run.pairs.test.positives();
  const auto task = checked_task(run.pairs, session.node(i).outline->train_rows,
                                 session.dataset(i).labels(), session.all_row_numbers(i));
  if (task) metrics["task"] = *task;
}

void train_on_pairs(Session& session, std::size_t i, Report& report) {
  const auto& node = session.node(i);
  auto& run = *session.runs[i];
  const PairSelection& pairs = session.runs[*node.pairs]->pairs;
  if (pairs.train.size() == 0)
    throw Error("'" + session.node(*node.pairs).name() + "' gives no training pairs");
  const RowRange rows(run.training, 0, node.outline->train_rows);
  const Layout layout = node.inputs.size() == 1 ? session.node(node.inputs[0]).output
                                                : Layout::vector(run.training->cols());
  NodeContext context = session.context(i);
  node.as<PairSolver>().train({rows, layout, pairs.train, session.row_numbers(i)}, report, context);
  if (!session.stopping()) {
    score_pairs(session, i, pairs.test);
    run.record.rows = rows_of_solver(session, i);
  }
  run.training.reset();
}

void score_pairs(Session& session, std::size_t i, const PairSet& pairs) {
  auto& run = *session.runs[i];
  run.test_pairs = PairSet::listed(pairs.expanded());
  run.tags = RowTags(session.dataset(i), 0, session.dataset(i).outline().rows());
  run.test_labels.clear();
  for (const Pair& pair : run.test_pairs.list()) run.test_labels.push_back(pair.label);
  run.rows = session.keep(run.test_pairs.size(), 1);
  NodeContext context = session.context(i);
  std::vector<float> scores(run.test_pairs.size());
  if (!scores.empty())
    session.node(i).as<PairSolver>().score(*run.training, run.test_pairs, scores, context);
  for (std::size_t p = 0; p < scores.size(); ++p) run.rows->writable(p, 1).row(0)[0] = scores[p];
  run.rows_ready = run.rows_done = true;
}

void save_pair_scores(const Session& session, std::size_t i, const std::filesystem::path& folder) {
  const auto& run = *session.runs[i];
  std::vector<std::int64_t> first, second, labels;
  for (const Pair& pair : run.test_pairs.list()) {
    first.push_back(pair.first);
    second.push_back(pair.second);
    labels.push_back(pair.label);
  }
  StateFolderWriter writer(folder / "test_pairs");
  writer.integers("first", first);
  writer.integers("second", second);
  writer.integers("labels", labels);
  run.tags.save(writer);
  writer.floats("scores", run.rows->view(0, run.rows->rows()));
  writer.finish();
}

void load_pair_scores(Session& session, std::size_t i, const std::filesystem::path& folder) {
  auto& run = *session.runs[i];
  const StateFolderReader reader(folder / "test_pairs");
  const auto first = reader.integers("first"), second = reader.integers("second"),
             labels = reader.integers("labels");
  const FloatMatrix scores = reader.floats("scores");
  if (second.size() != first.size() || labels.size() != first.size() ||
      scores.rows != first.size() || (scores.rows > 0 && scores.cols != 1))
    throw Error("the stored scores do not match the test pairs");
  std::vector<Pair> pairs;
  for (std::size_t p = 0; p < first.size(); ++p)
    pairs.push_back({static_cast<std::int32_t>(first[p]), static_cast<std::int32_t>(second[p]),
                     static_cast<std::int32_t>(labels[p])});
  run.tags = RowTags::load(reader);
  const auto known = static_cast<std::int64_t>(run.tags.rows());
  for (const auto* rows : {&first, &second})
    for (const std::int64_t row : *rows)
      if (row < 0 || row >= known)
        throw Error("a test pair names a row that the source does not have");
  run.test_labels.assign(labels.begin(), labels.end());
  run.test_pairs = PairSet::listed(std::move(pairs));
  run.rows = session.keep(scores.rows, 1);
  for (std::size_t p = 0; p < scores.rows; ++p)
    run.rows->writable(p, 1).row(0)[0] = scores.values[p];
  run.rows_ready = run.rows_done = true;
}

void judge_pairs(Session& session, std::size_t i, Report& report) {
  const auto& node = session.node(i);
  const auto shown = shown_nodes(*session.compilation.pipeline, i);
  std::vector<ScoredPairs> tests;
  for (const std::size_t solver : node.inputs) {
    const auto& run = *session.runs[solver];
    if (run.test_pairs.size() == 0)
      throw Error("there are no test pairs to evaluate; '" +
                  session.node(*session.node(solver).pairs).name() + "' gives none");
    // One column, whose rows follow each other.
    const MatrixView scores = run.rows->view(0, run.rows->rows());
    tests.push_back(
        {shown_name(shown, solver), {scores.row(0), scores.rows}, run.test_pairs, run.test_labels});
  }
  NodeContext context = session.context(i);
  node.as<PairEvaluator>().evaluate(tests, report, context);
}

}  // namespace semblance
