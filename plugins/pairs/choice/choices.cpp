// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

/// The sets in which a row is paired with itself: none, training sets (the paper's n (n + 1) / 2
/// pairs), or also test sets, where such pairs are trivially recognized.
const std::vector<std::string> reflexive_choices = {"never", "training", "always"};

PairSet all_pairs(const PairExamples& examples, std::size_t first, std::size_t end,
                  bool reflexive) {
  if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error("pairs can be made of at most 2,147,483,647 rows; use fewer");
  if (end == first) return {};
  std::vector<std::int32_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first));
  const auto labels = examples.labels.subspan(first, end - first);
  return PairSet::all_of(std::move(rows), {labels.begin(), labels.end()}, reflexive);
}

/// All pairs of the training samples; throws Error if one of them has no class.
PairSet all_training_pairs(const PairExamples& examples, const std::string& reflexive) {
  for (std::size_t i = 0; i < examples.train_rows; ++i)
    if (examples.labels[i] < 0)
      throw Error("training row " + std::to_string(examples.number(i)) +
                  " (counted from 0) has no class, so it is unknown which of its pairs are of the "
                  "same class; give the source labels");
  return all_pairs(examples, 0, examples.train_rows, reflexive != "never");
}

/// All pairs of the test samples.
PairSet all_test_pairs(const PairExamples& examples, const std::string& reflexive) {
  return all_pairs(examples, examples.train_rows, examples.labels.size(), reflexive == "always");
}

/// Chooses exactly `wanted` of `all` things, one after the other, each subset being equally likely
/// (selection sampling; Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2 S).
class SelectionSampler {
 public:
  SelectionSampler(std::uint64_t all, std::uint64_t wanted, Random random)
      : left_(all), wanted_(wanted), random_(random) {}

  /// Whether the next thing is chosen.
  bool take() {
    const bool taken = wanted_ > 0 && random_.below(left_) < wanted_;
    --left_;
    wanted_ -= taken ? 1 : 0;
    return taken;
  }

 private:
  std::uint64_t left_;
  std::uint64_t wanted_;
  Random random_;
};

