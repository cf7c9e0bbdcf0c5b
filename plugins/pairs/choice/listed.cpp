// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>

#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

/// One sample of a protocol file: the `number`-th (from 1) of the class `name`.
struct NamedSample {
  std::string name;
  std::int64_t number = 0;
};

/// A line of a protocol file.
struct NamedPair {
  NamedSample first;
  NamedSample second;
  bool same = false;
  std::size_t line = 0;  ///< counted from 1
};

using Folds = std::vector<std::vector<NamedPair>>;

constexpr std::int64_t most_folds = 10000;

std::optional<std::int64_t> positive_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

/// The folds of a protocol file in the format of Labeled Faces in the Wild's pairs.txt: a first
/// line "FOLDS PAIRS", or "PAIRS" for a single fold; then in each fold PAIRS lines
/// "NAME NUMBER NUMBER" of positive pairs and PAIRS lines "NAME NUMBER NAME NUMBER" of negative
/// ones, fields separated by blanks or tabs. Throws DataError, also where the pairs need more than
/// `memory` bytes.
class ProtocolReader {
 public:
  ProtocolReader(const std::string& path, std::size_t memory)
      : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw DataError(path, "", "cannot be read; name a file that lists pairs");
    // A pair takes at least 8 characters, and some 20 times as much when it is read.
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    if (failure) throw DataError(path, "", "is not a file; name a file that lists pairs");
    if (size > memory / 20)
      throw DataError(
          path, "",
          "is too large for the " + std::to_string(memory >> 20) +
              " MiB of memory left; check that it is the right file, or allow more with --memory");
  }

  Folds read() {
    const auto head = next("the number of pairs");
    const auto folds = head.size() == 2 ? positive_number(head[0]) : std::optional<std::int64_t>(1);
    const auto pairs = head.empty() ? std::nullopt : positive_number(head.back());
    if (head.size() > 2 || !folds || !pairs || *folds > most_folds)
      fail("the first line must be 'FOLDS PAIRS' or 'PAIRS', positive integers");
    Folds all;
    for (std::int64_t f = 0; f < *folds; ++f) {
      all.emplace_back();
      for (std::int64_t p = 0; p < *pairs; ++p) all.back().push_back(positive());
      for (std::int64_t p = 0; p < *pairs; ++p) all.back().push_back(negative());
    }
    for (std::string text; std::getline(in_, text);) {
      ++line_;
      if (text.find_first_not_of(" \t\r") != std::string::npos)
        fail("there are more lines than the first line declares");
    }
    return all;
  }

 private:
  std::vector<std::string> next(const char* what) {
    std::string text;
    ++line_;
    if (!std::getline(in_, text)) fail(std::string("the file ends before ") + what);
    std::istringstream words(text);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    return fields;
  }

  NamedPair positive() {
    const auto fields = next("all pairs that its first line declares");
    if (fields.size() != 3) fail("a positive pair must be 'NAME NUMBER NUMBER'");
    return {{fields[0], number(fields[1])}, {fields[0], number(fields[2])}, true, line_};
  }

  NamedPair negative() {
    const auto fields = next("all pairs that its first line declares");
    if (fields.size() != 4) fail("a negative pair must be 'NAME NUMBER NAME NUMBER'");
    return {{fields[0], number(fields[1])}, {fields[2], number(fields[3])}, false, line_};
  }

  std::int64_t number(const std::string& text) {
    const auto value = positive_number(text);
    if (!value) fail("'" + text + "' is not a sample's number; numbers count from 1");
    return *value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(path_, "line " + std::to_string(line_), what);
  }

  std::string path_;
  std::ifstream in_;
  std::size_t line_ = 0;
};

