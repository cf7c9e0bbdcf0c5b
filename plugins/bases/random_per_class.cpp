// SPDX-License-Identifier: MIT

#include "class_rows.hpp"
#include "draw.hpp"
#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance::bases {
namespace {

/// The same number of random samples from each class.
class RandomPerClassBases final : public Basis {
 public:
  static Declaration<RandomPerClassBases> declare() {
    return Declaration<RandomPerClassBases>(
               "basis/random_per_class",
               "The same number of training rows drawn at random from each class")
        .parameter("per_class", &RandomPerClassBases::per_class_,
                   "rows of each class: with more, a classifier on the similarities is more exact "
                   "and slower",
                   at_least(1))
        .random()
        .learns_from({TargetKind::classes})
        .documentation(
            "Class by class, in the order of the classes; within each class without replacement, "
            "in ascending order.")
        .reference("BE-SVM, section 3.4")
        .distributed()
        .complexity("one random number per training row")
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random_per_class, per_class: 20, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override {
    Random random = context.random();
    std::vector<std::int64_t> chosen;
    for (auto& rows : rows_by_class(training, per_class_)) {
      const auto drawn = draw(std::move(rows), static_cast<std::size_t>(per_class_), random);
      chosen.insert(chosen.end(), drawn.begin(), drawn.end());
    }
    return chosen;
  }

  std::size_t count(std::size_t, std::size_t classes) const override {
    return classes * static_cast<std::size_t>(per_class_);
  }

 private:
  std::int64_t per_class_ = 100;
};

}  // namespace

ComponentEntry declare_random_per_class() { return RandomPerClassBases::declare().entry(); }

}  // namespace semblance::bases
