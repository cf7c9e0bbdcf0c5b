// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <string>

#include "draw.hpp"
#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance::bases {
namespace {

/// Training samples drawn without regard to classes: 'Rand' of BE-SVM, section 3.4.
class RandomBases final : public Basis {
 public:
  static Declaration<RandomBases> declare() {
    return Declaration<RandomBases>("basis/random", "Training rows drawn at random")
        .parameter(
            "count", &RandomBases::count_,
            "number of rows: with more, a classifier on the similarities is more exact and slower",
            at_least(1))
        .parameter("fewer", &RandomBases::fewer_,
                   "what to do if there are fewer training rows: refuse, or use all",
                   choices({"refuse", "all"}))
        .random()
        .documentation("Without replacement, in ascending order, regardless of class.")
        .reference("BE-SVM, section 3.4: Rand")
        .distributed()
        .complexity("one random number per training row")
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override {
    const std::size_t rows = training.rows.rows();
    const std::size_t wanted = count(rows, training.classes.size());
    if (wanted > rows)
      throw Error("count requests " + std::to_string(wanted) + " bases, but there are " +
                  std::to_string(rows) +
                  " training rows; lower count, set 'fewer: all', or train on more data");
    std::vector<std::int64_t> all(rows);
    std::iota(all.begin(), all.end(), 0);
    Random random = context.random();
    return draw(std::move(all), wanted, random);
  }

  std::size_t count(std::size_t train_rows, std::size_t) const override {
    const auto wanted = static_cast<std::size_t>(count_);
    return fewer_ == "all" ? std::min(wanted, train_rows) : wanted;
  }

 private:
  std::int64_t count_ = 1000;
  std::string fewer_ = "refuse";
};

}  // namespace

ComponentEntry declare_random_rows() { return RandomBases::declare().entry(); }

}  // namespace semblance::bases
