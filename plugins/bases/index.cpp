// SPDX-License-Identifier: MIT

#include "class_rows.hpp"
#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance::bases {
namespace {

/// The first rows of each class: 'Indx' of BE-SVM, section 3.4.
class IndexBases final : public Basis {
 public:
  static Declaration<IndexBases> declare() {
    return Declaration<IndexBases>("basis/index", "The first training rows of each class")
        .parameter("per_class", &IndexBases::per_class_,
                   "rows of each class: with more, a classifier on the similarities is more exact "
                   "and slower",
                   at_least(1))
        .learns_from({TargetKind::classes})
        .documentation(
            "Class by class, in the order of the classes, and within each class in training order. "
            "If one training fold comes first, the bases come from that fold.")
        .reference("BE-SVM, section 3.4: Indx")
        .distributed()
        .complexity("one look at each training label")
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/index, per_class: 20, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::vector<std::int64_t> select(const TrainingSet& training, Context&) override {
    std::vector<std::int64_t> chosen;
    for (const auto& rows : rows_by_class(training, per_class_))
      chosen.insert(chosen.end(), rows.begin(), rows.begin() + per_class_);
    return chosen;
  }

  std::size_t count(std::size_t, std::size_t classes) const override {
    return classes * static_cast<std::size_t>(per_class_);
  }

 private:
  std::int64_t per_class_ = 100;
};

}  // namespace

ComponentEntry declare_index() { return IndexBases::declare().entry(); }

}  // namespace semblance::bases