/// All pairs: the training set of the pairwise SVM paper, and with `held_out` its pair task.
class AllPairs final : public Pairs {
 public:
  static Declaration<AllPairs> declare() {
    return Declaration<AllPairs>("pairs/all",
                                 "All pairs of training rows, tested on all pairs of test rows")
        .parameter("reflexive", &AllPairs::reflexive_, "whether to pair a row with itself",
                   choices(reflexive_choices))
        .parameter("held_out", &AllPairs::held_out_,
                   "share of the training rows' pairs to test on instead: the pair task; 0: test "
                   "on the pairs of the test rows",
                   at_least(0), below(1))
        .random()
        .documentation(
            "n training rows give n (n + 1) / 2 pairs, including those of a row with itself. The "
            "source's choice of training and test rows makes the test an interexample task (other "
            "rows of the same classes) or an interclass task (rows of other classes).")
        .reference(
            "Brunner et al., Pairwise kernels, support vector machines, and the application to "
            "large scale problems, 2011, section 4")
        .complexity("pairs are not listed in memory unless some are held out (12 bytes each)")
        .example(R"(
        points: {is: source/checkerboard, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, held_out: 0.25, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

  PairSelection select(const PairExamples& examples, Context& context) override {
    if (held_out_ > 0 && examples.train_rows > 0)
      return hold_out(all_training_pairs(examples, reflexive_), context);
    return {all_training_pairs(examples, reflexive_), all_test_pairs(examples, reflexive_)};
  }

 private:
  PairSelection hold_out(const PairSet& all, Context& context) const {
    check_room(2 * all.size(), context);
    const bool with_itself = reflexive_ == "always";
    const std::size_t n = all.rows().size();
    const std::size_t candidates = with_itself ? all.size() : n * (n - 1) / 2;
    const auto wanted =
        static_cast<std::size_t>(std::llround(held_out_ * static_cast<double>(candidates)));
    SelectionSampler sampler(candidates, wanted, context.random());
    std::vector<Pair> train, test;
    for (const Pair& pair : all.expanded()) {
      const bool candidate = with_itself || pair.first != pair.second;
      (candidate && sampler.take() ? test : train).push_back(pair);
    }
    return {PairSet::listed(std::move(train)), PairSet::listed(std::move(test))};
  }

  std::string reflexive_ = "training";
  double held_out_ = 0;
};

/// All positive pairs, and random negative pairs to fill the training set (pairwise SVM, section
/// 6.3).
class SampledPairs final : public Pairs {
 public:
  static Declaration<SampledPairs> declare() {
    return Declaration<SampledPairs>(
               "pairs/sampled",
               "All positive pairs, plus randomly drawn negative ones up to a given total")
        .parameter(
            "count", &SampledPairs::count_,
            "number of training pairs, positive and negative together; all if there are fewer",
            at_least(2))
        .parameter("test_count", &SampledPairs::test_count_,
                   "the same for the test rows; 0: all their pairs", at_least(0))
        .parameter("reflexive", &SampledPairs::reflexive_, "whether to pair a row with itself",
                   choices(reflexive_choices))
        .random()
        .documentation(
            "Negative pairs are drawn without replacement, every set being equally likely. To keep "
            "a few classes from owning most of the positive pairs, let the source limit the rows "
            "per class.")
        .reference(
            "Brunner et al., Pairwise kernels, support vector machines, and the application to "
            "large scale problems, 2011, section 6.3")
        .complexity("time O(n^2) for n rows; 12 bytes per chosen pair")
        .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/sampled, count: 2000, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

  PairSelection select(const PairExamples& examples, Context& context) override {
    PairSelection chosen;
    chosen.train =
        sample(all_training_pairs(examples, reflexive_), static_cast<std::size_t>(count_), context);
    chosen.test = all_test_pairs(examples, reflexive_);
    if (test_count_ > 0)
      chosen.test = sample(chosen.test, static_cast<std::size_t>(test_count_), context);
    return chosen;
  }

 private:
  PairSet sample(const PairSet& all, std::size_t count, Context& context) const {
    if (all.size() <= count) return all;
    const std::size_t positives = all.positives();
    if (positives >= count)
      throw Error("there are " + std::to_string(positives) +
                  " positive pairs, which leaves no room for negative ones in " +
                  std::to_string(count) +
                  "; raise count, or let the source limit the rows per class");
    check_room(count, context);
    SelectionSampler sampler(all.size() - positives, count - positives, context.random());
    std::vector<Pair> chosen;
    chosen.reserve(count);
    all.visit([&](const Pair& pair) {
      if (pair.label > 0 || sampler.take()) chosen.push_back(pair);
    });
    return PairSet::listed(std::move(chosen));
  }

  std::int64_t count_ = 2000000;
  std::int64_t test_count_ = 0;
  std::string reflexive_ = "training";
};

/// Training pairs that the pipeline itself names by their rows, as a program does that has them in
/// memory.
class GivenPairs final : public Pairs {
 public:
  static Declaration<GivenPairs> declare() {
    return Declaration<GivenPairs>("pairs/given",
                                   "Training pairs named by the numbers of their rows")
        .parameter("first", &GivenPairs::first_,
                   "number of each pair's first training row, counted from 0", at_least(0))
        .parameter("second", &GivenPairs::second_, "the same for each pair's second row",
                   at_least(0))
        .parameter("same", &GivenPairs::same_,
                   "1: the pair's rows belong together, 0: they do not; empty: they do where they "
                   "are of the same class",
                   at_least(0), at_most(1))
        .documentation(
            "For programs that have pairs in memory, and know whether the rows of each belong "
            "together, but perhaps no classes. Tested on all pairs of the test rows. The numbers "
            "are those of the source's training rows, so it does not work with cross-validation, "
            "whose folds renumber their rows.")
        .complexity("12 bytes per pair")
        .example(R"(
        points: {is: source/checkerboard, classes: 30, examples_per_class: 5, task: interexample}
        pairs:  {is: pairs/given, first: [0, 1, 2, 3, 0, 1], second: [4, 5, 6, 7, 1, 2], same: [1, 1, 1, 1, 0, 0], from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

  void check_parameters() const override {
    const auto count = [](const auto& list) { return std::to_string(list.size()); };
    if (first_.size() != second_.size())
      throw Error("'first' names " + count(first_) + " rows and 'second' " + count(second_) +
                  "; give one of each for every pair");
    if (!same_.empty() && same_.size() != first_.size())
      throw Error("'same' says " + count(same_) + " times what is known of " + count(first_) +
                  " pairs; give one number for every pair, or none");
  }

  PairSelection select(const PairExamples& examples, Context& context) override {
    PairSelection chosen;
    chosen.test = all_test_pairs(examples, "never");
    if (examples.train_rows == 0) return chosen;
    if (examples.validation)
      throw Error(
          "it names training rows, which the folds of a cross-validation renumber; use pairs/all "
          "or pairs/sampled");
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

 private:
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> second_;
  std::vector<std::int64_t> same_;
};

}  // namespace

ComponentEntry declare_all_pairs() { return AllPairs::declare().entry(); }
ComponentEntry declare_given() { return GivenPairs::declare().entry(); }
ComponentEntry declare_sampled() { return SampledPairs::declare().entry(); }

}  // namespace semblance::pairs
