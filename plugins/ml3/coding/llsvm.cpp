// SPDX-License-Identifier: MIT

#include "coding/centres.hpp"
#include "descent/sgd_svm.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/llsvm`: locally linear SVM.
class LlSvm final : public LocalSvm {
 public:
  LlSvm() : LocalSvm("scale", "scale") {}

  static Declaration<LlSvm> declare() {
    Declaration<LlSvm> declaration(
        "solver/llsvm", "Locally linear SVM: linear models weighted by the distances to centres");
    declaration
        .parameter("models", &LlSvm::models_, "linear models per class, one per centre",
                   at_least(1), at_most(1e6))
        .parameter("neighbours", &LlSvm::neighbours_,
                   "number of nearest centres that get a weight: the more, the smoother the "
                   "boundaries; all, if there are fewer",
                   at_least(1));
    declare_descent(declaration);
    return declaration
        .documentation(
            "The score of a class is the sum of its models' products with a sample, weighted by "
            "the inverse distances to the sample's `neighbours` nearest k-means centres, scaled to "
            "sum 1. The centres come from k-means++ and Lloyd's iterations on at most 100 random "
            "rows per centre. The models are trained like solver/linear_svm_sgd, with the "
            "multiclass hinge loss, whereas the original trains one class against the rest.")
        .reference("Ladicky and Torr 2011; ML3, section 5")
        .complexity("2 rows columns classes models operations per epoch")
        .random()
        .example(R"(
        points: {is: source/xor}
        llsvm:  {is: solver/llsvm, models: 8, from: points}
        test:   {is: evaluator/classification, from: llsvm}
        models: {is: evaluator/assignments, from: llsvm})");
  }

  void load(const StateReader& state, Context& context) override {
    FloatMatrix centres = state.floats("centres");
    neighbours_ = state.integer("neighbours");
    models_ = static_cast<std::int64_t>(centres.rows);
    if (neighbours_ < 1 || centres.rows == 0)
      throw Error("the saved model has an array of the wrong size; train it again");
    SgdSvm::load(state, context);
    if (centres.cols != inputs_)
      throw Error("the saved model has an array of the wrong size; train it again");
    distances_ = {std::move(centres), static_cast<std::size_t>(neighbours_)};
  }

 private:
  std::size_t models() const override { return static_cast<std::size_t>(models_); }

  void learn_weights(const Problem& problem, Random& random, Context& context) override {
    distances_ = {k_means(problem.rows, models(), Random(random.bits()), context),
                  static_cast<std::size_t>(neighbours_)};
  }

  void save_weights(StateWriter& state) const override {
    state.integer("neighbours", neighbours_);
    state.floats("centres", distances_.centres().view());
  }

  void weights(MatrixView rows, MutableMatrixView weights) const override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      distances_.weights(rows.row_span(i), weights.row_span(i));
  }

  std::int64_t models_ = 10;
  std::int64_t neighbours_ = 8;
  InverseDistances distances_;
};

}  // namespace

ComponentEntry declare_llsvm() { return LlSvm::declare().entry(); }

}  // namespace semblance::ml3
