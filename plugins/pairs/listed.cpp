// SPDX-License-Identifier: MIT
#include "listed.hpp"

#include <map>

namespace semblance {
namespace {

/// The rows of each class, by its name, in the source's order.
using RowsByName = std::map<std::string, std::vector<std::int32_t>>;

RowsByName rows_by_name(const PairExamples& examples) {
  RowsByName rows;
  for (std::size_t i = 0; i < examples.labels.size(); ++i)
    if (examples.labels[i] >= 0)
      rows[examples.classes[static_cast<std::size_t>(examples.labels[i])]].push_back(
          static_cast<std::int32_t>(i));
  return rows;
}

std::int32_t row_of(const pairs::NamedSample& sample, const RowsByName& rows,
                    const std::string& file, std::size_t line) {
  const auto found = rows.find(sample.name);
  const std::string where = "line " + std::to_string(line);
  if (found == rows.end())
    throw DataError(file, where, "the source has no row of a class '" + sample.name + "'");
  if (sample.number > static_cast<std::int64_t>(found->second.size()))
    throw DataError(file, where,
                    "it names the sample " + std::to_string(sample.number) + " of '" + sample.name +
                        "', of which the source has " + std::to_string(found->second.size()) +
                        " rows");
  return found->second[static_cast<std::size_t>(sample.number - 1)];
}

std::vector<Pair> resolved(const std::vector<pairs::NamedPair>& named, const RowsByName& rows,
                           const std::string& file) {
  std::vector<Pair> all;
  for (const auto& pair : named)
    all.push_back({row_of(pair.first, rows, file, pair.line),
                   row_of(pair.second, rows, file, pair.line), pair.same ? 1 : -1});
  return all;
}

}  // namespace

Declaration<ListedPairs> ListedPairs::declare() {
  return Declaration<ListedPairs>("pairs/listed", "Test pairs from a protocol file")
      .parameter("path", &ListedPairs::path_, "the file, as Labeled Faces in the Wild's pairs.txt",
                 required())
      .parameter("fold", &ListedPairs::fold_,
                 "the fold of the file to test on, from 1; 0: all folds", at_least(0))
      .parameter("train", &ListedPairs::train_,
                 "which pairs of the training rows to train on; not given: those that the other "
                 "folds list",
                 optional())
      .documentation(
          "A sample 'NAME n' of the file is the n-th row of the class NAME in the order of the "
          "source. Where 'train' is not given this is the image-restricted protocol: training "
          "pairs are those of the other folds, all of whose rows must be training rows.")
      .reference("Huang, Ramesh, Berg, Learned-Miller, Labeled Faces in the Wild, 2007")
      .complexity("one look-up a listed pair; 12 bytes a pair")
      .example(R"(
        table: {is: source/csv, path: table.csv, label: class}
        pairs: {is: pairs/listed, path: pairs.txt, fold: 1, from: table}
        svm:   {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: table, pairs: pairs}
        test:  {is: evaluator/verification, from: svm})");
}

PairSelection ListedPairs::select(const PairExamples& examples, Context& context) {
  const auto folds = pairs::read_protocol(path_.value, context.memory_budget());
  if (static_cast<std::size_t>(fold_) > folds.size())
    throw Error("fold is " + std::to_string(fold_) + ", but " + path_.value + " has " +
                std::to_string(folds.size()) + " folds");
  const RowsByName rows = rows_by_name(examples);
  std::vector<Pair> test, train;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const bool tested = fold_ == 0 || static_cast<std::size_t>(fold_) == f + 1;
    // Lists that nobody asked for may name samples that the source does not have.
    if (!tested && (train_ || examples.train_rows == 0)) continue;
    const auto pairs = resolved(folds[f], rows, path_.value);
    auto& list = tested ? test : train;
    list.insert(list.end(), pairs.begin(), pairs.end());
  }
  PairSelection chosen;
  if (examples.train_rows > 0) {
    chosen.train =
        train_ ? train_->select(examples, context).train : PairSet::listed(std::move(train));
    if (chosen.train.size() == 0)
      throw Error("there is no fold to train on; give 'train', such as train: {is: pairs/all}");
  }
  chosen.test = PairSet::listed(std::move(test));
  return chosen;
}

}  // namespace semblance
