// SPDX-License-Identifier: MIT
#include <cmath>

#include "choice/choosing.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairs {
namespace {

/// All pairs: the training set of the pairwise SVM paper, and with `held_out` its pair task.
class AllPairs final : public Pairs {
 public:
  static Declaration<AllPairs> declare();
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  PairSelection hold_out(const PairSet& all, Context& context) const;

  std::string reflexive_ = "training";
  double held_out_ = 0;
};

Declaration<AllPairs> AllPairs::declare() {
  return Declaration<AllPairs>("pairs/all",
                               "All pairs of training rows, tested on all pairs of test rows")
      .parameter("reflexive", &AllPairs::reflexive_, "whether to pair a row with itself",
                 choices(reflexive_choices))
      .parameter("held_out", &AllPairs::held_out_,
                 "share of the training rows' pairs to test on instead: the pair task; 0: test on "
                 "the pairs of the test rows",
                 at_least(0), below(1))
      .random()
      .documentation(
          "n training rows give n (n + 1) / 2 pairs, including those of a row with itself. The "
          "source's choice of training and test rows makes the test an interexample task (other "
          "rows of the same classes) or an interclass task (rows of other classes).")
      .reference(
          "Brunner et al., Pairwise kernels, support vector machines, and the application "
          "to large scale problems, 2011, section 4")
      .complexity("pairs are not listed in memory unless some are held out (12 bytes each)")
      .example(R"(
        points: {is: source/checkerboard, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, held_out: 0.25, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

PairSelection AllPairs::select(const PairExamples& examples, Context& context) {
  const auto reflexive = reflexive_from(reflexive_);
  if (held_out_ > 0 && examples.train_rows > 0)
    return hold_out(all_training_pairs(examples, reflexive), context);
  return {all_training_pairs(examples, reflexive), all_test_pairs(examples, reflexive)};
}

PairSelection AllPairs::hold_out(const PairSet& all, Context& context) const {
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

}  // namespace

ComponentEntry declare_all_pairs() { return AllPairs::declare().entry(); }

}  // namespace semblance::pairs
