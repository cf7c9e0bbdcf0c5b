// SPDX-License-Identifier: MIT
#include "choice/choosing.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairs {
namespace {

/// All positive pairs, and random negative pairs to fill the training set (pairwise SVM, section
/// 6.3).
class SampledPairs final : public Pairs {
 public:
  static Declaration<SampledPairs> declare();
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  PairSet sample(const PairSet& all, std::size_t count, Context& context) const;

  std::int64_t count_ = 2000000;
  std::int64_t test_count_ = 0;
  std::string reflexive_ = "training";
};

Declaration<SampledPairs> SampledPairs::declare() {
  return Declaration<SampledPairs>(
             "pairs/sampled",
             "All positive pairs, plus randomly drawn negative ones up to a given total")
      .parameter("count", &SampledPairs::count_,
                 "number of training pairs, positive and negative together; all if there are fewer",
                 at_least(2))
      .parameter("test_count", &SampledPairs::test_count_,
                 "the same for the test rows; 0: all their pairs", at_least(0))
      .parameter("reflexive", &SampledPairs::reflexive_, "whether to pair a row with itself",
                 choices(reflexive_choices))
      .random()
      .documentation(
          "Negative pairs are drawn without replacement, every set being equally likely. To keep a "
          "few classes from owning most of the positive pairs, let the source limit the rows per "
          "class.")
      .reference(
          "Brunner et al., Pairwise kernels, support vector machines, and the application "
          "to large scale problems, 2011, section 6.3")
      .complexity("time O(n^2) for n rows; 12 bytes per chosen pair")
      .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/sampled, count: 2000, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

PairSelection SampledPairs::select(const PairExamples& examples, Context& context) {
  const auto reflexive = reflexive_from(reflexive_);
  PairSelection chosen;
  chosen.train =
      sample(all_training_pairs(examples, reflexive), static_cast<std::size_t>(count_), context);
  chosen.test = all_test_pairs(examples, reflexive);
  if (test_count_ > 0)
    chosen.test = sample(chosen.test, static_cast<std::size_t>(test_count_), context);
  return chosen;
}

PairSet SampledPairs::sample(const PairSet& all, std::size_t count, Context& context) const {
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

}  // namespace

ComponentEntry declare_sampled() { return SampledPairs::declare().entry(); }

}  // namespace semblance::pairs