/// Test pairs from a protocol file, such as those of Labeled Faces in the Wild.
class ListedPairs final : public Pairs {
 public:
  static Declaration<ListedPairs> declare();
  std::vector<std::string> files() const override { return {path_.value}; }
  bool sets_rows_aside() const noexcept override { return true; }
  std::vector<std::int64_t> set_aside(const PairExamples& all, Context& context) override;
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  /// The row numbers of each class, in the order of the user's data: 'NAME n' is the n-th.
  using Names = std::map<std::string, std::vector<std::int64_t>>;
  /// Data excluded from training in addition to the test pairs (pairwise SVM, section 4).
  enum class Task { pair, interexample, interclass };

  Folds read(const Context& context) const;
  bool tested(std::size_t fold) const noexcept {
    return fold_ == 0 || static_cast<std::size_t>(fold_) == fold + 1;
  }
  static Names names_of(const PairExamples& examples);
  std::int64_t number_of(const NamedSample& sample, const Names& names, std::size_t line) const;
  std::set<std::int64_t> tested_numbers(const Folds& folds, const Names& names) const;
  std::vector<std::int64_t> kept_from_training(const std::set<std::int64_t>& numbers,
                                               const PairExamples& all, Task task) const;
  bool trains_on(const std::set<std::string>& classes, const Folds& folds) const;
  Task chosen_task(const Folds& folds, const std::set<std::int64_t>& numbers,
                   const PairExamples& all, Context& context) const;
  PairSelection listed(const Folds& folds, const PairExamples& examples) const;

  Path path_;
  std::int64_t fold_ = 0;
  std::string task_ = "automatic";
  std::unique_ptr<Pairs> train_;
  Names names_;  ///< for all rows of the source, once known
};

std::string text_of(const NamedSample& sample) {
  return "'" + sample.name + " " + std::to_string(sample.number) + "'";
}

/// The classes of some rows.
std::set<std::int32_t> classes_of(const std::set<std::int64_t>& numbers,
                                  const PairExamples& examples) {
  std::set<std::int32_t> classes;
  for (std::size_t i = 0; i < examples.labels.size(); ++i)
    if (numbers.contains(examples.number(i))) classes.insert(examples.labels[i]);
  return classes;
}

std::set<std::string> classes_named(const std::set<std::int32_t>& classes,
                                    const PairExamples& examples) {
  std::set<std::string> names;
  for (const std::int32_t c : classes)
    if (c >= 0) names.insert(examples.classes[static_cast<std::size_t>(c)]);
  return names;
}

/// Whether the training samples but those of these classes make a positive and a negative pair.
bool leaves_pairs(const std::set<std::int32_t>& classes, const PairExamples& examples) {
  std::map<std::int32_t, std::size_t> left;
  for (std::size_t i = 0; i < examples.train_rows; ++i)
    if (examples.labels[i] >= 0 && !classes.contains(examples.labels[i]))
      ++left[examples.labels[i]];
  return left.size() > 1 && std::ranges::any_of(left, [](const auto& c) { return c.second > 1; });
}

[[noreturn]] void refuse_no_training() {
  throw Error("there is no fold to train on; set 'train', for example train: {is: pairs/all}");
}

Declaration<ListedPairs> ListedPairs::declare() {
  return Declaration<ListedPairs>("pairs/listed", "Test pairs from a protocol file")
      .parameter("path", &ListedPairs::path_,
                 "the file, in the format of Labeled Faces in the Wild's pairs.txt", required())
      .parameter("fold", &ListedPairs::fold_,
                 "the fold of the file to test on, from 1; 0: all folds", at_least(0))
      .parameter(
          "task", &ListedPairs::task_,
          "what to train on: interclass: no row of a test class; interexample: no test row; pair: "
          "no test pair; automatic: interclass if that leaves anything, else interexample",
          choices({"automatic", "interclass", "interexample", "pair"}))
      .parameter(
          "train", &ListedPairs::train_,
          "which pairs of the training rows to train on; default: those that the other folds list",
          optional())
      .documentation(
          "A sample 'NAME n' of the file is the n-th row of the class NAME in the order of the "
          "user's data, however the source splits them. Without 'train' this is the "
          "image-restricted protocol: training pairs are those of the other folds, all of whose "
          "rows must be training rows.\n\n"
          "Nothing is learned from test data: the rows that the task keeps from training become "
          "test rows of the source before anything runs, so no normalizer or basis sees them "
          "either. In the pair task the rows stay, and the listed pairs are excluded from "
          "training. The folds of a cross-validation do not contain the listed test pairs: they "
          "test on the pairs that 'train' chooses among the held-out rows or, without it, on the "
          "other folds' pairs of such rows.")
      .reference("Huang, Ramesh, Berg, Learned-Miller, Labeled Faces in the Wild, 2007")
      .complexity("one look-up per listed pair; 12 bytes per pair; the source is read twice")
      .example(R"(
        table: {is: source/csv, path: table.csv, label: class}
        pairs: {is: pairs/listed, path: pairs.txt, fold: 1, from: table}
        svm:   {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: table, pairs: pairs}
        test:  {is: evaluator/verification, from: svm})");
}

