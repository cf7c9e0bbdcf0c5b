// SPDX-License-Identifier: MIT
#include "runtime/nodes/pairs_node.hpp"

#include <algorithm>
#include <unordered_map>

#include "runtime/session/run_data.hpp"
#include "runtime/sources/folds.hpp"

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

/// The final test pairs among the training samples of a fold.
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

/// A cross-validation must not see the final test pairs: neither learn from them nor test on them.
/// Where all of those are of test samples, no fold has them.
void leave_out_final_tests(Pairs& chooser, NodeContext& context, const FoldedDataset& fold,
                           PairSelection& pairs) {
  const Dataset& all = fold.all();
  const auto numbers = row_numbers(all);
  const Outline& outline = all.outline();
  const PairSet tests =
      chooser.select({all.labels(), outline.train_rows, outline.classes, numbers}, context).test;
  if (!tests_training_rows(tests, outline.train_rows)) return;
  const PairSet there = final_tests(tests, fold);
  const std::size_t bytes = pairs.train.size() * sizeof(Pair);
  if (bytes > context.memory_budget())
    throw MemoryError("its " + std::to_string(pairs.train.size()) +
                      " training pairs, without those kept for the final test, take " +
                      std::to_string(bytes >> 20) + " MiB, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are free; choose fewer pairs or raise --memory");
  pairs.train = without(pairs.train, there);
  pairs.test = without(pairs.test, there);
}

}  // namespace

PairSelection PairsNode::choose(RunProgress& progress, RunData& data,
                                std::size_t train_rows) const {
  const Dataset& dataset = data.dataset(facts().index);
  const auto* fold = dynamic_cast<const FoldedDataset*>(&dataset);
  NodeContext context = progress.context(facts().index);
  PairSelection pairs = as<Pairs>().select({dataset.labels(), train_rows, dataset.outline().classes,
                                            data.all_row_numbers(facts().index), fold != nullptr},
                                           context);
  check_rows(pairs.train, train_rows, "training rows");
  check_rows(pairs.test, facts().outline->rows(), "rows");
  check_labels(pairs.train);
  if (fold && train_rows > 0) leave_out_final_tests(as<Pairs>(), context, *fold, pairs);
  return pairs;
}

void PairsNode::learn(RunProgress& progress, RunData& data) {
  chosen_ = choose(progress, data, facts().outline->train_rows);
  auto& metrics = progress.run(facts().index).record.metrics;
  metrics["train_pairs"] = chosen_.train.size();
  metrics["positive_train_pairs"] = chosen_.train.positives();
  metrics["test_pairs"] = chosen_.test.size();
  metrics["positive_test_pairs"] = chosen_.test.positives();
  const auto task =
      checked_task(chosen_, facts().outline->train_rows, data.dataset(facts().index).labels(),
                   data.all_row_numbers(facts().index));
  if (task) metrics["task"] = *task;
}

std::unique_ptr<Node> make_pairs_node() { return std::make_unique<PairsNode>(); }

}  // namespace semblance
