// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include "choice/choosing.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"

namespace semblance::pairs {
namespace {

/// Training pairs that the pipeline itself names by their rows, as a program does that has them in
/// memory.
class GivenPairs final : public Pairs {
 public:
  static Declaration<GivenPairs> declare();
  void check_parameters() const override;
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> second_;
  std::vector<std::int64_t> same_;
};

Declaration<GivenPairs> GivenPairs::declare() {
  return Declaration<GivenPairs>("pairs/given", "Training pairs named by the numbers of their rows")
      .parameter("first", &GivenPairs::first_,
                 "number of each pair's first training row, counted from 0", at_least(0))
      .parameter("second", &GivenPairs::second_, "the same for each pair's second row", at_least(0))
      .parameter("same", &GivenPairs::same_,
                 "1: the pair's rows belong together, 0: they do not; empty: they do where they "
                 "are of the same class",
                 at_least(0), at_most(1))
      .documentation(
          "For programs that have pairs in memory, and know whether the rows of each belong "
          "together, but perhaps no classes. Tested on all pairs of the test rows. The numbers are "
          "those of the source's training rows, so it does not work with cross-validation, whose "
          "folds renumber their rows.")
      .complexity("12 bytes per pair")
      .example(R"(
        points: {is: source/checkerboard, classes: 30, examples_per_class: 5, task: interexample}
        pairs:  {is: pairs/given, first: [0, 1, 2, 3, 0, 1], second: [4, 5, 6, 7, 1, 2], same: [1, 1, 1, 1, 0, 0], from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

void GivenPairs::check_parameters() const {
  const auto count = [](const auto& list) { return std::to_string(list.size()); };
  if (first_.size() != second_.size())
    throw Error("'first' names " + count(first_) + " rows and 'second' " + count(second_) +
                "; give one of each for every pair");
  if (!same_.empty() && same_.size() != first_.size())
    throw Error("'same' says " + count(same_) + " times what is known of " + count(first_) +
                " pairs; give one number for every pair, or none");
}

PairSelection GivenPairs::select(const PairExamples& examples, Context& context) {
  PairSelection chosen;
  chosen.test = all_test_pairs(examples, Reflexive::never);
  if (examples.train_rows == 0) return chosen;
  if (examples.validation)
    throw Error(
        "it names training rows, which the folds of a cross-validation renumber; use pairs/all or "
        "pairs/sampled");
  check_room(first_.size(), context);
  const auto row = [&](std::int64_t number) {
    if (static_cast<std::size_t>(number) >= examples.train_rows)
      throw Error("it names training row " + std::to_string(number) + ", but there are " +
                  std::to_string(examples.train_rows) + ", counted from 0");
    return static_cast<std::int32_t>(number);
  };
  std::vector<Pair> train(first_.size());
  for (std::size_t p = 0; p < train.size(); ++p) {
    const std::int32_t a = row(first_[p]), b = row(second_[p]);
    const std::int32_t of_a = examples.labels[static_cast<std::size_t>(a)];
    const std::int32_t of_b = examples.labels[static_cast<std::size_t>(b)];
    const bool known = of_a >= 0 && of_b >= 0;
    const std::int32_t by_class = !known ? 0 : of_a == of_b ? 1 : -1;
    train[p] = {a, b, same_.empty() ? by_class : same_[p] > 0 ? 1 : -1};
  }
  chosen.train = PairSet::listed(std::move(train));
  return chosen;
}

}  // namespace

ComponentEntry declare_given() { return GivenPairs::declare().entry(); }

}  // namespace semblance::pairs