Folds ListedPairs::read(const Context& context) const {
  auto folds = ProtocolReader(path_.value, context.memory_budget()).read();
  if (static_cast<std::size_t>(fold_) > folds.size())
    throw Error("fold is " + std::to_string(fold_) + ", but " + path_.value + " has " +
                std::to_string(folds.size()) + " folds");
  return folds;
}

ListedPairs::Names ListedPairs::names_of(const PairExamples& examples) {
  Names names;
  for (std::size_t i = 0; i < examples.labels.size(); ++i)
    if (examples.labels[i] >= 0)
      names[examples.classes[static_cast<std::size_t>(examples.labels[i])]].push_back(
          examples.number(i));
  for (auto& [name, numbers] : names) std::ranges::sort(numbers);
  return names;
}

std::int64_t ListedPairs::number_of(const NamedSample& sample, const Names& names,
                                    std::size_t line) const {
  const auto found = names.find(sample.name);
  const std::string where = "line " + std::to_string(line);
  if (found == names.end())
    throw DataError(path_.value, where, "the source has no row of class '" + sample.name + "'");
  if (sample.number > static_cast<std::int64_t>(found->second.size()))
    throw DataError(path_.value, where,
                    "it names sample " + std::to_string(sample.number) + " of '" + sample.name +
                        "', but the source has only " + std::to_string(found->second.size()) +
                        " rows");
  return found->second[static_cast<std::size_t>(sample.number - 1)];
}

std::set<std::int64_t> ListedPairs::tested_numbers(const Folds& folds, const Names& names) const {
  std::set<std::int64_t> numbers;
  for (std::size_t f = 0; f < folds.size(); ++f)
    if (tested(f))
      for (const auto& pair : folds[f]) {
        numbers.insert(number_of(pair.first, names, pair.line));
        numbers.insert(number_of(pair.second, names, pair.line));
      }
  return numbers;
}

/// The training samples that the task excludes from training.
std::vector<std::int64_t> ListedPairs::kept_from_training(const std::set<std::int64_t>& numbers,
                                                          const PairExamples& all,
                                                          Task task) const {
  std::vector<std::int64_t> rows;
  if (task == Task::pair) return rows;
  const auto classes = classes_of(numbers, all);
  for (std::size_t i = 0; i < all.train_rows; ++i)
    if (task == Task::interclass ? classes.contains(all.labels[i])
                                 : numbers.contains(all.number(i)))
      rows.push_back(static_cast<std::int64_t>(i));
  return rows;
}

/// Whether an untested fold lists a sample of one of these classes.
bool ListedPairs::trains_on(const std::set<std::string>& classes, const Folds& folds) const {
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const auto& pair : folds[f])
      if (!tested(f) && (classes.contains(pair.first.name) || classes.contains(pair.second.name)))
        return true;
  return false;
}

