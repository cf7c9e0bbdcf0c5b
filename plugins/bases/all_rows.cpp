// SPDX-License-Identifier: MIT
#include <numeric>

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance::bases {
namespace {

/// Every training sample, in its order.
class AllBases final : public Basis {
 public:
  static Declaration<AllBases> declare() {
    return Declaration<AllBases>("basis/all", "All training rows")
        .documentation("In training order: this gives the full similarity matrix.")
        .distributed()
        .complexity("when mapped, one similarity for each pair of training rows")
        .example(R"(
        points: {is: source/xor, train: 200}
        bases:  {is: basis/all, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::vector<std::int64_t> select(const TrainingSet& training, Context&) override {
    if (training.rows.rows() == 0) throw Error("there are no training rows to choose from");
    std::vector<std::int64_t> rows(training.rows.rows());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  std::size_t count(std::size_t training_rows, std::size_t) const override { return training_rows; }
};

}  // namespace

ComponentEntry declare_all_rows() { return AllBases::declare().entry(); }

}  // namespace semblance::bases