ListedPairs::Task ListedPairs::chosen_task(const Folds& folds,
                                           const std::set<std::int64_t>& numbers,
                                           const PairExamples& all, Context& context) const {
  if (task_ == "pair") return Task::pair;
  if (task_ == "interexample") return Task::interexample;
  if (task_ == "interclass") return Task::interclass;
  const auto classes = classes_of(numbers, all);
  if (train_ ? leaves_pairs(classes, all) : !trains_on(classes_named(classes, all), folds))
    return Task::interclass;
  context.log(LogLevel::info,
              "the test pairs leave no other classes to train on, so training uses other rows of "
              "their classes: the interexample task");
  return Task::interexample;
}

std::vector<std::int64_t> ListedPairs::set_aside(const PairExamples& all, Context& context) {
  const Folds folds = read(context);
  if (!train_ && (fold_ == 0 || folds.size() == 1)) refuse_no_training();
  names_ = names_of(all);
  const auto numbers = tested_numbers(folds, names_);
  const Task task = chosen_task(folds, numbers, all, context);
  const auto rows = kept_from_training(numbers, all, task);
  if (all.train_rows > 0 && rows.size() == all.train_rows)
    throw Error(
        std::string("the test pairs name every ") + (task == Task::interclass ? "class" : "row") +
        " that could be used for training; test on fewer with 'fold', or choose another 'task'");
  return rows;
}

/// The pairs of the file: those of tested folds for testing, those of other folds for training.
PairSelection ListedPairs::listed(const Folds& folds, const PairExamples& examples) const {
  const Names own = names_.empty() ? names_of(examples) : Names();
  const Names& names = names_.empty() ? own : names_;
  std::unordered_map<std::int64_t, std::int32_t> rows;
  for (std::size_t i = 0; i < examples.labels.size(); ++i)
    rows[examples.number(i)] = static_cast<std::int32_t>(i);
  const auto row_of = [&](const NamedSample& sample, std::size_t line) {
    const auto found = rows.find(number_of(sample, names, line));
    return found == rows.end() ? -1 : found->second;
  };
  const auto train_rows = static_cast<std::int32_t>(examples.train_rows);
  std::vector<Pair> train, test;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    // Lists that were not requested may name samples that the source does not have.
    if (tested(f) ? examples.validation : train_ || train_rows == 0) continue;
    for (const auto& pair : folds[f]) {
      const Pair found{row_of(pair.first, pair.line), row_of(pair.second, pair.line),
                       pair.same ? 1 : -1};
      const bool learned = found.first < train_rows && found.second < train_rows;
      if (tested(f)) {
        test.push_back(found);
      } else if (!examples.validation) {
        if (!learned)
          throw DataError(
              path_.value, "line " + std::to_string(pair.line),
              "the pair cannot be used for training: " +
                  text_of(found.first < train_rows ? pair.second : pair.first) +
                  " is a test row, either by the test pairs and 'task' or by the source; choose "
                  "another 'task', or set 'train', for example train: {is: pairs/all}");
        train.push_back(found);
      } else if (found.first >= 0 && found.second >= 0) {
        if (learned)
          train.push_back(found);
        else if (found.first >= train_rows && found.second >= train_rows)
          test.push_back(found);
      }
    }
  }
  return {PairSet::listed(std::move(train)), PairSet::listed(std::move(test))};
}

PairSelection ListedPairs::select(const PairExamples& examples, Context& context) {
  if (examples.validation && train_) return train_->select(examples, context);
  PairSelection chosen = listed(read(context), examples);
  if (examples.train_rows == 0) return chosen;
  if (train_) chosen.train = train_->select(examples, context).train;
  if (chosen.train.size() == 0 && !examples.validation) refuse_no_training();
  if (chosen.train.size() > 0 && common_pair(chosen.train, chosen.test)) {
    check_room(chosen.train.size(), context);
    chosen.train = without(chosen.train, chosen.test);
  }
  return chosen;
}

}  // namespace

ComponentEntry declare_listed() { return ListedPairs::declare().entry(); }

}  // namespace semblance::pairs
